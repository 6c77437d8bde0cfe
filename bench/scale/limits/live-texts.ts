import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { monotonicMs } from '../../clock.ts';
import { quantile } from '../../statistics.ts';
import { readSeconds, type LimitLab, type LimitTable } from './experiment.ts';

/** As often as a worker writes the pieces of its answers, and as much as fits into a notification. */
const everyMs = 20;
const text = 'x'.repeat(6_000);
const readerCounts = [1, 4, 16];
const channel = 'scale_texts';

/** Sends a text to all readers. */
interface Channel {
  send: (sent: string) => Promise<unknown>;
  close: () => Promise<unknown>;
}

type OpenChannel = (lab: LimitLab, readers: number, receive: (sent: string) => void) => Promise<Channel>;

const ways: Record<string, OpenChannel> = {
  'NOTIFY with a payload': openNotifications,
  'a socket to each reader': openSockets,
};

/** Sends texts from one worker to the processes that read them, by two ways, both ends in this process. */
export async function measureLiveTexts(lab: LimitLab): Promise<LimitTable> {
  const lines: string[][] = [];
  for (const [way, open] of Object.entries(ways))
    for (const readers of readerCounts)
      lines.push([`${way}, ${readers}`, ...(await measureWay(lab, open, readers))]);
  return {
    title: `Texts of ${text.length} bytes every ${everyMs} ms from one worker to so many processes that read them`,
    header: ['', 'delay p50 ms', 'p99', 'Postgres CPU-ms each', 'programs CPU-ms each'],
    lines,
  };
}

async function measureWay(lab: LimitLab, open: OpenChannel, readers: number): Promise<string[]> {
  const delays: number[] = [];
  const { send, close } = await open(lab, readers, (sent) =>
    delays.push(monotonicMs() - Number.parseFloat(sent)),
  );
  const [before, own] = [readSeconds(lab.postgres), process.cpuUsage()];
  const count = Math.round(lab.durationMs / everyMs);
  for (let index = 0; index < count; index += 1) {
    await Promise.all([send(`${monotonicMs()} ${text}`), sleep(everyMs)]);
  }
  const { user, system } = process.cpuUsage(own);
  const used = (readSeconds(lab.postgres) - before) * 1000;
  await close();
  return [
    ...[0.5, 0.99].map((share) => quantile(delays, share).toFixed(2)),
    ...[used / count, (user + system) / 1000 / count].map((ms) => ms.toFixed(2)),
  ];
}

async function openNotifications(
  { databaseUrl }: LimitLab,
  readers: number,
  receive: (sent: string) => void,
): Promise<Channel> {
  const clients = Array.from({ length: readers + 1 }, () => new pg.Client(databaseUrl));
  await Promise.all(clients.map((client) => client.connect()));
  const [sender, ...listeners] = clients;
  for (const listener of listeners) {
    listener.on('notification', ({ payload = '' }) => receive(payload));
    await listener.query(`LISTEN ${channel}`);
  }
  return {
    send: async (sent) =>
      sender?.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values: [channel, sent] }),
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}

async function openSockets(
  _lab: LimitLab,
  readers: number,
  receive: (sent: string) => void,
): Promise<Channel> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket.setNoDelay());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = await Promise.all(
    Array.from({ length: readers }, async () => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      await once(socket, 'connect');
      readLines(socket, receive);
      return socket;
    }),
  );
  while (accepted.length < readers) await sleep(1);
  return {
    send: (sent) => {
      for (const socket of accepted) socket.write(`${sent}\n`);
      return Promise.resolve();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function readLines(socket: Socket, receive: (line: string) => void): void {
  let rest = '';
  socket.on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(receive);
  });
}
