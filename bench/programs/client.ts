import type { Client } from '@temporalio/client';
import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { connectDatabase } from '../../src/db/connect-database.ts';
import { connectTemporal } from '../../src/temporal/connect-temporal.ts';
import { createDataConverter } from '../../src/temporal/data-converter.ts';
import type { ClientRequests, HistorySize } from './contract.ts';
import { createConversationPool } from './conversation-pool.ts';
import { runBatch } from './run-batch.ts';
import { serve } from './serve.ts';
import { createTurnDriver } from './turn-drivers.ts';

const config = loadConfig();
const database = connectDatabase({ url: requireDatabaseUrl(config), poolSize: config.database.poolSize });
const { client } = connectTemporal(config.environment, createDataConverter(config));
let parts: Parameters<typeof runBatch>[0] | undefined;

const requests: ClientRequests = {
  open: (order) => {
    const driver = createTurnDriver({ ...order, client, database, taskQueue: config.taskQueue ?? '' });
    parts = { driver, pool: createConversationPool(database, order.seed) };
    return Promise.resolve();
  },
  createConversation: (execution) => getParts().pool.make(execution),
  runBatch: (order) => runBatch(getParts(), order),
  readHistories: (workflowIds) => Promise.all(workflowIds.map((id) => readHistory(client, id))),
};

function getParts() {
  if (!parts) throw new Error('the client was not opened');
  return parts;
}

async function readHistory({ workflow }: Client, workflowId: string): Promise<HistorySize> {
  const handle = workflow.getHandle(workflowId);
  // A turn is settled a little before its workflow ends.
  await handle.result();
  const { historySize = 0, historyLength } = await handle.describe();
  return { bytes: historySize, events: historyLength };
}

serve(requests);
