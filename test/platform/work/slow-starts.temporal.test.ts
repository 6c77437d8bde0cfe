import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { SweepSteps } from '../../../src/contract/sweep-steps.ts';
import { createServices } from '../../../src/main/create-services.ts';
import { createWorkerActivities } from '../../../src/main/create-worker-activities.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

const longAgo = new Date(Date.now() - 120_000);
const heldMs = 5_000;

/** A client that gets the answers to its starts of workflows late. */
function holdStarts(client: Client): Client {
  const held = new Set(['start', 'signalWithStart']);
  const workflow = new Proxy(client.workflow, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const answer = value.apply(target, given) as unknown;
        return held.has(String(name))
          ? Promise.all([answer, sleep(heldMs)]).then(([first]) => first)
          : answer;
      };
    },
  });
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'workflow') return workflow;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function insert(lab: TurnLab, table: string, row: object): Promise<string> {
  const id = newId();
  await lab.database.inWorkspace(lab.workspaceId, (trx) => trx(table).insert({ id, ...row }));
  return id;
}

/** Stores work of several kinds whose workflow was never started. */
async function storeWork(lab: TurnLab): Promise<string[]> {
  const scene = await lab.scene();
  const { turnId } = await scene.submit('Is anybody there?');
  await lab.database.system('turns').update({
    started_at: longAgo,
    start_timeout_ms: 3_600_000,
    deadline_at: new Date(Date.now() + 3_600_000),
  });
  const swarm = await insert(lab, 'swarms', {
    ...{ kind: 'simple', goal: 'Do it.', limits: '{}', request_hash: 'hash' },
    ...{ deadline_at: longAgo, updated_at: longAgo },
  });
  const delivery = await insert(lab, 'webhook_deliveries', {
    ...{ webhook_id: newId(), type: 'turn.settled', data: '{}', next_attempt_at: longAgo },
  });
  return [`turn-${turnId}`, `swarm-${swarm}`, `webhook-${delivery}`];
}

test('slow starts of workflows and a sweep that throws hold up no other kind of stored work', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab({ worker: false });
  stack.defer(lab.close);
  const logger = pino({ level: 'silent' });
  const config = loadConfig(lab.environment);
  const services = await createServices({ config, databaseUrl: lab.databaseUrl, logger });
  stack.defer(services.close);
  const parts = {
    config,
    services,
    client: holdStarts(lab.client),
    logger,
    shutdown: new AbortController().signal,
  };
  const { listSweeps, runSweep } = createWorkerActivities(parts).activities as SweepSteps;
  const workflowIds = await storeWork(lab);
  await lab.asOwner('ALTER TABLE documents RENAME COLUMN swept_at TO swept_elsewhere');

  const { sweeps } = await listSweeps();
  const ends = await Promise.allSettled(
    sweeps.map((sweep) =>
      new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 }).run(runSweep, { sweep }),
    ),
  );

  const failed = sweeps.filter((_sweep, index) => ends[index]?.status === 'rejected');
  expect(failed).toEqual(['documents']);
  const started = await Promise.all(
    workflowIds.map(async (id) => (await lab.client.workflow.getHandle(id).describe()).status.name),
  );
  expect(started).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
});
