import { expect, inject, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../src/db/connect-database.ts';
import { defineStatement } from '../../src/db/statement.ts';
import { newId } from '../../src/lib/ids.ts';
import { isDatabaseOutage } from '../../src/lib/database-outage.ts';
import { startTcpProxy } from '../servers/tcp-proxy.ts';

const one = defineStatement<object, { one: number }>('test_silent', 'SELECT 1 AS one');

test.each(['pipelined', 'transact'] as const)(
  '%s fails when its host has fallen silent, and works on a new session afterwards',
  async (how) => {
    const proxy = await startTcpProxy(inject('postgresUrl'));
    const url = new URL(inject('postgresUrl'));
    url.port = String(proxy.port);
    const database = connectDatabase({ url: url.href, poolSize: 1, queryTimeoutMs: 500 });
    onTestFinished(async () => {
      proxy.release();
      await database.close();
      await proxy.close();
    });
    const run = () => database[how](newId(), (query) => query(one, {}));
    expect(await run()).toEqual([{ one: 1 }]);
    proxy.hold();
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    proxy.release();

    expect(isDatabaseOutage(error)).toBe(true);
    expect(await run()).toEqual([{ one: 1 }]);
  },
);
