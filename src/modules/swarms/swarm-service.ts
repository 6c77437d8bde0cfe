import { createSwarmRepository } from './swarm-repository.ts';
import { createSwarmTurnRepository } from './turns/swarm-turn-repository.ts';
import { hasEnded, type SwarmDetails } from '../../domain/swarm.ts';
import { isSettled } from '../../domain/turn-status.ts';
import { toSwarmId } from '../../platform/lib/ids.ts';
import { pollUntil } from '../../platform/lib/poll-until.ts';
import type { SwarmCaller, SwarmService } from '../../engines/tools/functions/swarm-service.ts';
import type { SwarmRef } from './swarm-contract.ts';
import { createStateNotFound, createTooLate } from './state/conversation-state.ts';
import { createSwarm } from './create-swarm.ts';
import { endSwarm } from './end-swarm.ts';
import { readSwarm } from './read-swarm.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { updateSwarmState } from './update-swarm-state.ts';

/** How often a swarm is read whose end a call waits for, in milliseconds. */
const pollMs = 300;

/** Builds the use cases of swarms that agents call. */
export function createSwarmService(dependencies: SwarmDependencies): SwarmService {
  return {
    spawn: async (caller, input, wait) => {
      const { workspaceId, idempotencyKey, turnId, conversationId, inheritsRules } = caller;
      const swarmId = toSwarmId(workspaceId, idempotencyKey);
      const order = { swarmId, input, startedBy: null, turn: { turnId, conversationId, inheritsRules } };
      const { swarm } = await createSwarm(dependencies, { workspaceId }, order);
      if (wait.waitMs <= 0) return swarm;
      const ref = { workspaceId, swarmId };
      return waitUntil(dependencies, { ref, ...wait }, ({ status }) => hasEnded(status));
    },
    find: (caller, swarmId) => findSwarm(dependencies, caller, swarmId),
    update: ({ workspaceId, idempotencyKey: key }, swarmId, change) =>
      updateSwarmState(dependencies, { workspaceId, swarmId }, { change, key, createTooLate }),
    end: async ({ workspaceId, turnId, idempotencyKey: key }, swarmId, { mode, reason, ...wait }) => {
      const ref = { workspaceId, swarmId };
      const isLeader = (await findCallerSubtask(dependencies, ref, turnId)) === null;
      const endsAs = isLeader && mode === 'graceful' ? ('completed' as const) : ('ended' as const);
      await endSwarm(dependencies, ref, { mode, reason, endsAs, call: { turnId, key } });
      const areOthersOver = () => hasNoOtherTurns(dependencies, ref, turnId);
      return waitUntil(dependencies, { ref, ...wait }, areOthersOver);
    },
  };
}

async function findSwarm(
  { database }: SwarmDependencies,
  { workspaceId, turnId, conversationId }: SwarmCaller,
  swarmId: string | undefined,
): Promise<string> {
  const [own, named] = await database.pipelined(workspaceId, (query) =>
    Promise.all([
      createSwarmTurnRepository(query).findSwarmId({ turnId, conversationId }),
      swarmId === undefined ? null : createSwarmRepository(query).findSwarm(swarmId),
    ]),
  );
  const isOwn = own !== null && (swarmId === undefined || swarmId === own);
  if (isOwn) return own;
  const isInside = own !== null && named?.lineage.includes(own);
  if (named && (named.parent_conversation_id === conversationId || isInside)) return named.id;
  throw createStateNotFound(
    swarmId === undefined
      ? 'this conversation is not part of a swarm.'
      : `this conversation has nothing to do with a swarm ${swarmId}.`,
  );
}

/** The subtask of a turn of the swarm; null for a turn of its leader, undefined for one that is not of the swarm. */
async function findCallerSubtask(
  { database }: SwarmDependencies,
  { workspaceId, swarmId }: SwarmRef,
  turnId: string,
): Promise<string | null | undefined> {
  const open = await database.pipelined(workspaceId, (query) =>
    createSwarmTurnRepository(query).listOpen(swarmId),
  );
  return open.find((turn) => turn.turnId === turnId)?.subtaskId;
}

async function hasNoOtherTurns(
  { database }: SwarmDependencies,
  { workspaceId, swarmId }: SwarmRef,
  turnId: string,
): Promise<boolean> {
  const open = await database.pipelined(workspaceId, (query) =>
    createSwarmTurnRepository(query).listOpen(swarmId),
  );
  return open.every((turn) => turn.turnId === turnId || isSettled(turn.status));
}

interface Waiting {
  ref: SwarmRef;
  waitMs: number;
  signal: AbortSignal;
}

/** Reads a swarm until something is true of it or the time is over. @throws the reason of the signal when it is aborted */
async function waitUntil(
  dependencies: SwarmDependencies,
  { ref, waitMs, signal }: Waiting,
  isOver: (swarm: SwarmDetails) => boolean | Promise<boolean>,
): Promise<SwarmDetails> {
  const polling = { waitMs, everyMs: pollMs, signal };
  const swarm = await pollUntil(() => readSwarm(dependencies, ref), isOver, polling);
  signal.throwIfAborted();
  return swarm;
}
