import { createHash } from 'node:crypto';
import {
  createForkRepository,
  type ForkedTurn,
  type ForkVersion,
  type StoredFork,
} from './fork-repository.ts';
import { conversationNotFound } from '../turn-rows.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { toActorRef } from '../../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import type { ForkInput } from './fork.ts';
import { newId, toForkedTurnId, toForkId } from '../../../platform/lib/ids.ts';
import { requireFiles } from '../conversations/claim-conversation.ts';
import { requireSameRequest } from '../../workspaces/repeated-request.ts';
import { requireSeen } from '../../workspaces/require-seen.ts';
import { checkForkedTurn, checkForkInput } from './check-fork.ts';
import { startStoredTurn } from '../start-stored-turn.ts';
import { toForkValues } from './to-fork-values.ts';
import type { TurnDependencies, TurnStarter } from '../turn-dependencies.ts';

/** A conversation to fork, and the key under which repeated requests find the same fork. */
export interface ForkRequest {
  parentId: string;
  input: ForkInput;
  idempotencyKey?: string | undefined;
}

/**
 * Stores a copy of the beginning of a conversation, and starts the turn that continues from there. A stored turn is not lost
 * when its start fails: the sweeper starts it.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `TURN_RUNNING` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function forkConversation(
  dependencies: TurnDependencies,
  starter: TurnStarter,
  request: ForkRequest,
): Promise<Omit<StoredFork, 'start'> & { accepted: boolean }> {
  checkForkInput(request.input);
  const { accepted, start, ...stored } = await storeFork(dependencies, starter, request);
  dependencies.notifier.events(stored.conversation.id);
  if (start) await startStoredTurn(dependencies, start);
  return { ...stored, accepted };
}

async function storeFork(
  { database }: Pick<TurnDependencies, 'database'>,
  starter: TurnStarter,
  request: ForkRequest,
): Promise<StoredFork & { accepted: boolean }> {
  const { workspaceId } = starter;
  const { idempotencyKey: key, parentId } = request;
  await requireSeen(database, starter, { kind: 'conversation', id: parentId });
  await requireFiles(database, starter, request.input.message);
  const forkId = key === undefined ? newId() : toForkId(workspaceId, key);
  const find = () => findRepeated({ database }, starter, { forkId, hash: toHash(request) });
  const repeated = key === undefined ? null : await find();
  if (repeated) return repeated;
  try {
    const stored = await database.transact(workspaceId, async (query) => {
      const forks = createForkRepository(query);
      const forkPoint = await findForkPoint(forks, request);
      const missing = await forks.findMissingFiles(request.input.message ?? '');
      if (missing) throw missing;
      const startedBy = toActorRef(starter, request.input.actingFor);
      const values = toForkValues({ ...request, ...forkPoint, forkId, hash: toHash(request), startedBy });
      return forks.storeFork(values);
    });
    return { ...stored, accepted: true };
  } catch (error) {
    // The same request has stored the fork at the same moment.
    const other = isUniqueViolation(error) ? await find() : null;
    if (other) return other;
    throw error;
  }
}

async function findRepeated(
  { database }: Pick<TurnDependencies, 'database'>,
  starter: TurnStarter,
  { forkId, hash }: { forkId: string; hash: string },
): Promise<(StoredFork & { accepted: boolean }) | null> {
  const found = await database.pipelined(starter.workspaceId, (query) =>
    createForkRepository(query).findFork(forkId, toForkedTurnId(forkId)),
  );
  if (!found) return null;
  const { person } = found.conversation;
  const details = { conversationId: forkId };
  requireSameRequest(starter, { thing: 'fork', person, isSame: found.hash === hash, details });
  if (found.isDeleted) throw new HoldfastError('CONFLICT', 'The fork of this Idempotency-Key was deleted.');
  const { conversation, turn, start } = found;
  return { conversation, turn, start, accepted: false };
}

/** The turn that is forked, and the agent version that runs from there. */
interface ForkPoint {
  forked: ForkedTurn;
  version: ForkVersion;
}

async function findForkPoint(
  forks: ReturnType<typeof createForkRepository>,
  { parentId, input }: ForkRequest,
): Promise<ForkPoint> {
  if (!(await forks.lockParent(parentId))) throw conversationNotFound(parentId);
  const forked = await forks.findForkedTurn(parentId, input.turnId);
  if (!forked)
    throw new HoldfastError('NOT_FOUND', `The conversation ${parentId} has no turn ${input.turnId}.`);
  checkForkedTurn(forked, input);
  const version = await forks.findVersion(input.agentVersionId ?? forked.turn.agentVersionId);
  if (!version)
    throw createInvalidInput([
      {
        field: 'agentVersionId',
        message: `expected the id of an agent version, found ${input.agentVersionId ?? ''}`,
      },
    ]);
  if (input.run && input.tools === 'live' && version.agentId !== forked.turn.agentId)
    throw createInvalidInput([
      {
        field: 'agentVersionId',
        message: `expected a version of the agent ${forked.turn.agentId}, since the tool calls are live`,
      },
    ]);
  if (version.isDeleted)
    throw new HoldfastError('CONFLICT', 'The agent was deleted. Send the "agentVersionId" of another agent.');
  return { forked, version };
}

function toHash({ parentId, input }: ForkRequest): string {
  const { turnId, iteration, message, toolResults, agentVersionId, tools, run, actingFor } = input;
  const results = toolResults?.map(({ toolCallId, result }) => [toolCallId, result]);
  const parts = [parentId, turnId, iteration, message, results, agentVersionId, tools, run, actingFor];
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('hex');
}
