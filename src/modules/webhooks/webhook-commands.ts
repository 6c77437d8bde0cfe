import { operation, type CommandTable } from '../../clients/cli/command-table.ts';

/** The commands of webhooks. */
export const commands: CommandTable = {
  webhooks: 'Tell programs of what happens.',
  'webhooks list': operation('listWebhooks', {
    description: 'List the webhooks of the workspace.',
    none: 'The workspace has no webhooks.',
    line: ({ id, url, slack, events, disabledReason }) => [
      id,
      url ?? `Slack ${slack?.channel ?? ''}`,
      events.join(','),
      disabledReason !== null && `disabled: ${disabledReason}`,
    ],
  }),
  'webhooks create <url>': operation('createWebhook', {
    description: 'Tell a URL of events.',
    fields: {
      events: {
        flags: '--event, --events <names>',
        text: 'such as turn.settled,action.decided',
        required: true,
      },
      slack: false,
    },
    lines: ({ webhook, secret }) => [
      `Webhook ${webhook.id} is created. Its secret, which is not shown again:`,
      secret ?? '',
    ],
  }),
  'webhooks rotate <webhook>': operation('rotateWebhookSecret', {
    description: 'Give a webhook a new secret.',
    lines: ({ secret, webhook: { id, oldSecretsUntil } }) => [
      `The new secret of webhook ${id}, which is not shown again:`,
      secret,
      oldSecretsUntil !== null && `The old one signs along until ${oldSecretsUntil}.`,
    ],
  }),
  'webhooks delete <webhook>': operation('deleteWebhook', {
    description: 'Delete a webhook.',
    lines: (_, { id }) => `Webhook ${id} is deleted.`,
  }),
  'webhooks deliveries <webhook>': operation('listWebhookDeliveries', {
    description: 'List what was sent to a webhook.',
    none: 'The webhook has no such deliveries.',
    line: ({ id, createdAt, type, status, attemptCount, nextAttemptAt }) => [
      id,
      createdAt,
      type,
      status,
      `attempts ${attemptCount}`,
      nextAttemptAt !== null && `next at ${nextAttemptAt}`,
    ],
  }),
  'webhooks resend <delivery>': operation('resendWebhookDelivery', {
    description: 'Send a message again.',
    path: ['webhook', 'delivery'],
    options: { '--webhook <webhook>': { text: 'the webhook of the delivery', required: true } },
    lines: ({ id }) => `Delivery ${id} is sent again.`,
  }),
};
