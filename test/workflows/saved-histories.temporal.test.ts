import { fileURLToPath } from 'node:url';
import type { WorkflowBundle } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { bundleForReplay } from '../../src/main/history-check/bundle-for-replay.ts';
import { checkHistories } from '../../src/main/history-check/check-histories.ts';
import { ownTypes } from '../../src/main/history-check/mask-value.ts';
import { readHistories, type ReadHistory } from '../../src/main/history-check/saved-history.ts';
import * as workflows from '../../workflows/index.ts';
import { createLogger } from '../../src/main/logger.ts';
import { ensureTemporalLogger } from '../labs/turn-lab-worker.ts';

const histories = readHistories(fileURLToPath(new URL('../histories/', import.meta.url)));
let bundle: WorkflowBundle;

beforeAll(async () => {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  bundle = await bundleForReplay();
});

async function findProblems(replayed: ReadHistory[]): Promise<string[]> {
  const problems: string[] = [];
  for await (const { history, problems: own } of checkHistories(bundle, replayed)) {
    problems.push(...own.map((line) => `${history.name}: ${line}`));
  }
  return problems;
}

const typeOf = ({ history }: ReadHistory) =>
  history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;

test('a history of each type of workflow is saved, and each type is exported from installations', () => {
  const types = Object.keys(workflows).sort();
  expect([...new Set(histories.map(typeOf))].sort()).toEqual(types);
  expect([...ownTypes].sort()).toEqual(types);
});

test('a history of each kind of turn is saved', () => {
  expect(histories.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'agent-tool-direct',
      'agent-tool-inspectable',
      'cancelled-direct',
      'cancelled-inspectable',
      'completed-direct',
      'completed-inspectable',
      'iteration-limit-direct',
      'iteration-limit-inspectable',
      'timed-out-direct',
      'timed-out-inspectable',
      'tool-failure-inspectable',
      'workflow-tool-direct',
      'workflow-tool-inspectable',
      ...['approval-direct-run-1', 'approval-direct-run-2', 'approval-direct-run-3'],
      ...['approval-inspectable-run-1', 'approval-inspectable-run-2', 'approval-inspectable-run-3'],
      ...['former-completed-fast', 'former-late-worker-fast-run-2', 'former-approval-fast-run-1'],
      ...['late-worker-inspectable-run-1', 'late-worker-inspectable-run-2'],
      ...['recorded-turn', 'recorded-turn-cancelled'],
    ]),
  );
});

test('the workflows as they are do what every saved history tells', async () => {
  expect(await findProblems(histories)).toEqual([]);
});
