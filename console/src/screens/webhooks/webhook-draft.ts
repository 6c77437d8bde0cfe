import type { CreateWebhookData, UpdateWebhookData, Webhook } from '../../api/types.ts';
import { parseJson } from '../../ui/parse-json.ts';

/** A kind of event of which a webhook is notified. */
export type EventType = Webhook['events'][number];

/** The events in the order of the documentation, with what they mean. */
export const eventTypes: readonly { value: EventType; text: string }[] = [
  { value: 'turn.settled', text: 'A turn has ended' },
  { value: 'turn.action_required', text: 'A turn waits for a person or a program' },
  { value: 'action.reminded', text: '80 % of the time to decide is over' },
  { value: 'action.decided', text: 'It was decided' },
  { value: 'action.expired', text: 'No decision came in time' },
  { value: 'connection.needs_authorization', text: 'A server refuses the credentials of a connection' },
  { value: 'document.ready', text: 'A document can be searched' },
  { value: 'document.failed', text: 'A document could not be read' },
  { value: 'budget.warning', text: '80 % of a budget are spent' },
  { value: 'inbox.message', text: 'An agent has sent a message to a person' },
];

/** A webhook as a form has it. */
export interface WebhookDraft {
  kind: 'url' | 'slack';
  url: string;
  events: readonly EventType[];
  secret: string;
  connectionId: string;
  channel: string;
  signingSecret: string;
  /** The people who decide in the channel, as JSON. */
  approvers: string;
}

/** A webhook that nobody has filled in. */
export const emptyDraft: WebhookDraft = {
  ...{ kind: 'url', url: '', events: ['turn.settled', 'turn.action_required'], secret: '' },
  ...{ connectionId: '', channel: '', signingSecret: '', approvers: '[]' },
};

/** Returns the fields of a form for a stored webhook. */
export function toDraft({ url, slack, events }: Webhook): WebhookDraft {
  if (!slack) return { ...emptyDraft, url: url ?? '', events };
  const { connectionId, channel, approvers } = slack;
  return {
    ...emptyDraft,
    kind: 'slack',
    events,
    connectionId,
    channel,
    approvers: JSON.stringify(approvers, null, 2),
  };
}

type Slack = NonNullable<CreateWebhookData['body']['slack']>;

function toSlack({
  connectionId,
  channel,
  approvers,
}: WebhookDraft): Omit<Slack, 'signingSecret'> | undefined {
  const list = parseJson(approvers);
  if (connectionId.trim() === '' || channel.trim() === '' || !Array.isArray(list)) return undefined;
  // The API checks what they have.
  return {
    connectionId,
    channel: channel.trim(),
    approvers: list as object[] as NonNullable<Slack['approvers']>,
  };
}

/** Returns the request for a new webhook; undefined while something in the form is missing or wrong. */
export function toBody(draft: WebhookDraft): CreateWebhookData['body'] | undefined {
  const { kind, url, events, secret, signingSecret } = draft;
  if (kind === 'url') {
    if (url.trim() === '' || events.length === 0) return undefined;
    return {
      url: url.trim(),
      events: [...events],
      ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
    };
  }
  const slack = toSlack(draft);
  return slack && signingSecret.trim() !== ''
    ? { slack: { ...slack, signingSecret: signingSecret.trim() } }
    : undefined;
}

/** Returns the change of a webhook for a form; undefined while something in it is missing or wrong. */
export function toChange(draft: WebhookDraft): UpdateWebhookData['body'] | undefined {
  const { kind, url, events, signingSecret } = draft;
  if (kind === 'url')
    return url.trim() === '' || events.length === 0 ? undefined : { url: url.trim(), events: [...events] };
  const slack = toSlack(draft);
  const given = signingSecret.trim();
  return slack && { slack: { ...slack, ...(given === '' ? {} : { signingSecret: given }) } };
}
