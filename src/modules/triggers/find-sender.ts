import { createInvalidInput } from '../../domain/errors.ts';
import type { WebhookRule, WebhookSender } from '../../domain/webhook-rule.ts';
import { webhookSenders } from '../../engines/providers/webhook-senders.ts';

/**
 * Finds the sender of a trigger's deliveries.
 * @throws HoldfastError `INVALID_INPUT` for one whose rule is not known
 */
export function findSender({
  provider,
  rule,
}: {
  provider: string;
  rule?: WebhookRule | null | undefined;
}): WebhookSender {
  if (rule) return { title: 'The sender', secretFrom: 'registration', rule };
  const sender = Object.hasOwn(webhookSenders, provider) ? webhookSenders[provider] : undefined;
  if (sender) return sender;
  const known = Object.keys(webhookSenders).join(', ');
  throw createInvalidInput([
    { field: 'provider', message: `expected one of ${known}, or custom with a rule` },
  ]);
}
