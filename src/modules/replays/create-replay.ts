import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createPriceRepository } from '../credits/price-repository.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { insertReplay } from './replay-repository.ts';
import { toActorRef, type Actor, type ActorRef, type Viewer } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput, type FieldError } from '../../domain/errors.ts';
import type { Replay, ReplayInput } from '../../domain/replay.ts';
import { newId } from '../../platform/lib/ids.ts';
import { asksForLive } from './asks-for-live.ts';
import { findMissing, findOtherAgents } from './compare/find-missing.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { startStoredReplay } from './start-stored-replay.ts';

/** A replay to start. */
interface ReplayOrder extends ReplayInput {
  /** @default a new id */
  replayId?: string;
  /** The last one who changed the schedule that starts it, besides its starter. @default null */
  changedBy?: ActorRef | null;
}

/**
 * Stores a replay and starts its workflow. When the start fails, the sweeper starts it.
 * @throws HoldfastError `INVALID_INPUT` for a candidate that cannot be run, `FORBIDDEN` without the right
 * to replays and to the texts of conversations, to live answers, or to the connections that it names
 */
export async function createReplay(
  dependencies: ReplayDependencies,
  actor: Viewer & Pick<Actor, 'scopes'> & Partial<Pick<Actor, 'apiKeyId'>>,
  { replayId = newId(), changedBy = null, ...input }: ReplayOrder,
): Promise<Replay> {
  const { workspaceId } = actor;
  authorize(actor, 'replays.run');
  const isLive = asksForLive(input);
  if (isLive) authorize(actor, 'replays.live', 'a replay with live answers');
  if (namesConnection(input)) authorize(actor, 'connections.use', 'a replay with a connection');
  const wrong = [...checkModels(dependencies, input), ...checkAgent(dependencies, input)];
  if (wrong.length > 0) throw createInvalidInput(wrong);
  const replay = await dependencies.database.inWorkspace(toRowScope(actor), async (trx) => {
    const missing = await findMissing(trx, input);
    if (missing.length > 0) throw createInvalidInput(missing);
    const other = isLive ? await findOtherAgents(trx, input) : [];
    if (other.length > 0) throw createInvalidInput(other);
    const startedBy = toActorRef(actor, undefined);
    await createAuditLog(trx).record({
      ...{ type: 'replay.started', subjectId: replayId },
      payload: { name: input.name, toolAnswers: input.toolAnswers, onMiss: input.onMiss },
      by: startedBy,
    });
    const own = await createPriceRepository(trx).getPrices();
    const priced = { ...input, prices: { ...own.prices, ...input.prices } };
    return insertReplay(trx, { id: replayId, input: priced, startedBy, changedBy });
  });
  await startStoredReplay(dependencies, { workspaceId, replayId });
  return replay;
}

function namesConnection({ candidate, judge }: ReplayInput): boolean {
  return [candidate, candidate.agent, judge].some((model) => model?.modelConnectionId != null);
}

function checkModels(
  { checkModelName }: ReplayDependencies,
  { candidate, judge }: ReplayInput,
): FieldError[] {
  const named = [
    {
      field: 'candidate.agent.model',
      model: candidate.agent?.model,
      connectionId: candidate.agent?.modelConnectionId,
    },
    { field: 'candidate.model', model: candidate.model, connectionId: candidate.modelConnectionId },
    { field: 'judge.model', model: judge?.model, connectionId: judge?.modelConnectionId },
  ];
  return named.flatMap(({ field, model, connectionId }) => {
    if (model === undefined) return [];
    const message = checkModelName(model, { hasConnection: connectionId != null });
    return message === null ? [] : [{ field, message }];
  });
}

/** The tools of an agent that is stored nowhere have not been accepted by the workspace, so that none of them is called. */
function checkAgent(
  { checkTools }: ReplayDependencies,
  { candidate: { agent, agentVersionId }, toolAnswers, onMiss }: ReplayInput,
): FieldError[] {
  if (!agent) return [];
  const field = 'candidate.agent';
  return [
    ...(agentVersionId === undefined
      ? []
      : [{ field, message: 'expected either an agent or agentVersionId, found both' }]),
    ...(asksForLive({ toolAnswers, onMiss })
      ? [{ field, message: 'expected answers from recordings: live calls need an agent that is pushed' }]
      : []),
    ...checkTools(agent.tools).map((one) => ({ ...one, field: `${field}.tools.${one.field}` })),
  ];
}
