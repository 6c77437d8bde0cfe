import type { PendingAction } from '../../api/types.ts';
import type { ActionLog } from '../conversation-log.ts';

type Request = 'id' | 'kind' | 'tool' | 'target' | 'arguments' | 'askedBecause' | 'canRemember';
type Question = 'question' | 'schema' | 'options' | 'url';

/** What a turn waits for, with all that a person needs to decide. */
export type AskedAction = Pick<PendingAction, Request | Question>;

/** How an action ended, and who has decided what. */
export type DecidedAction = Pick<
  PendingAction,
  'kind' | 'status' | 'arguments' | 'decidedBy' | 'reason' | 'approvedArguments'
>;

/** Returns the action of a log. Events leave out the tool behind a gateway, and whether an approval can be remembered. */
export function toAskedAction({ id, requested }: ActionLog): AskedAction {
  const { kind, name, askedBecause = [], question = null, schema = null, options = null } = requested;
  return {
    ...{ id, kind, tool: name, target: null, arguments: requested.arguments, askedBecause },
    ...{ canRemember: false, question, schema, options, url: requested.url ?? null },
  };
}

/** Returns how the action of a log ended. */
export function toDecidedAction({ requested, status, decision }: ActionLog): DecidedAction {
  const { decidedBy = null, reason = null, approvedArguments = null } = decision ?? {};
  const { kind, arguments: given } = requested;
  return { kind, status, arguments: given, decidedBy, reason, approvedArguments };
}

/** Says in a sentence what an action asks for. */
export function toRequestText({ kind, question, askedBecause }: AskedAction): string {
  if (kind === 'client_tool') return 'Waits for the program that runs this tool.';
  if (kind === 'question') return question ?? 'Asks a question.';
  if (askedBecause.length === 0) return 'Waits for a person to approve.';
  return `Asks because ${askedBecause.join(' and ')}.`;
}
