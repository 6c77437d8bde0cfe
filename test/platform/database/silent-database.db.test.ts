import type { Knex } from 'knex';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { defineStatement } from '../../../src/platform/database/statement.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { isDatabaseOutage } from '../../../src/platform/lib/database-outage.ts';
import { startTcpProxy } from '../../servers/tcp-proxy.ts';

const one = defineStatement<object, { one: number }>('test_silent', 'SELECT 1 AS one');

async function openThroughProxy(onSent?: (bytes: Buffer) => void) {
  const proxy = await startTcpProxy(inject('postgresUrl'), onSent);
  const url = new URL(inject('postgresUrl'));
  url.port = String(proxy.port);
  const database = connectDatabase({ url: url.href, poolSize: 1, queryTimeoutMs: 500 });
  onTestFinished(async () => {
    proxy.release();
    await database.close();
    await proxy.close();
  });
  return { proxy, database };
}

test.each(['pipelined', 'transact'] as const)(
  '%s fails when its host has fallen silent, and works on a new session afterwards',
  async (how) => {
    const { proxy, database } = await openThroughProxy();
    const run = () => database[how](newId(), (query) => query(one, {}));
    expect(await run()).toEqual([{ one: 1 }]);
    proxy.hold();
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    proxy.release();

    expect(isDatabaseOutage(error)).toBe(true);
    expect(await run()).toEqual([{ one: 1 }]);
  },
);

test.each(['system', 'inWorkspace'] as const)(
  'a statement of %s that runs when its session is lost fails with an outage of the database',
  async (how) => {
    const runs = Promise.withResolvers<undefined>();
    const { proxy, database } = await openThroughProxy(
      (bytes) => bytes.includes('pg_sleep') && runs.resolve(undefined),
    );
    const sleep = (db: Knex) => db.raw('SELECT pg_sleep(60)');
    const result = how === 'system' ? sleep(database.system) : database.inWorkspace(newId(), sleep);
    const failure = result.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await runs.promise;
    await proxy.cut();

    expect(isDatabaseOutage(await failure), String(await failure)).toBe(true);
  },
);
