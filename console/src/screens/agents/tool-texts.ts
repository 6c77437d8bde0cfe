import type { Tool, ToolType } from '../../api/types.ts';

type Settings = NonNullable<Tool['settings']>;

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

/** Says whether a person is asked before a call of a tool. */
export function toApprovalText({ approval, approvalWhen }: Settings = {}): string {
  const always = approvals.find(({ value }) => value === approval)?.text.toLowerCase();
  if (approvalWhen === undefined) return always ?? 'by default';
  return always === undefined || approval === 'never' ? 'sometimes' : always;
}
