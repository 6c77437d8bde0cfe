import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ExecutionMode } from '../../src/domain/agent.ts';

const pollMs = 100;
const retryMs = 300;

/** How long the last turns may take to settle: the time of a turn, and that of the sweeper; in milliseconds. */
const patienceMs = 240_000;

/** A turn that the API has accepted, or a swarm. */
export interface AcceptedTurn {
  id: string;
  /** The mark of the turn, which its tool calls carry. */
  order: string;
  execution: ExecutionMode;
  acceptedAt: number;
  /** Undefined for a turn that was not settled in time. */
  settledAt?: number;
}

/** Turns that are started while faults are injected. */
export interface Load {
  accepted: AcceptedTurn[];
  /** Starts no more turns, and waits until all that were accepted are settled. */
  stop: () => Promise<void>;
  /** The promises of this load alone that were broken for the turns of one execution mode, in words. @default none */
  check?: (turns: AcceptedTurn[]) => Promise<string[]>;
}

/** Repeats a request until it succeeds. Undefined when the signal is aborted before that. */
export async function repeat<Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    try {
      return await request();
    } catch {
      await sleep(retryMs);
    }
  }
  return undefined;
}

/** Waits for the end of a load, but not for turns that never settle. */
export async function withPatience(ended: Promise<unknown>): Promise<void> {
  await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })]);
}

/** Reads from the database when turns were settled, as soon as it answers. */
export function watchSettling(databaseUrl: string, accepted: AcceptedTurn[]) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  const waiting = new Map<string, () => void>();
  let isOpen = true;

  async function poll(): Promise<void> {
    const { rows } = await pool.query<{ id: string; at: Date }>(
      `SELECT id, settled_at AS at FROM turns WHERE id = ANY($1) AND settled_at IS NOT NULL
       UNION ALL SELECT id, settled_at FROM swarms WHERE id = ANY($1) AND settled_at IS NOT NULL`,
      [[...waiting.keys()]],
    );
    for (const { id, at } of rows) {
      const turn = accepted.find((one) => one.id === id);
      if (turn) turn.settledAt = at.getTime();
      waiting.get(id)?.();
      waiting.delete(id);
    }
  }

  const polling = (async () => {
    while (isOpen) {
      // The database may be unreachable.
      if (waiting.size > 0) await poll().catch(() => undefined);
      await sleep(pollMs);
    }
  })();
  return {
    settled: (turn: AcceptedTurn) => new Promise<void>((resolve) => waiting.set(turn.id, resolve)),
    close: async () => {
      isOpen = false;
      await polling;
      await pool.end();
    },
  };
}
