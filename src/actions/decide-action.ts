import { isDeepStrictEqual } from 'node:util';
import { createActionRepository } from '../db/actions/action-repository.ts';
import { toPendingAction, type ActionRow, type LockedAction } from '../db/actions/action-rows.ts';
import type { DecisionInput, PendingAction } from '../domain/action.ts';
import type { Principal } from '../domain/api-key.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../domain/errors.ts';
import type { JsonValue } from '../domain/json.ts';
import { toStorableJson } from '../domain/storable.ts';
import { toApprovalHash } from './approval-hash.ts';
import type { ActionDependencies } from './action-dependencies.ts';
import { checkAnswer, refuseWrongDecision } from './check-answer.ts';

/** The workspace, the key and the scopes of the program that decides; null for a decision that came through Temporal. */
type Deciding = Pick<Principal, 'workspaceId'> & {
  apiKeyId: string | null;
  scopes: Principal['scopes'] | null;
};

/**
 * Decides an action once, and tells the turn that waits for it. The same decision again answers the same.
 * @throws HoldfastError `NOT_FOUND`, `ACTION_DECIDED`, `INVALID_INPUT` for a decision of another kind, for arguments that
 * do not fit the tool, and for an answer that does not fit its question, `FORBIDDEN` for approvals without their scope
 */
export async function decideAction(
  dependencies: ActionDependencies,
  principal: Deciding,
  { id, input }: { id: string; input: DecisionInput },
): Promise<PendingAction> {
  const { database, notifier, tellDecision, logger } = dependencies;
  const { workspaceId } = principal;
  const action = await database.transact(workspaceId, async (query) => {
    const actions = createActionRepository(query);
    const locked = await actions.lock(id);
    if (!locked) throw new HoldfastError('NOT_FOUND', `There is no action ${id}.`);
    refuseWrongDecision(locked, principal.scopes, input);
    if (locked.status !== 'pending' || locked.is_expired) return toRepeated(locked, input);
    return actions.decide(await toDecision(dependencies, principal, { locked, input }));
  });
  notifier.events(action.conversation_id);
  // A turn that could not be told is told again by the sweeper.
  await tellDecision(action.turn_id, action.id).catch((error: unknown) =>
    logger.warn({ err: error, turnId: action.turn_id }, 'the decision is stored, but the turn was not told'),
  );
  return toPendingAction(action);
}

interface DecisionParts {
  locked: LockedAction;
  input: DecisionInput;
}

async function toDecision(
  { checksOf }: ActionDependencies,
  { workspaceId, apiKeyId }: Deciding,
  { locked, input }: DecisionParts,
) {
  const changed = toChanged(input);
  if (input.decision === 'answer') await checkAnswer(checksOf(workspaceId), locked, input);
  if (changed) refuseWrong(await checksOf(workspaceId).checkSchema(locked.definition.schema, changed));
  return {
    actionId: locked.id,
    status: toStatus(input),
    decidedBy: { apiKeyId, actingFor: input.actingFor ?? null },
    reason: input.reason ?? null,
    approvedArguments: changed,
    ...toAnswer(input),
    hash: changed ? toApprovalHash({ tool: locked.definition, arguments: changed }) : locked.hash,
  };
}

function refuseWrong(wrong: FieldError[]): void {
  if (wrong.length === 0) return;
  throw createInvalidInput(
    wrong.map(({ field, message }) => ({
      field: field === '' ? 'arguments' : `arguments.${field}`,
      message,
    })),
  );
}

function toRepeated(action: LockedAction, input: DecisionInput): ActionRow {
  const isSame =
    action.status === toStatus(input) &&
    action.reason === (input.reason ?? null) &&
    isDeepStrictEqual(action.approved_arguments, toChanged(input)) &&
    isSameAnswer(action, toAnswer(input));
  if (isSame) return action;
  const status = action.status === 'pending' ? 'expired' : action.status;
  throw new HoldfastError('ACTION_DECIDED', `The action is ${status} already.`, {
    details: {
      status,
      decidedBy: action.decided_by && { ...action.decided_by },
      decidedAt: (action.decided_at ?? action.expires_at).toISOString(),
    },
  });
}

const statuses = { approve: 'approved', reject: 'rejected', answer: 'answered' } as const;

function toStatus({ decision }: DecisionInput) {
  return statuses[decision];
}

/** The answer as it is stored. */
function toAnswer(input: DecisionInput): { answer: JsonValue; isError: boolean } | undefined {
  if (input.decision !== 'answer') return undefined;
  return { answer: JSON.parse(toStorableJson(input.answer)) as JsonValue, isError: input.isError ?? false };
}

function isSameAnswer({ answer, is_error }: ActionRow, given: ReturnType<typeof toAnswer>): boolean {
  return (
    isDeepStrictEqual(answer, given?.answer ?? null) && (is_error ?? false) === (given?.isError ?? false)
  );
}

/** The arguments as they are stored; null when nobody has changed them. */
function toChanged(input: DecisionInput) {
  if (input.decision !== 'approve' || !input.arguments) return null;
  return JSON.parse(toStorableJson(input.arguments)) as typeof input.arguments;
}
