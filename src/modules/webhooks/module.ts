import type { Client } from '@temporalio/client';
import type { Database } from '../../platform/database/connect-database.ts';
import type { DependencyState } from '../../platform/lib/dependency-state.ts';
import { createStartSweep } from '../../platform/work/start-sweep.ts';
import { watchTemporal } from '../../platform/temporal/watch-temporal.ts';
import { createDeliveryActivities } from './deliveries/delivery-activities.ts';
import type { AttemptDependencies } from './deliveries/attempt-delivery.ts';
import { createDeliveryEngine } from './deliveries/delivery-engine.ts';
import { createDeliverySweepRepository } from './deliveries/delivery-sweep-repository.ts';
import type { createDeliveryStarter } from './deliveries/start-stored-deliveries.ts';
import type { SlackDependencies } from './deliveries/post-to-slack.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { webhookDeliveryRoutes } from './deliveries/webhook-delivery-routes.ts';
import { addSlackInteractions } from './slack/slack-interaction-routes.ts';
import {
  deliveryAttemptSchema,
  deliveryDetailsSchema,
  deliverySchema,
  webhookSchema,
} from '../../domain/webhook.ts';
import { deliveryQueue } from './deliveries/delivery-queue.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'webhook.created': true;
    'webhook.updated': true;
    'webhook.secret_rotated': true;
    'webhook.approvers_changed': true;
    'webhook.disabled': true;
    'webhook.deleted': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts extends Pick<AttemptDependencies, 'keyRing'> {
  database: Database;
  client: Client;
  taskQueue: string;
  temporalState: DependencyState;
  webhookFetch: AttemptDependencies['fetch'];
  connectionAccess: { open: SlackDependencies['openConnection'] };
  router: { executeMCPTool: SlackDependencies['execute'] };
  deliveryStarter: ReturnType<typeof createDeliveryStarter>;
  config: { webhookPausesMs: AttemptDependencies['pausesMs'] };
}

/** The module of webhooks. */
export const webhooks = defineModule({
  name: 'webhooks',
  routes: [...webhookRoutes, ...webhookDeliveryRoutes],
  doors: [addSlackInteractions],
  schemas: {
    Webhook: webhookSchema,
    WebhookDelivery: deliverySchema,
    WebhookAttempt: deliveryAttemptSchema,
    WebhookDeliveryDetails: deliveryDetailsSchema,
  },
  tables: [
    { name: 'webhook_deliveries', most: 1000 },
    { name: 'webhooks', most: 50 },
  ],
  queues: [deliveryQueue],
  engine: ({ toReport, ...parts }) => {
    const { startDelivery } = createDeliveryEngine(parts);
    return { startDelivery: toReport('startDelivery', startDelivery) };
  },
  worker: ({ database, keyRing, webhookFetch, connectionAccess, router, config, ...parts }: WorkerParts) => {
    const { startDelivery } = createDeliveryEngine(parts);
    parts.deliveryStarter.startWith(watchTemporal(startDelivery, parts.temporalState));
    const attempts = {
      ...{ database, keyRing, fetch: webhookFetch, pausesMs: config.webhookPausesMs },
      slack: { database, openConnection: connectionAccess.open, execute: router.executeMCPTool },
    };
    return {
      activities: createDeliveryActivities(attempts),
      work: [
        {
          kind: 'webhook_delivery',
          workflows: ['webhookDelivery'],
          sweep: createStartSweep({
            name: 'deliveries',
            rows: createDeliverySweepRepository(database.system),
            toId: ({ deliveryId }) => deliveryId,
            start: startDelivery,
          }),
        },
      ],
    };
  },
});
