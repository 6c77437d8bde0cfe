import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HoldfastError } from '../../src/domain/errors.ts';
import { describeFailure } from '../../src/main/describe-failure.ts';
import { serveHealth } from '../../src/main/serve-health.ts';

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const isAlive = () => true;
const listFailingSweeps = () => [];

test('a port that is taken is named, with the settings that change it', async () => {
  const port = await takePort();
  const error: unknown = await serveHealth({ host: '127.0.0.1', port, isAlive, listFailingSweeps }).catch(
    (thrown: unknown) => thrown,
  );
  expect(describeFailure(error)).toBe(
    `Expected port ${port} of 127.0.0.1 to be free, found that another program listens there. ` +
      'End it, or set PORT, or for the health checks of a worker HOLDFAST_HEALTH_PORT.',
  );
});

test('an error of Holdfast is its own sentence', () => {
  expect(describeFailure(new HoldfastError('CONFLICT', 'The database is newer.'))).toBe(
    'The database is newer.',
  );
});

test('an error that was not expected says where its stack is', () => {
  expect(describeFailure(new TypeError('x is not a function'))).toBe(
    'An error that was not expected: x is not a function. The stack is in the log, or shown with HOLDFAST_LOG_LEVEL=debug.',
  );
});

test('an error without a message of its own has those of its parts', () => {
  const parts = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
  const error = Object.assign(new AggregateError(parts), { code: 'ECONNREFUSED' });
  expect(describeFailure(error)).toContain(
    'found none that answers: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432. Start it',
  );
});
