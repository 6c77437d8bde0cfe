import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/main/config.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { migrateDatabase } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { findTemporal } from '../../src/main/dev/find-temporal.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import { templateDatabase } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the Postgres of this run, for a role that may create databases. */
    postgresUrl: string;
    /** The address of the Temporal server of this run. */
    temporalAddress: string;
    /** The path of the Temporal CLI, for tests that start their own server. */
    temporalBinary: string;
  }
}

const say = (line: string) => console.log(line);

/** Starts one Postgres with a migrated template database and one Temporal server for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const starts = [
    startPostgres(dataDir, stack),
    startTemporal(dataDir, stack),
    // The workers of the tests then find the bundle, and do not all make it at the same time.
    loadWorkflowBundle(createDataConverter(loadConfig({}))),
  ] as const;
  await Promise.allSettled(starts);
  const [postgresUrl, temporal] = await Promise.all(starts);
  project.provide('postgresUrl', postgresUrl);
  project.provide('temporalAddress', temporal.address);
  project.provide('temporalBinary', temporal.binary);
  const started = stack.move();
  return () => started.disposeAsync();
}

async function startPostgres(dataDir: string, stack: AsyncDisposableStack): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    environment: process.env,
    say: () => undefined,
    preferredPort: 0,
    // The data need not survive a crash, so Postgres need not write them to disk.
    // An autovacuum worker belongs to a superuser, and makes DROP DATABASE ... WITH (FORCE) fail for other roles.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
      // It writes less of a log, and fewer checkpoints.
      ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '8GB' },
    },
  });
  stack.defer(postgres.stop);
  await createTemplate(postgres.url);
  return postgres.url;
}

async function createTemplate(postgresUrl: string): Promise<void> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  await client.query(`CREATE DATABASE ${templateDatabase}`);
  await client.end();
  const template = new URL(postgresUrl);
  template.pathname = templateDatabase;
  await migrateDatabase(template.href);
}

async function startTemporal(dataDir: string, stack: AsyncDisposableStack) {
  const { temporalCli, cacheDir, environment } = loadConfig();
  const binary = await findTemporal({ temporalCli, cacheDir, environment, say });
  const server = await startTemporalServer({
    binary,
    port: await findFreePort(),
    logFile: path.join(dataDir, 'temporal.log'),
    environment,
    // One partition for each task queue: a small server spends less on queues with few tasks.
    extraArguments: [
      '--dynamic-config-value',
      'matching.numTaskqueueReadPartitions=1',
      '--dynamic-config-value',
      'matching.numTaskqueueWritePartitions=1',
    ],
  });
  stack.defer(server.stop);
  return { address: server.address, binary };
}
