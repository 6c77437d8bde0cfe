import type { Rules } from '../../domain/rules.ts';

/** Returns whether an allowlist has one of these names; without a list everything is allowed. */
export function isAllowed({ toolAllowlist }: Pick<Rules, 'toolAllowlist'>, names: string[]): boolean {
  return toolAllowlist === undefined || names.some((name) => toolAllowlist.includes(name));
}

/** Returns whether an allowlist has the gateway itself, or any tool that is called through it. */
export function isGatewayAllowed({ toolAllowlist }: Pick<Rules, 'toolAllowlist'>, name: string): boolean {
  return toolAllowlist === undefined || toolAllowlist.some((entry) => entry === name || entry.includes(':'));
}
