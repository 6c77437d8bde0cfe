import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { searchAttributeNames } from '../../../src/contract/search-attributes.ts';
import { findFreePort } from '../../../src/main/dev/ports.ts';
import { registerSearchAttributes } from '../../../src/platform/temporal/register-search-attributes.ts';
import { startTemporalServer } from '../../../src/main/dev/temporal-server.ts';
import { temporalAddress, uniqueTaskQueue } from '../../labs/temporal.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = createTemporaryFolder();
});

async function start(databaseFile?: string, binary = inject('temporalBinary')) {
  const server = await startTemporalServer({
    binary,
    port: await findFreePort(),
    logFile: path.join(folder, 'temporal.log'),
    environment: process.env,
    ...(databaseFile === undefined ? {} : { databaseFile }),
  });
  onTestFinished(server.stop);
  return server;
}

async function connect(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

it('the Temporal server has the search attributes of turns', async () => {
  const { connection } = await connect(temporalAddress());
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.values(searchAttributeNames)));
  expect(await registerSearchAttributes(connection, 'default')).toEqual([]);
});

it('the Temporal server keeps workflows in its file over a restart', async () => {
  const databaseFile = path.join(folder, 'temporal.db');
  const first = await start(databaseFile);
  const workflowId = uniqueTaskQueue('kept');
  const before = await connect(first.address);
  await before.workflow.start('nothing', { workflowId, taskQueue: 'nobody' });
  await first.stop();
  const second = await start(databaseFile);
  const after = await connect(second.address);
  expect((await after.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
});

it('the Temporal server starts again when another program took one of the ports that it had picked', async () => {
  const startedOnce = path.join(folder, 'started-once');
  const binary = path.join(folder, 'temporal');
  const lines = [
    '#!/bin/sh',
    `if [ ! -e ${startedOnce} ]; then`,
    `touch ${startedOnce}; echo 'bind: address already in use; panic: runtime error' >&2; exit 2`,
    `fi; exec ${inject('temporalBinary')} "$@"`,
  ];
  writeFileSync(binary, lines.join('\n'), { mode: 0o755 });
  const { address } = await start(undefined, binary);
  expect(existsSync(startedOnce)).toBe(true);
  await expect(connect(address)).resolves.toBeInstanceOf(Client);
});

it('the Temporal server refuses a file that is not a database with a reason, and does not change it', async () => {
  const databaseFile = path.join(folder, 'temporal.db');
  writeFileSync(
    databaseFile,
    'this is no database, and long enough to be taken for one with a damaged header',
  );
  await expect(start(databaseFile)).rejects.toThrow(
    /Temporal ended with code 1 while it started[^]*not a database[^]*Nothing was changed/,
  );
});
