import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../src/platform/temporal/register-search-attributes.ts';
import { searchAttributes } from '../../src/main/dev/temporal-flags.ts';

const namespace = 'default';

/**
 * Registers the namespace and its search attributes on a new server. May be called again until it succeeds.
 * @throws the error of the server while it is not ready
 */
export async function registerNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 5_000, async () => {
      const { namespaces } = await connection.workflowService.listNamespaces({});
      if (!namespaces.some(({ namespaceInfo }) => namespaceInfo?.name === namespace)) {
        const workflowExecutionRetentionPeriod = msToTs('1 day');
        await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
      }
      await registerSearchAttributes(connection, namespace);
      await tryStart(new Client({ connection, namespace }));
    });
  } finally {
    await connection.close();
  }
}

/** All parts of the server know a namespace and its attributes some seconds after they were registered. */
async function tryStart(client: Client): Promise<void> {
  const pairs = Object.keys(searchAttributes).map((name) => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value: 'probe',
  }));
  const handle = await client.workflow.start('probe', {
    taskQueue: 'probe',
    workflowId: `probe-${randomUUID()}`,
    typedSearchAttributes: new TypedSearchAttributes(pairs),
  });
  await handle.terminate();
}
