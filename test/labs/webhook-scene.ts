import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { createDeliveryRepository } from '../../src/modules/webhooks/deliveries/delivery-repository.ts';
import { notifyWebhooksInside } from '../../src/platform/outbox/notify-webhooks.ts';
import { createWebhookRepository } from '../../src/modules/webhooks/webhook-repository.ts';
import { createKeylessActor, type Actor } from '../../src/domain/actor.ts';
import {
  webhookInputSchema,
  type DeliveryDetails,
  type WebhookChange,
  type WebhookEvent,
} from '../../src/domain/webhook.ts';
import { createKeyRing } from '../../src/platform/secrets/key-ring.ts';
import { createDeliveryEngine } from '../../src/modules/webhooks/deliveries/delivery-engine.ts';
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts';
import { resendDelivery } from '../../src/modules/webhooks/deliveries/resend-delivery.ts';
import { rotateSecret } from '../../src/modules/webhooks/rotate-secret.ts';
import { updateWebhook } from '../../src/modules/webhooks/update-webhook.ts';
import { startVendorServer, type RecordedRequest, type VendorReply } from '../servers/vendor-server.ts';
import { eventually } from './eventually.ts';
import type { TurnLab } from './turn-lab.ts';

/** A webhook of a lab, with the receiver at its URL. */
export type WebhookScene = Awaited<ReturnType<typeof startWebhookScene>>;

interface SceneOptions {
  /** Returns the URL of the webhook for the address of the receiver. */
  toUrl?: (url: string) => string;
  /** The answer to requests without a reply of `reply`. @default 200 */
  answer?: (request: RecordedRequest) => VendorReply;
  /** Who creates the webhook. @default an operator */
  maker?: Actor;
}

/** Starts a receiver, and creates a webhook that sends it these events. */
export async function startWebhookScene(
  lab: TurnLab,
  events: WebhookEvent[],
  { toUrl = (url) => `${url}/hooks`, answer = () => ({}), maker = toOperator(lab) }: SceneOptions = {},
) {
  const { database, workspaceId } = lab;
  const receiver = await startVendorServer(answer);
  onTestFinished(receiver.close);
  const keyRing = createKeyRing({ keys: lab.environment['HOLDFAST_ENCRYPTION_KEYS'] });
  const { startDelivery } = createDeliveryEngine({ client: lab.client, taskQueue: lab.taskQueue });
  const input = webhookInputSchema.parse({ url: toUrl(receiver.url), events });
  const { webhook, secret: shown } = await createWebhook({ database, keyRing }, maker, input);
  const { id } = webhook;
  const secret = shown ?? '';
  onTestFinished(async () => {
    await database.inWorkspace(workspaceId, (trx) => createWebhookRepository(trx).disableWebhook(id, ''));
  });
  const list = (): Promise<DeliveryDetails[]> =>
    database.inWorkspace(workspaceId, async (trx) => {
      const deliveries = createDeliveryRepository(trx);
      const { items } = await deliveries.listDeliveries({ webhookId: id, limit: 100 });
      const found: DeliveryDetails[] = [];
      for (const item of items) found.push(await deliveries.getDelivery(id, item.id));
      return found;
    });
  return {
    id,
    secret,
    receiver,
    reply: (...replies: VendorReply[]) => receiver.next(...replies),
    read: () => database.inWorkspace(workspaceId, (trx) => createWebhookRepository(trx).getWebhook(id)),
    list,
    /** Changes the webhook as an actor. */
    change: (actor: Actor, change: WebhookChange) =>
      updateWebhook({ database, keyRing }, actor, { id, change }),
    rotate: (overlapMs: number) => rotateSecret({ database, keyRing }, maker, { id, overlapMs }),
    resend: (deliveryId: string) =>
      resendDelivery({ database, startDelivery, logger: { warn: () => undefined } }, lab, { id, deliveryId }),
    /** Stores a delivery as a process does that dies right after the commit. */
    tell: (type: WebhookEvent, data: Record<string, string> = {}) =>
      database.inWorkspace(workspaceId, (trx) => notifyWebhooksInside(trx, type, data)),
    /** Stores a delivery and starts it. */
    deliver: async (type: WebhookEvent, data: Record<string, string> = {}) => {
      await database.inWorkspace(workspaceId, (trx) => notifyWebhooksInside(trx, type, data));
      const [newest] = await list();
      await startDelivery({ workspaceId, deliveryId: newest?.id ?? '' });
      return newest?.id ?? '';
    },
    /** Waits until the newest delivery is as the test wants it. */
    waitFor: async (accept: (delivery: DeliveryDetails) => boolean) => {
      const found = await eventually(list, ([newest]) => newest !== undefined && accept(newest));
      return found[0] as DeliveryDetails;
    },
    waitForRequests: (count: number) =>
      eventually(
        () => receiver.requests,
        ({ length }) => length >= count,
      ),
  };
}

function toOperator({ workspaceId }: TurnLab): Actor {
  return createKeylessActor(workspaceId, 'temporal');
}

/** Verifies a request with two libraries, and returns its message. Throws when one of them refuses it. */
export async function verifyRequest(secret: string, { body, headers }: RecordedRequest): Promise<unknown> {
  const sent = headers as Record<string, string>;
  await new OpenAI({ apiKey: 'x', webhookSecret: secret }).webhooks.unwrap(body, sent);
  return new Webhook(secret).verify(body, sent);
}
