import type { HoldfastClient } from '../../clients/client/index.ts';
import { operation, type CommandTable, type Given } from '../../clients/cli/command-table.ts';

type ShownTrigger = Awaited<ReturnType<typeof getTrigger>>;

/** The options of `triggers create` that are no fields of a trigger. */
type ActionOptions = Partial<
  Record<'agent' | 'conversation' | 'per' | 'message' | 'routine' | 'input', string>
>;

const pause = (description: string, paused: boolean) =>
  operation('updateTrigger', {
    description,
    fields: false,
    input: () => ({ paused }),
    lines: (_, { id }) => `Trigger ${id} ${paused ? 'is paused' : 'goes on'}.`,
  });

/** The commands of triggers. */
export const commands: CommandTable = {
  triggers: 'Let webhooks of vendors start turns and routines.',
  'triggers list': operation('listTriggers', {
    description: 'List the triggers of the workspace.',
    none: 'The workspace has no triggers.',
    line: ({ id, name, provider, events, action, paused, stoppedAt }) => [
      id,
      name,
      provider,
      events.join(','),
      action.kind,
      paused && 'paused',
      stoppedAt !== null && 'stopped',
    ],
  }),
  'triggers show <trigger>': operation('getTrigger', {
    description: 'Show a trigger with its last deliveries.',
    call: ({ client }, { id }) => getTrigger(client, id),
    lines: toTriggerLines,
  }),
  'triggers create <name>': operation('createTrigger', {
    description: 'Start a turn or a routine when a vendor delivers an event.',
    fields: {
      provider: 'a sender, such as github, slack or standard-webhooks',
      events: { text: 'such as issues.opened, issues.* or *', default: ['*'] },
      action: false,
    },
    options: {
      '--agent <id>': 'begin conversations with this agent',
      '--per <template>': 'deliveries with the same value are turns of one conversation',
      '--conversation <id>': 'send the message in this conversation',
      '--message <template>': 'such as "Look at {{ .issue.title }}"',
      '--routine <id>': 'run this routine',
      '--input <program>': 'a jq program that makes its input from the payload',
    },
    input: ({ options }: Given<ActionOptions>) => ({ action: toAction(options) }),
    lines: ({ trigger: { id, url, hasSecret }, secret }) => [
      `Trigger ${id} is created. Register this URL with the vendor:`,
      url,
      secret !== null && 'and this secret, which is not shown again:',
      secret,
      !hasSecret && `Then set the secret that the vendor shows: holdfast triggers rotate-secret ${id}`,
    ],
  }),
  'triggers pause <trigger>': pause('Pause a trigger.', true),
  'triggers resume <trigger>': pause('Let a trigger go on.', false),
  'triggers rotate-secret <trigger>': operation('rotateTriggerSecret', {
    description: 'Set the secret of a trigger, or give it a new one.',
    fields: { secret: 'the secret that the vendor shows' },
    lines: ({ trigger: { id, oldSecretsUntil }, secret }) => [
      `The secret of trigger ${id} is changed.`,
      secret !== null && 'and this secret, which is not shown again:',
      secret,
      oldSecretsUntil !== null && `The old one counts until ${oldSecretsUntil}.`,
    ],
  }),
  'triggers retry <trigger>': operation('retryTriggerDelivery', {
    description: 'Start a delivery that has failed or was ignored by the filter.',
    path: ['trigger', 'delivery'],
    options: { '--delivery <id>': { text: 'as "triggers show" lists it', required: true } },
    lines: (_, { options: { delivery } }: Given<{ delivery: string }>) =>
      `Delivery ${delivery} is started again.`,
  }),
  'triggers delete <trigger>': operation('deleteTrigger', {
    description: 'Delete a trigger.',
    lines: (_, { id }) => `Trigger ${id} is deleted.`,
  }),
};

async function getTrigger(client: HoldfastClient, id: string) {
  const trigger = await client.triggers.get(id);
  const { items: deliveries } = await client.triggers.deliveries.list(id, { limit: 10 });
  return { ...trigger, deliveries };
}

function toTriggerLines({ deliveries, ...trigger }: ShownTrigger) {
  const { name, provider, events, url, paused, stoppedAt, stoppedReason, hasSecret } = trigger;
  return [
    `${name}: ${provider}, ${events.join(', ')}`,
    `  URL  ${url}`,
    paused && 'It is paused.',
    stoppedAt !== null && `It was stopped at ${stoppedAt}: ${stoppedReason}`,
    !hasSecret && 'Its secret is not set: every delivery is refused.',
    ...deliveries.map(
      ({ id, receivedAt, status, event, turnId, routineRunId, reason, error, duplicates }) => {
        const outcome = turnId ?? routineRunId ?? reason ?? error?.message ?? '';
        const again = duplicates === 0 ? '' : `  came again ${duplicates} times`;
        return `  ${id}  ${receivedAt}  ${status}  ${event ?? ''}  ${outcome}${again}`.trimEnd();
      },
    ),
  ];
}

/** @throws Error when the options do not say what to start */
function toAction({ agent, conversation, per, message, routine, input }: ActionOptions): object {
  if (routine !== undefined) return { kind: 'routine', routineId: routine, input };
  if (agent === undefined && conversation === undefined)
    throw new Error('Say what to start: --agent, --conversation or --routine.');
  return { kind: 'turn', agentId: agent, conversationId: conversation, conversationKey: per, message };
}
