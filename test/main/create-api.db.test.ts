import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { defineFunction, z } from '../../src/engines/functions/index.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createApi } from '../../src/main/create-api.ts';
import { toToolFunction } from '../../src/engines/tools/functions/own-function.ts';
import { createWorkflowTargets } from '../../src/engines/tools/workflow-catalogue.ts';
import { createTestDatabase } from '../labs/postgres.ts';

test('an API uses the operator files that were loaded before the migration, and loads none itself', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  onTestFinished(drop);
  const done = () => Promise.resolve();
  const definition = { description: 'd', input: z.object({}), run: () => 'x' };
  const own = defineFunction({ name: 'orders.look_up', ...definition });
  const api = await createApi({
    config: loadConfig({ HOLDFAST_FUNCTIONS: '/no/such/folder' }),
    databaseUrl,
    logger: pino({ level: 'silent' }),
    operatorFiles: {
      functions: [toToolFunction(own, { secrets: {}, logger: { warn: () => undefined } })],
      mcpCatalogue: new Map(),
      workflowTargets: createWorkflowTargets(new Map()),
    },
    connect: () => ({
      ...{ startTurn: done, cancelTurn: done, notifyDecision: done },
      schedules: {} as never,
      ...{ startIngestion: done, startDelivery: done, startReplay: done, startSwarm: done },
      ...{ checkHealth: done, close: done },
      ...{
        startRoutine: done,
        wakeRoutine: done,
        controlRoutine: done,
        readRoutine: () => Promise.resolve(null),
      },
    }),
  });
  onTestFinished(api.close);

  expect(api.services.functions.find('orders.look_up')).toMatchObject({ name: 'orders.look_up' });
});
