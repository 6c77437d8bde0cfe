import type { DeliveryRef } from './delivery-contract.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { toWorkspaceId, type RowScope } from '../../../domain/row-scope.ts';
import type { Query } from '../../../platform/database/statement.ts';
import { findToldInside } from '../../../platform/outbox/notify-webhooks.ts';

/**
 * Returns the database with a look at what its transactions tell webhooks: after each commit `deliver` gets the deliveries
 * that were inserted, which are the `told` of a statement's first row or come from `notifyWebhooksInside`. What is lost here
 * is found by the sweeper.
 */
export function deliverAfterCommits(
  database: Database,
  deliver: (deliveries: DeliveryRef[]) => void,
): Database {
  const announce = (scope: RowScope, told: string[]) => {
    const workspaceId = toWorkspaceId(scope);
    if (told.length > 0) deliver(told.map((deliveryId) => ({ workspaceId, deliveryId })));
  };
  const watching =
    (send: Database['pipelined']): Database['pipelined'] =>
    async (scope, run) => {
      let told: string[] = [];
      // Work that runs again after its transaction was rolled back begins with an empty list.
      const result = await send(scope, (query) => run(collecting(query, (told = []))));
      announce(scope, told);
      return result;
    };
  return {
    ...database,
    pipelined: watching(database.pipelined),
    transact: watching(database.transact),
    inWorkspace: async (scope, run) => {
      let told: string[] = [];
      const result = await database.inWorkspace(scope, async (trx) => {
        const done = await run(trx);
        told = findToldInside(trx);
        return done;
      });
      announce(scope, told);
      return result;
    },
  };
}

function collecting(query: Query, told: string[]): Query {
  return async (statement, values) => {
    const rows = await query(statement, values);
    const [first] = rows as { told?: string[] }[];
    if (first?.told) told.push(...first.told);
    return rows;
  };
}
