import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { notedTool } from './noting-tool.ts';
import type { WaitingStage } from './waiting-stage.ts';

/** How many turns are on their way to waiting at a time. */
const inFlight = 24;
const pollMs = 100;
const sayEvery = 1_000;

/** Starts a turn whose call waits for an approval; the tag is the argument of the call. */
export async function startTurn({ client, seed }: WaitingStage, execution: ExecutionMode, tag: string) {
  const conversation = await client.conversations.create({ agentId: seed.agentIds[execution] });
  const message = JSON.stringify({ name: notedTool.name, arguments: { tag } });
  return client.turns.start({ conversationId: conversation.id, message });
}

/** Starts turns, half of them in each execution mode, until `count` of them wait. */
export async function startWaiting(
  stage: WaitingStage,
  database: pg.Client,
  { count, tag, say }: { count: number; tag: string; say: (line: string) => void },
): Promise<void> {
  const before = await countWaiting(database);
  let started = 0;
  let waiting = 0;
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async () => {
    for (const number of numbers) {
      while (started - waiting >= inFlight) await sleep(pollMs);
      started += 1;
      await startTurn(stage, executionModes[number % executionModes.length] ?? 'direct', `${tag}-${number}`);
    }
  };
  const running = Promise.all(Array.from({ length: inFlight / 4 }, lane));
  for (let said = 0; waiting < count;) {
    await Promise.race([sleep(pollMs), running.then(() => sleep(pollMs))]);
    waiting = (await countWaiting(database)) - before;
    if (waiting - said < sayEvery) continue;
    said = waiting;
    say(`  ${waiting} turns wait`);
  }
  await running;
}

async function countWaiting(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM turns WHERE status = 'waiting_for_approval'`,
  );
  return Number(rows[0]?.count);
}

/** Waits until the sweeper has checked every turn that waits: once soon after the wait began, and then every hour. */
export async function waitUntilSwept(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ left: string }>(
      `SELECT count(*) AS left FROM turns WHERE status = 'waiting_for_approval' AND swept_at IS NULL`,
    );
    if (Number(rows[0]?.left) === 0) return;
    await sleep(1_000);
  }
}
