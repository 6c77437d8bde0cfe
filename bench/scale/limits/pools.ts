import { readFileSync } from 'node:fs';
import pg from 'pg';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { createConversations, storeMessage } from './conversation-lock.ts';
import { measureRate, type LimitLab, type LimitTable } from './experiment.ts';

const atOnce = 64;
const poolSizes = [1, 2, 5, 10, 20, 40];
const idleCounts = [0, 100, 400];

/** Stores messages over pools of several sizes: more sessions than Postgres has work for gain nothing. */
export async function measurePools(lab: LimitLab): Promise<LimitTable> {
  const ids = await createConversations(lab, 1000);
  const lines: string[][] = [];
  for (const poolSize of poolSizes) {
    const database = connectDatabase({ url: lab.databaseUrl, poolSize });
    let next = 0;
    const run = () => storeMessage({ ...lab, database }, ids[next++ % ids.length] ?? '');
    const { perSecond, postgresMs } = await measureRate(lab, { sessions: atOnce, run });
    await database.close();
    lines.push([`pool of ${poolSize}`, perSecond.toFixed(0), postgresMs.toFixed(2)]);
  }
  return {
    title: `Pools: ${atOnce} messages at once, each to a conversation of its own`,
    header: ['', 'messages/s', 'Postgres CPU-ms each'],
    lines,
  };
}

/** Stores messages beside sessions that do nothing. Each of them has run the statement once, as those of a pool have. */
export async function measureIdleSessions(lab: LimitLab): Promise<LimitTable> {
  const ids = await createConversations(lab, 1000);
  const lines: string[][] = [];
  for (const count of idleCounts) {
    const idle = await openSessions(lab.databaseUrl, count);
    let next = 0;
    const run = () => storeMessage(lab, ids[next++ % ids.length] ?? '');
    const { perSecond, postgresMs } = await measureRate(lab, { sessions: 10, run });
    const memory = idle.length === 0 ? '-' : (sumMemory(idle) / idle.length).toFixed(1);
    await Promise.all(idle.map(({ client }) => client.end()));
    lines.push([`${count} idle`, perSecond.toFixed(0), postgresMs.toFixed(2), memory]);
  }
  return {
    title: 'Idle sessions beside 10 that store messages',
    header: ['', 'messages/s', 'Postgres CPU-ms each', 'MiB of an idle session'],
    lines,
  };
}

interface IdleSession {
  client: pg.Client;
  pid: number;
}

function openSessions(url: string, count: number): Promise<IdleSession[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query('SET ROLE holdfast_system');
      await client.query('SELECT count(*) FROM turns t JOIN messages m ON m.turn_id = t.id WHERE t.id = $1', [
        '00000000-0000-7000-8000-000000000000',
      ]);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return { client, pid: rows[0]?.pid ?? 0 };
    }),
  );
}

/** Adds up what belongs to each process alone, in MiB. */
function sumMemory(sessions: IdleSession[]): number {
  return sessions.reduce((sum, { pid }) => sum + readOwnMemory(pid), 0);
}

function readOwnMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = ['Private_Clean', 'Private_Dirty'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? NaN),
  );
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024;
}
