import pg from 'pg';
import { newId } from '../../../src/platform/lib/ids.ts';
import { measureRate, type LimitLab, type LimitTable } from './experiment.ts';

const senders = 8;
const channel = 'scale_events';
const listeners = [
  ...[0, 1, 10, 100].map((count) => ({ count, to: channel, name: `${count} listeners` })),
  { count: 100, to: 'scale_stop', name: '100 listeners of another channel' },
];

/** Sends notifications of one id to few and to many listeners. Postgres wakes each listener for each notification. */
export async function measureNotifications(lab: LimitLab): Promise<LimitTable> {
  const lines: string[][] = [];
  const sending = await openAll(lab.databaseUrl, senders);
  for (const { count, to, name } of listeners) {
    const listening = await openAll(lab.databaseUrl, count);
    await Promise.all(listening.map((client) => client.query(`LISTEN ${to}`)));
    const run = (session: number) =>
      sending[session]?.query({
        name: 'notify',
        text: 'SELECT pg_notify($1, $2)',
        values: [channel, newId()],
      });
    const { perSecond, postgresMs } = await measureRate(lab, {
      sessions: senders,
      run: run as () => Promise<unknown>,
    });
    await closeAll(listening);
    lines.push([name, perSecond.toFixed(0), postgresMs.toFixed(2)]);
  }
  await closeAll(sending);
  return {
    title: `LISTEN and NOTIFY: ${senders} sessions notify all listeners`,
    header: ['', 'notifications/s', 'Postgres CPU-ms each'],
    lines,
  };
}

function openAll(url: string, count: number): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
}

async function closeAll(clients: pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()));
}
