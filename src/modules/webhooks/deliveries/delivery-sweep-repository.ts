import type { Knex } from 'knex';
import { createSweptRows } from '../../../platform/work/swept-rows.ts';
import type { DeliveryRef } from './delivery-contract.ts';

/** Deliveries whose attempt is overdue. */
export function createDeliverySweepRepository(system: Knex) {
  return createSweptRows<DeliveryRef>(system, {
    table: 'webhook_deliveries',
    columns: 'id AS "deliveryId", workspace_id AS "workspaceId"',
    condition: "status = 'pending'",
    ...{ since: 'next_attempt_at', graceMs: 10_000, restMs: 60_000 },
  });
}
