import type { Rules } from '../domain/rules.ts';

/** Whether a list allows what goes by one of these names. Without a list everything is allowed. */
export function isAllowed({ toolAllowlist }: Pick<Rules, 'toolAllowlist'>, names: string[]): boolean {
  return toolAllowlist === undefined || names.some((name) => toolAllowlist.includes(name));
}

/** Whether a list allows the gateway for anything: by its own name for lists, or any tool behind it. */
export function isGatewayAllowed({ toolAllowlist }: Pick<Rules, 'toolAllowlist'>, name: string): boolean {
  return toolAllowlist === undefined || toolAllowlist.some((entry) => entry === name || entry.includes(':'));
}
