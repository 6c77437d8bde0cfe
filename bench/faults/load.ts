import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createHoldfastClient } from '../../src/client/create-holdfast-client.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import type { World } from './world.ts';

const lanes = 8;
const pauseMs = 500;
const pollMs = 100;
const retryMs = 300;

/** How long the last turns may take to settle: the time of a turn, and that of the sweeper; in milliseconds. */
const patienceMs = 240_000;

/** A turn that the API has accepted. */
export interface AcceptedTurn {
  id: string;
  /** The mark of the turn, which its tool calls carry. */
  order: string;
  execution: ExecutionMode;
  acceptedAt: number;
  /** Undefined for a turn that was not settled in time. */
  settledAt?: number;
}

/** Turns that are started one after the other in several lanes. */
export interface Load {
  accepted: AcceptedTurn[];
  /** Starts no more turns, and waits until all that were accepted are settled. */
  stop: () => Promise<void>;
}

/** Starts turns with the API, again and again under one key until each is accepted. */
export function startLoad(world: World, name: string): Load {
  const accepted: AcceptedTurn[] = [];
  const stopping = new AbortController();
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const watcher = watchSettling(world.databaseUrl, accepted);
  let count = 0;

  async function submit(order: string, execution: ExecutionMode): Promise<void> {
    const agentId = world.agentIds[execution];
    const conversation = await repeat(() => client.conversations.create({ agentId }), stopping.signal);
    if (!conversation) return;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    const turn = await repeat(() => client.turns.start(request), stopping.signal);
    if (!turn) return;
    const one = { id: turn.id, order, execution, acceptedAt: Date.now() };
    accepted.push(one);
    await watcher.settled(one);
  }

  const running = Array.from({ length: lanes }, async (_, lane) => {
    const execution = executionModes[lane % executionModes.length] ?? 'inspectable';
    while (!stopping.signal.aborted) {
      await submit(`${name}-${++count}`, execution);
      await sleep(pauseMs * Math.random() * 2);
    }
  });
  return {
    accepted,
    stop: async () => {
      stopping.abort();
      await Promise.race([Promise.all(running), sleep(patienceMs, undefined, { ref: false })]);
      await watcher.close();
    },
  };
}

/** Repeats a request until it succeeds. Undefined when the load ends before that. */
async function repeat<Result>(
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

/** Reads from the database when turns were settled, as soon as it answers. */
function watchSettling(databaseUrl: string, accepted: AcceptedTurn[]) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  const waiting = new Map<string, () => void>();
  let isOpen = true;

  async function poll(): Promise<void> {
    const { rows } = await pool.query<{ id: string; at: Date }>(
      'SELECT id, settled_at AS at FROM turns WHERE id = ANY($1) AND settled_at IS NOT NULL',
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
      // The database may be away.
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
