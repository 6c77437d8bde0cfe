import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/main/logger.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { temporalAddress, uniqueTaskQueue } from '../labs/temporal.ts';
import { ensureTemporalLogger } from '../labs/turn-lab-worker.ts';

// Decision 15 in docs/decisions/source.md relies on this.

const releases: Record<'before' | 'after', WorkflowBundle> = { before: { code: '' }, after: { code: '' } };

beforeAll(async () => {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'patches'));
  for (const name of ['before', 'after'] as const) {
    const workflowsPath = fileURLToPath(new URL(`../fixtures/patches/${name}.ts`, import.meta.url));
    releases[name] = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  }
});

/** Runs the workflow to its end with a worker of one release, and returns its history. */
async function record(workflowBundle: WorkflowBundle): Promise<{ history: History; workflowId: string }> {
  const address = temporalAddress();
  const connection = await NativeConnection.connect({ address });
  onTestFinished(() => connection.close());
  const clientConnection = await Connection.connect({ address });
  onTestFinished(() => clientConnection.close());
  const taskQueue = uniqueTaskQueue('patches');
  const worker = await Worker.create({ connection, taskQueue, workflowBundle });
  const client = new Client({ connection: clientConnection });
  const workflowId = newId();
  await worker.runUntil(client.workflow.execute('patchedWorkflow', { taskQueue, workflowId }));
  return { history: await client.workflow.getHandle(workflowId).fetchHistory(), workflowId };
}

test('a workflow of the release before goes on with a release that has the patch', async () => {
  const { history, workflowId } = await record(releases.before);
  const replay = Worker.runReplayHistory({ workflowBundle: releases.after }, history, workflowId);
  await expect(replay).resolves.toBeUndefined();
});

test('a workflow of a release that has the patch is refused by the release before, before it runs', async () => {
  const { history, workflowId } = await record(releases.after);
  const replay = Worker.runReplayHistory({ workflowBundle: releases.before }, history, workflowId);
  await expect(replay).rejects.toThrow(/TMPRL1100|[Nn]ondeterminism/);
});
