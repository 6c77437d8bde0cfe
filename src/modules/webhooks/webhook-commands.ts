import type {
  CreateWebhookData,
  HoldfastClient,
  ListWebhookDeliveriesData,
} from '../../clients/client/index.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** Lists the webhooks, one line each. */
export async function listWebhooks({ client, terminal }: CommandServices, options: OutputOptions) {
  const webhooks = await readAll((page) => client.webhooks.list(page));
  if (options.json) {
    printJson(terminal, webhooks);
    return;
  }
  if (webhooks.length === 0) terminal.line('The workspace has no webhooks.');
  for (const { id, url, slack, events, disabledReason } of webhooks) {
    const state = disabledReason === null ? '' : `  disabled: ${disabledReason}`;
    terminal.line(`${id}  ${url ?? `Slack ${slack?.channel ?? ''}`}  ${events.join(',')}${state}`);
  }
}

/** Creates a webhook for a URL, and prints its secret. */
export async function createWebhook(
  { client, terminal }: CommandServices,
  url: string,
  { events, json }: OutputOptions & { events: string[] },
) {
  // The API refuses names of events that it does not know.
  const body = { url, events } as CreateWebhookData['body'];
  const created = await client.webhooks.create(body);
  if (json) {
    printJson(terminal, created);
    return;
  }
  terminal.line(`Webhook ${created.webhook.id} is created. Its secret, which is not shown again:`);
  terminal.line(created.secret ?? '');
}

/** Gives a webhook a new secret and prints it. */
export async function rotateWebhookSecret(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  const rotated = await client.webhooks.rotateSecret(id);
  if (options.json) {
    printJson(terminal, rotated);
    return;
  }
  const { oldSecretsUntil } = rotated.webhook;
  terminal.line(`The new secret of webhook ${id}, which is not shown again:`);
  terminal.line(rotated.secret);
  if (oldSecretsUntil !== null) terminal.line(`The old one signs along until ${oldSecretsUntil}.`);
}

/** Deletes a webhook. */
export async function deleteWebhook(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  await client.webhooks.delete(id);
  if (options.json) printJson(terminal, { deleted: true });
  else terminal.line(`Webhook ${id} is deleted.`);
}

type DeliveryQuery = NonNullable<ListWebhookDeliveriesData['query']>;

/** Lists what was sent to a webhook, one line each. */
export async function listDeliveries(
  { client, terminal }: CommandServices,
  id: string,
  { status, json }: OutputOptions & { status?: DeliveryQuery['status'] },
) {
  const query = status === undefined ? {} : { status };
  const deliveries = await readAll((page) => client.webhooks.deliveries.list(id, { ...page, ...query }));
  if (json) {
    printJson(terminal, deliveries);
    return;
  }
  if (deliveries.length === 0) terminal.line('The webhook has no such deliveries.');
  for (const delivery of deliveries) {
    const { attemptCount, createdAt, type, nextAttemptAt } = delivery;
    const next = nextAttemptAt === null ? '' : `  next at ${nextAttemptAt}`;
    terminal.line(
      `${delivery.id}  ${createdAt}  ${type}  ${delivery.status}  attempts ${attemptCount}${next}`,
    );
  }
}

/** Sends a message again. */
export async function resendDelivery(
  { client, terminal }: CommandServices,
  deliveryId: string,
  { webhook, json }: OutputOptions & { webhook: string },
) {
  const delivery = await client.webhooks.deliveries.resend(webhook, deliveryId);
  if (json) printJson(terminal, delivery);
  else terminal.line(`Delivery ${delivery.id} is sent again.`);
}
