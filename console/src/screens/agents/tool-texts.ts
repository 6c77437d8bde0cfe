import type { Agent, Tool, ToolType } from '../../api/types.ts';

type Settings = NonNullable<Tool['settings']>;

type Rules = Agent['rules'];

/** What a call does when it is repeated. */
export type Effect = NonNullable<Settings['effect']>;

/** Whether a person is asked before a call. */
export type Approval = NonNullable<Settings['approval']>;

/** The effects, the most harmless first, as people read them. */
export const effects: readonly { value: Effect; text: string }[] = [
  { value: 'read_only', text: 'Read only: changes nothing' },
  { value: 'idempotent', text: 'Idempotent: may be repeated' },
  { value: 'keyed', text: 'Keyed: takes a key, and may be repeated' },
  { value: 'unsafe', text: 'Unsafe: must not be repeated' },
];

/** The approvals, as people read them. */
export const approvals: readonly { value: Approval; text: string }[] = [
  { value: 'never', text: 'Never ask' },
  { value: 'ask', text: 'Ask' },
  { value: 'always_ask', text: 'Always ask' },
];

const types: Record<ToolType, string> = {
  ...{
    agent: 'agent',
    function: 'function',
    knowledge_base: 'knowledge base',
    mcp: 'MCP',
    workflow: 'workflow',
  },
};

/** A type of tool as people read it. */
export const toTypeText = (type: ToolType): string => types[type];

/** Where a tool leads, after its type: a provider, a gateway, a program of the customer. */
export function toPlace({ type, config }: Tool): string {
  if (type === 'mcp' && config.gateway === true) return ' gateway';
  if (type === 'mcp' && config.provider !== undefined && config.provider !== 'mcp')
    return `, ${config.provider}`;
  if (type === 'function' && config.runs === 'client') return ' of a client';
  return '';
}

/** Says whether a person is asked before a call of a tool: by its settings or a policy of the agent, whichever is stricter. */
export function toApprovalText({ name, settings = {} }: Tool, { toolPolicies }: Rules): string {
  const policy = toolPolicies[name] ?? {};
  const strictest = approvals.findLast(({ value }) => [settings.approval, policy.approval].includes(value));
  const isConditional = settings.approvalWhen !== undefined || policy.approvalWhen !== undefined;
  if (isConditional && (strictest?.value ?? 'never') === 'never') return 'sometimes';
  return strictest?.text.toLowerCase() ?? 'by default';
}

/** Returns true for a tool that the allowlist of its agent leaves out. The allowlist names those behind a gateway one by one. */
export function isLeftOut({ name, type, config }: Tool, { toolAllowlist }: Rules): boolean {
  if (toolAllowlist === undefined || (type === 'mcp' && config.gateway === true)) return false;
  return !toolAllowlist.includes(name);
}
