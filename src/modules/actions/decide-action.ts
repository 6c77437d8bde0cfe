import { isDeepStrictEqual } from 'node:util';
import { createActionRepository } from './action-repository.ts';
import { createGrantedCalls } from './granted-calls.ts';
import { createGrantRepository } from './grant-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { toPendingAction, type ActionRow, type LockedAction } from './action-rows.ts';
import type { DecisionInput, PendingAction } from '../../domain/action.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { withDefaults } from '../../domain/question.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toApprovalHash } from './approval-hash.ts';
import type { ActionDependencies } from './action-dependencies.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { checkApprover } from './approver-check.ts';
import { checkAnswer, refuseWrongDecision } from './check-answer.ts';
import { isSameGrant, rememberApproval } from './remember-approval.ts';

/** How many turns are notified at the same time. */
const groupSize = 50;

/**
 * Decides an action once, and notifies the turn that waits for it. The same decision again returns the same result. A
 * remembered approval also decides the pending actions that it covers.
 * @throws HoldfastError `NOT_FOUND`, `ACTION_DECIDED`, `INVALID_INPUT` for a decision of another kind, for arguments that
 * do not fit the tool, for an answer that does not fit its question, and for an approval that cannot be remembered,
 * `FORBIDDEN` for approvals without their scope, `NOT_AN_APPROVER`, `SELF_APPROVAL_REFUSED`
 */
export async function decideAction(
  dependencies: ActionDependencies,
  actor: Actor,
  decision: { id: string; input: DecisionInput },
): Promise<PendingAction> {
  const findDeciders: FindDeciders = () => Promise.resolve([actor]);
  await requireSeen(dependencies.database, actor, { kind: 'action', id: decision.id });
  return decideActionAs(dependencies, { workspaceId: actor.workspaceId, findDeciders }, decision);
}

/** Finds who decides, in the transaction of the decision. The first decides; all others have to be allowed to as well. */
export type FindDeciders = (query: Query) => Promise<[Actor, ...Actor[]]>;

/** As `decideAction`, for actors who are known in the transaction only. @throws HoldfastError as that, and `findDeciders` */
export async function decideActionAs(
  dependencies: ActionDependencies,
  { workspaceId, findDeciders }: { workspaceId: string; findDeciders: FindDeciders },
  { id, input }: { id: string; input: DecisionInput },
): Promise<PendingAction> {
  const remember = toRemember(input);
  const { action, released } = await dependencies.database.transact(workspaceId, async (query) => {
    const [actor, ...others] = await findDeciders(query);
    if (remember) await createGrantedCalls(query).lockForRemembering({ actionId: id, scope: remember.scope });
    const actions = createActionRepository(query);
    const locked = await actions.lock(id);
    if (!locked) throw new HoldfastError('NOT_FOUND', `There is no action ${id}.`);
    refuseWrongDecision(locked, actor, input);
    const approver = checkApprover(locked, actor, input.actingFor);
    for (const other of others) checkApprover(locked, other, input.actingFor);
    if (locked.status !== 'pending' || locked.is_expired) {
      return { action: await toRepeated(query, locked, input), released: [] };
    }
    const decision = await toDecision(dependencies, actor, { locked, input });
    const approved = decision.approvedArguments ?? locked.arguments;
    const remembered = { workspaceId, action: locked, approved, approver };
    const waiting = remember ? await rememberApproval(query, { ...remembered, remember }) : [];
    return { action: await actions.decide(decision), released: waiting };
  });
  await notifyTurns(dependencies, [action]);
  // Not awaited: there may be thousands, and the sweeper notifies the turns that this process does not.
  void notifyTurns(dependencies, released);
  return toPendingAction(action);
}

interface DecisionParts {
  locked: LockedAction;
  input: DecisionInput;
}

async function toDecision({ checksOf }: ActionDependencies, actor: Actor, { locked, input }: DecisionParts) {
  const { workspaceId } = actor;
  const changed = toChanged(input);
  const given = toAnswer(locked, input);
  if (given) await checkAnswer(checksOf(workspaceId), locked, given);
  if (changed) refuseOtherTarget(locked, changed);
  if (changed) refuseWrong(await checksOf(workspaceId).checkSchema(locked.definition.schema, changed));
  return {
    actionId: locked.id,
    status: toStatus(input),
    decidedBy: toActorRef(actor, input.actingFor),
    reason: input.reason ?? null,
    approvedArguments: changed,
    ...given,
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

/** A person may change the arguments of a tool behind a gateway, and not which tool is called there. */
function refuseOtherTarget({ target, arguments: proposed }: LockedAction, changed: JsonObject): void {
  if (target === null || isDeepStrictEqual({ ...changed, args: null }, { ...proposed, args: null })) return;
  const message = `expected a call of ${target}, of which only "args" may be changed`;
  throw createInvalidInput([{ field: 'arguments', message }]);
}

async function toRepeated(query: Query, action: LockedAction, input: DecisionInput): Promise<ActionRow> {
  const isSame =
    action.status === toStatus(input) &&
    action.reason === (input.reason ?? null) &&
    isDeepStrictEqual(action.approved_arguments, toChanged(input)) &&
    isSameAnswer(action, toAnswer(action, input)) &&
    isSameGrant(await createGrantRepository(query).findOfAction(action.id), toRemember(input));
  if (isSame) return action;
  const status = action.status === 'pending' ? 'expired' : action.status;
  throw new HoldfastError('ACTION_DECIDED', `The action is ${status} already.`, {
    details: {
      status,
      decidedBy: action.decided_by && (JSON.parse(JSON.stringify(action.decided_by)) as JsonObject),
      decidedAt: (action.decided_at ?? action.expires_at).toISOString(),
    },
  });
}

const statuses = { approve: 'approved', reject: 'rejected', answer: 'answered' } as const;

function toStatus({ decision }: DecisionInput) {
  return statuses[decision];
}

/** The answer as it is stored, with the defaults of its question. */
function toAnswer({ schema }: LockedAction, input: DecisionInput) {
  if (input.decision !== 'answer') return undefined;
  const answer = JSON.parse(toStorableJson(withDefaults(schema, input.answer))) as JsonValue;
  return { answer, isError: input.isError ?? false };
}

function isSameAnswer({ answer, is_error }: ActionRow, given: ReturnType<typeof toAnswer>): boolean {
  return (
    isDeepStrictEqual(answer, given?.answer ?? null) && (is_error ?? false) === (given?.isError ?? false)
  );
}

/** The arguments as they are stored; null when they were not changed. */
function toChanged(input: DecisionInput) {
  if (input.decision !== 'approve' || !input.arguments) return null;
  return JSON.parse(toStorableJson(input.arguments)) as typeof input.arguments;
}

/** The remembered approval, as it is stored. */
function toRemember(input: DecisionInput) {
  if (input.decision !== 'approve' || !input.remember) return undefined;
  return JSON.parse(toStorableJson(input.remember)) as typeof input.remember;
}

/** Notifies turns and the readers of their conversations of decisions. The sweeper notifies a turn that this cannot reach. */
async function notifyTurns(
  { notifier, notifyDecision, logger }: Pick<ActionDependencies, 'notifier' | 'notifyDecision' | 'logger'>,
  actions: Pick<ActionRow, 'id' | 'turn_id' | 'conversation_id'>[],
): Promise<void> {
  for (const { conversation_id: conversationId } of actions) notifier.events(conversationId);
  for (let start = 0; start < actions.length; start += groupSize) {
    await Promise.all(
      actions
        .slice(start, start + groupSize)
        .map(({ id, turn_id: turnId }) =>
          notifyDecision(turnId, id).catch((error: unknown) =>
            logger.warn({ err: error, turnId }, 'the decision is stored, but the turn was not told'),
          ),
        ),
    );
  }
}
