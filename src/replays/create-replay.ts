import { createAuditLog } from '../db/audit/audit-log.ts';
import { createPriceRepository } from '../db/credits/price-repository.ts';
import { insertReplay } from '../db/replays/replay-repository.ts';
import { toActorRef, type Actor } from '../domain/actor.ts';
import { authorize } from '../domain/authorize.ts';
import { createInvalidInput, type FieldError } from '../domain/errors.ts';
import type { Replay, ReplayInput } from '../domain/replay.ts';
import { newId } from '../lib/ids.ts';
import { findMissing } from './find-missing.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { startStoredReplay } from './start-stored-replay.ts';

/** Who starts a replay: a caller with its scopes, or a program of the operator, which has them all. */
export type ReplayStarter = Pick<Actor, 'workspaceId'> &
  Partial<Pick<Actor, 'apiKeyId' | 'actsFor'>> &
  (Pick<Actor, 'scopes'> | { isTrusted: true });

/** A replay hands the texts of conversations to a model that the caller names. */
function refuseUnreadable(starter: ReplayStarter): void {
  if ('isTrusted' in starter) return;
  authorize(starter, 'replays.run');
}

/**
 * Stores a replay and starts its workflow. A start that fails is made up for by the sweeper.
 * @throws HoldfastError `INVALID_INPUT` for a candidate that cannot be run, `FORBIDDEN` without `conversations:read`
 */
export async function createReplay(
  dependencies: ReplayDependencies,
  starter: ReplayStarter,
  { replayId = newId(), ...input }: ReplayInput & { /** @default a new id */ replayId?: string },
): Promise<Replay> {
  const { workspaceId } = starter;
  refuseUnreadable(starter);
  const wrong = [...checkModels(dependencies, input), ...checkAgent(dependencies, input)];
  if (wrong.length > 0) throw createInvalidInput(wrong);
  const replay = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const missing = await findMissing(trx, input);
    if (missing.length > 0) throw createInvalidInput(missing);
    await createAuditLog(trx).record({
      ...{ type: 'replay.started', subjectId: replayId },
      payload: { name: input.name, toolAnswers: input.toolAnswers, onMiss: input.onMiss },
    });
    const own = await createPriceRepository(trx).getPrices();
    const priced = { ...input, prices: { ...own.prices, ...input.prices } };
    return insertReplay(trx, { id: replayId, input: priced, startedBy: toActorRef(starter, undefined) });
  });
  await startStoredReplay(dependencies, { workspaceId, replayId });
  return replay;
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
  const isLive = onMiss === 'live_if_read_only' || Object.values(toolAnswers).includes('live');
  return [
    ...(agentVersionId === undefined
      ? []
      : [{ field, message: 'expected either an agent or agentVersionId, found both' }]),
    ...(isLive
      ? [{ field, message: 'expected answers from recordings: live calls need an agent that is pushed' }]
      : []),
    ...checkTools(agent.tools).map((one) => ({ ...one, field: `${field}.tools.${one.field}` })),
  ];
}
