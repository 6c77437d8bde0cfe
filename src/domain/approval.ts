/** Whether a person has to approve the calls of a tool. `always_ask` cannot be answered once for later calls. */
export const approvalModes = ['never', 'ask', 'always_ask'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The settings and facts that decide whether a call needs an approval. */
export interface ApprovalSources {
  /** The setting of the tool. */
  setting: ApprovalMode | undefined;
  isReadOnly: boolean;
  /** The mode of the workspace, which holds for calls that are not `read_only` of tools without a setting. */
  workspace: ApprovalMode;
  /** The policies that hold for the call. They may only be stricter than the setting. */
  policies: (ApprovalMode | undefined)[];
  /** Whether the arguments match an `approvalWhen`, which asks and never lets a call run that asks without it. */
  matches: boolean;
}

/** Returns the strictest of the modes that hold for a call. */
export function toApprovalMode({
  setting,
  isReadOnly,
  workspace,
  policies,
  matches,
}: ApprovalSources): ApprovalMode {
  const own = setting ?? (isReadOnly ? 'never' : workspace);
  const modes = [own, matches ? 'ask' : 'never', ...policies.filter((mode) => mode !== undefined)];
  return approvalModes.findLast((mode) => modes.includes(mode)) ?? 'never';
}

/** The sentence that the model gets for a call that a person has rejected. */
export function toRejectedMessage(tool: string, reason: string | null): string {
  const said = reason === null ? 'A person declined this call.' : `A person declined: ${asSentence(reason)}`;
  return `${said} ${tool} was not run. Do not call it again with the same arguments.`;
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
