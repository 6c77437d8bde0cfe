import type { Decider, PendingAction } from '../../../domain/action.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Redact } from '../../../domain/redact.ts';
import { maskNamedSecrets } from '../../../domain/secret-name.ts';
import { toPreview } from '../../../domain/text.ts';

/** A message of Slack: blocks, and the text for notifications. */
export interface SlackMessage {
  text: string;
  blocks: JsonObject[];
}

/** The fields of an action that a message shows. */
export type ShownAction = Pick<
  PendingAction,
  | 'id'
  | 'tool'
  | 'target'
  | 'connections'
  | 'arguments'
  | 'turnId'
  | 'expiresAt'
  | 'status'
  | 'decidedBy'
  | 'reason'
  | 'askedBecause'
> & { approvedArguments: JsonObject | null };

/** The ids of the buttons, which a press names. */
export const buttonIds = { approve: 'holdfast_approve', reject: 'holdfast_reject' } as const;

/** How many characters of the arguments are shown; a block of Slack takes 3,000. */
const mostArguments = 2_000;
/** How many characters the header block of Slack takes. */
const mostHeader = 150;
const mostReason = 300;
const mostReasons = 1_000;

/** Asks for an approval. Without `buttons` the call can only be decided elsewhere. */
export function toAskingMessage(
  action: ShownAction,
  { redact, buttons }: { redact: Redact; buttons: boolean },
): SlackMessage {
  const expires = Math.floor(Date.parse(action.expiresAt) / 1000);
  const until = `<!date^${expires}^{date_short_pretty} {time}|${action.expiresAt}>`;
  const where = buttons ? '' : ' · It cannot be decided in this channel: decide it with the API.';
  return {
    ...toCall(action, 'Approval needed', redact),
    blocks: [
      ...toCall(action, 'Approval needed', redact).blocks,
      ...toReasons(action, redact),
      toContext(`Turn ${action.turnId} · Expires ${until}${where}`),
      ...(buttons ? [toButtons(action.id)] : []),
    ],
  };
}

/** Shows the outcome of an approval, in place of its buttons. */
export function toDecidedMessage(action: ShownAction, redact: Redact): SlackMessage {
  const { title, detail } = toEnd(action);
  const call = toCall(action, title, redact);
  return { ...call, blocks: [...call.blocks, toContext(detail)] };
}

function toEnd({ status, decidedBy, reason, approvedArguments }: ShownAction) {
  const because = reason === null ? '' : `: ${toMarkup(toPreview(reason, mostReason))}`;
  const person = toPerson(decidedBy);
  switch (status) {
    case 'approved': {
      const changed = approvedArguments === null ? '' : ', with other arguments';
      return { title: 'Approved', detail: `Approved by ${person}${changed}${because}` };
    }
    case 'rejected':
      return { title: 'Rejected', detail: `Rejected by ${person}${because}` };
    case 'expired':
      return { title: 'Expired', detail: 'Nobody decided in time; it was not run.' };
    default:
      return { title: 'Over', detail: `The turn no longer waits for it (${status}).` };
  }
}

/** Names who decided, as text: any API key may choose a name, so none is a mention. */
function toPerson(decider: Decider | null): string {
  if (decider?.grantId !== undefined) return 'an approval that is remembered';
  if (decider?.actingFor) return toMarkup(decider.actingFor);
  return decider?.apiKeyId ? 'a program with an API key' : 'somebody who works with Temporal';
}

/** The tool and its arguments as plain text, in which Slack finds no mentions, links or formats. */
function toCall(
  { tool, target, connections, arguments: input }: ShownAction,
  title: string,
  redact: Redact,
): SlackMessage {
  const header = redact(`${title}: ${target ?? tool}`);
  const credentials = redact(`With the credentials of ${connections.join(', ')}`);
  const shown = redact(JSON.stringify(maskNamedSecrets(input), null, 2));
  return {
    text: toMarkup(header),
    blocks: [
      { type: 'header', text: toPlainText(toPreview(header, mostHeader)) },
      ...(connections.length === 0
        ? []
        : [{ type: 'section', text: toPlainText(toPreview(credentials, mostArguments)) }]),
      { type: 'section', text: toPlainText(toPreview(shown, mostArguments)) },
    ],
  };
}

function toReasons({ askedBecause }: ShownAction, redact: Redact): JsonObject[] {
  if (askedBecause.length === 0) return [];
  const because = toPreview(redact(`Asks because ${askedBecause.join('; ')}`), mostReasons);
  return [{ type: 'section', text: toPlainText(because) }];
}

function toPlainText(text: string): JsonObject {
  return { type: 'plain_text', text, emoji: false };
}

function toContext(text: string): JsonObject {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] };
}

function toButtons(actionId: string): JsonObject {
  const toButton = (text: string, id: string, style: string) => ({
    ...{ type: 'button', action_id: id, value: actionId, style },
    text: toPlainText(text),
  });
  return {
    type: 'actions',
    elements: [
      toButton('Approve', buttonIds.approve, 'primary'),
      toButton('Reject', buttonIds.reject, 'danger'),
    ],
  };
}

/** Escapes the three characters that Slack's markup gives a meaning: https://docs.slack.dev/messaging/formatting-message-text */
function toMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
