import { createTurnRepository } from './turn-repository.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { findStuck } from '../../platform/work/stuck-workflow-repository.ts';
import type { Viewer } from '../../domain/actor.ts';
import { authorizeViewer } from '../../domain/authorize.ts';
import type { LinkedTurn, Turn, TurnDetails } from '../../domain/turn.ts';
import { toWorkflowLink, type ToTemporalUrl } from '../../domain/workflow-link.ts';
import { toTurnWorkflowId } from '../../contract/submission.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

/**
 * Reads a turn with its tool calls. One that stands for a run of a routine shows the run.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function readTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<TurnDetails> {
  return (await readDetails(database, viewer, turnId)).turn;
}

/**
 * Reads a turn, as {@link readTurn} does, with the link to its workflow.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function readLinkedTurn(
  { database, toTemporalUrl }: Pick<TurnDependencies, 'database'> & { toTemporalUrl: ToTemporalUrl },
  viewer: Viewer,
  turnId: string,
): Promise<LinkedTurn> {
  const { turn, hasWorkflow } = await readDetails(database, viewer, turnId);
  const workflowId = hasWorkflow ? toTurnWorkflowId(turnId) : null;
  return { ...turn, ...toWorkflowLink({ toTemporalUrl }, viewer, workflowId) };
}

async function readDetails(database: TurnDependencies['database'], viewer: Viewer, turnId: string) {
  const [{ turn, hasWorkflow }, stuck, isRun] = await database.pipelined(toRowScope(viewer), (query) => {
    const turns = createTurnRepository(query);
    return Promise.all([turns.getTurnDetails(turnId), findStuck(query, turnId), turns.isRun(turnId)]);
  });
  if (isRun) authorizeViewer(viewer, 'routines.read');
  return { turn: turn.outcome === null ? { ...turn, ...stuck } : turn, hasWorkflow };
}

/**
 * Finds a turn, as {@link readTurn} does, without its tool calls.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function findTurn(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<Turn> {
  const [turn, isRun] = await database.pipelined(toRowScope(viewer), (query) => {
    const turns = createTurnRepository(query);
    return Promise.all([turns.getTurn(turnId), turns.isRun(turnId)]);
  });
  if (isRun) authorizeViewer(viewer, 'routines.read');
  return turn;
}
