import { once } from 'node:events';
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { isTemporalOutage } from '../../../src/platform/lib/temporal-outage.ts';

/** Makes a call to a server that resets each stream as a gRPC server does when the deadline of a call has passed. */
async function callCancellingServer(): Promise<unknown> {
  const server = createServer().on('stream', (stream) => stream.close(constants.NGHTTP2_CANCEL));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  const client = new Client({ connection });
  try {
    return await client
      .withDeadline(Date.now() + 60_000, () => client.workflow.getHandle('any').executeUpdate('any'))
      .catch((error: unknown) => error);
  } finally {
    await connection.close();
    server.close();
  }
}

test('a call that the server ends at its deadline is an outage', async () => {
  const error = await callCancellingServer();
  expect(error).toMatchObject({ cause: { code: 1 } });
  expect(isTemporalOutage(error)).toBe(true);
});

test('an error of the program is no outage', () => {
  expect(isTemporalOutage(new TypeError('wrong', { cause: new Error('also wrong') }))).toBe(false);
});
