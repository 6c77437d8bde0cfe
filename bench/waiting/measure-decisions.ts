import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { startTurn } from './start-waiting.ts';
import type { WaitingStage } from './waiting-stage.ts';

const pollMs = 5;

/** An action that a turn waits for. */
interface WaitedAction {
  id: string;
  turnId: string;
  tag: string;
}

const columns = `a.id, a.turn_id AS "turnId", a.arguments ->> 'tag' AS tag`;

/** Milliseconds from the sending of an approval to the call of the tool, for turns that have waited for long. */
export async function measureLongWaits(
  stage: WaitingStage,
  database: pg.Client,
  { execution, count }: { execution: ExecutionMode; count: number },
): Promise<number[]> {
  const { rows } = await database.query<WaitedAction>(
    `SELECT ${columns} FROM pending_actions a JOIN turns t ON t.id = a.turn_id
     WHERE a.status = 'pending' AND t.status = 'waiting_for_approval' AND t.agent_id = $1 ORDER BY random() LIMIT $2`,
    [stage.seed.agentIds[execution], count],
  );
  const times: number[] = [];
  for (const action of rows) times.push(await measureDecision(stage, database, action));
  return times;
}

/** As `measureLongWaits`, for new turns whose calls are approved as soon as they wait. */
export async function measureShortWaits(
  stage: WaitingStage,
  database: pg.Client,
  { execution, count }: { execution: ExecutionMode; count: number },
): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await startTurn(stage, execution, `short-${execution}-${number}`);
    times.push(await measureDecision(stage, database, await waitForAction(database, id)));
  }
  return times;
}

async function measureDecision(
  { client, tool }: WaitingStage,
  database: pg.Client,
  { id, turnId, tag }: WaitedAction,
): Promise<number> {
  const called = tool.called(tag);
  const sentAt = performance.now();
  const [calledAt] = await Promise.all([called, client.pendingActions.decide(id, { decision: 'approve' })]);
  // The rest of the turn is no part of the next measurement.
  while (!(await isSettled(database, turnId))) await sleep(pollMs);
  return calledAt - sentAt;
}

async function waitForAction(database: pg.Client, turnId: string): Promise<WaitedAction> {
  for (;;) {
    const { rows } = await database.query<WaitedAction>(
      `SELECT ${columns} FROM pending_actions a JOIN turns t ON t.id = a.turn_id
       WHERE a.turn_id = $1 AND t.status = 'waiting_for_approval'`,
      [turnId],
    );
    if (rows[0]) return rows[0];
    await sleep(pollMs);
  }
}

async function isSettled(database: pg.Client, turnId: string): Promise<boolean> {
  const { rows } = await database.query<{ settled: boolean }>(
    'SELECT settled_at IS NOT NULL AS settled FROM turns WHERE id = $1',
    [turnId],
  );
  return rows[0]?.settled === true;
}
