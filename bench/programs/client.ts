import type { Client } from '@temporalio/client';
import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { connectTemporal } from '../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import type { ClientRequests, HistorySize } from './contract.ts';
import { serve } from './serve.ts';
import { createSubmitRequests } from './submit-requests.ts';

const config = loadConfig();
const database = connectDatabase({ url: requireDatabaseUrl(config), poolSize: config.database.poolSize });
const { client } = connectTemporal(config.environment, createDataConverter(config));
const taskQueue = config.taskQueue ?? '';

const requests: ClientRequests = {
  ...createSubmitRequests({ client, database, taskQueue, startsEagerly: false }),
  readHistories: (workflowIds) => Promise.all(workflowIds.map((id) => readHistory(client, id))),
};

async function readHistory({ workflow }: Client, workflowId: string): Promise<HistorySize> {
  const handle = workflow.getHandle(workflowId);
  // A turn is settled a little before its workflow ends.
  await handle.result();
  const { historySize = 0, historyLength } = await handle.describe();
  return { bytes: historySize, events: historyLength };
}

serve(requests);
