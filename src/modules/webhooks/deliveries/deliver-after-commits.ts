import type { DeliveryRef } from './delivery-contract.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { toWorkspaceId, type RowScope } from '../../../domain/row-scope.ts';
import type { Query } from '../../../platform/database/statement.ts';
import { findInsertedInside } from '../../../platform/outbox/notify-webhooks.ts';

/**
 * Wraps the database: after each commit `deliver` gets the deliveries to webhooks that the transaction has inserted, which
 * are the `told` of a statement's first row or come from `notifyWebhooksInside`. The sweeper finds deliveries that are lost
 * here.
 */
export function deliverAfterCommits(
  database: Database,
  deliver: (deliveries: DeliveryRef[]) => void,
): Database {
  const announce = (scope: RowScope, inserted: string[]) => {
    const workspaceId = toWorkspaceId(scope);
    if (inserted.length > 0) deliver(inserted.map((deliveryId) => ({ workspaceId, deliveryId })));
  };
  const watching =
    (send: Database['pipelined']): Database['pipelined'] =>
    async (scope, run) => {
      let inserted: string[] = [];
      // Work that runs again after its transaction was rolled back begins with an empty list.
      const result = await send(scope, (query) => run(collecting(query, (inserted = []))));
      announce(scope, inserted);
      return result;
    };
  return {
    ...database,
    pipelined: watching(database.pipelined),
    transact: watching(database.transact),
    inWorkspace: async (scope, run) => {
      let inserted: string[] = [];
      const result = await database.inWorkspace(scope, async (trx) => {
        const done = await run(trx);
        inserted = findInsertedInside(trx);
        return done;
      });
      announce(scope, inserted);
      return result;
    },
  };
}

function collecting(query: Query, inserted: string[]): Query {
  return async (statement, values) => {
    const rows = await query(statement, values);
    const [first] = rows as { told?: string[] }[];
    if (first?.told) inserted.push(...first.told);
    return rows;
  };
}
