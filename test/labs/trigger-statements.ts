import type { Knex } from 'knex';
import { createTriggerDeliveryRepository } from '../../src/modules/triggers/trigger-delivery-repository.ts';
import { findTriggerAnywhere } from '../../src/modules/triggers/trigger-repository.ts';
import { createTriggerSweepRepository } from '../../src/modules/triggers/trigger-sweep-repository.ts';
import { createRecordRemovalRepository } from '../../src/modules/retention/record-removal-repository.ts';
import { toRowId } from './large-tables.ts';

const triggerId = toRowId('trigger', 5);
const id = toRowId('triggerDelivery', 50_005);
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
const page = { triggerId, limit: 20 };

/** Statements of the deliveries of one workspace. */
export const deliveriesOfTriggers: [string, (trx: Knex) => Promise<unknown>][] = [
  [
    'storing a delivery that came before',
    (trx) =>
      createTriggerDeliveryRepository(trx).store({
        ...{ triggerId, deliveryKey: 'id:50005', contentHash: Buffer.from('none') },
        ...{ event: 'push', status: 'accepted', reason: null, action: null, payload: {} },
      }),
  ],
  ['an accepted delivery', (trx) => createTriggerDeliveryRepository(trx).findAccepted(id)],
  [
    'the end of a delivery',
    (trx) => createTriggerDeliveryRepository(trx).markStarted(toRowId('triggerDelivery', 1000), {}),
  ],
  ['the deliveries of a trigger', (trx) => createTriggerDeliveryRepository(trx).listDeliveries(page)],
  [
    'the deliveries of a trigger by their status',
    (trx) => createTriggerDeliveryRepository(trx).listDeliveries({ ...page, status: 'failed' }),
  ],
  [
    'removing old deliveries to triggers',
    (trx) => createRecordRemovalRepository(trx).removeTriggerDeliveries(tomorrow, 50),
  ],
];

/** Statements of the triggers of all workspaces. */
export const triggersOfSystem: [string, (system: Knex) => Promise<unknown>][] = [
  ['the trigger of a delivery', (system) => findTriggerAnywhere(system, triggerId)],
  [
    'taking deliveries that were not started',
    (system) => createTriggerSweepRepository(system).takeUnstarted(50),
  ],
  ['removing payloads and deliveries', (system) => createTriggerSweepRepository(system).removeOld(50)],
];
