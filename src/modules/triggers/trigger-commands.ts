import type { CreateTriggerData, HoldfastClient } from '../../clients/client/index.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

type NewTrigger = CreateTriggerData['body'];

/** Lists the triggers, one line each. */
export async function listTriggers({ client, terminal }: CommandServices, options: OutputOptions) {
  const triggers = await readAll((page) => client.triggers.list(page));
  if (options.json) {
    printJson(terminal, triggers);
    return;
  }
  if (triggers.length === 0) terminal.line('The workspace has no triggers.');
  for (const { id, name, provider, events, action, paused, stoppedAt } of triggers) {
    const state = `${paused ? '  paused' : ''}${stoppedAt === null ? '' : '  stopped'}`;
    terminal.line(`${id}  ${name}  ${provider}  ${events.join(',')}  ${action.kind}${state}`);
  }
}

/** Prints a trigger and its last deliveries. */
export async function showTrigger(
  { client, terminal }: CommandServices,
  triggerId: string,
  options: OutputOptions,
) {
  const trigger = await client.triggers.get(triggerId);
  const { items: deliveries } = await client.triggers.deliveries.list(triggerId, { limit: 10 });
  if (options.json) {
    printJson(terminal, { ...trigger, deliveries });
    return;
  }
  terminal.line(`${trigger.name}: ${trigger.provider}, ${trigger.events.join(', ')}`);
  terminal.line(`  URL  ${trigger.url}`);
  if (trigger.paused) terminal.line('It is paused.');
  if (trigger.stoppedAt !== null)
    terminal.line(`It was stopped at ${trigger.stoppedAt}: ${trigger.stoppedReason}`);
  if (!trigger.hasSecret) terminal.line('Its secret is not set: every delivery is refused.');
  for (const delivery of deliveries) {
    const { id, receivedAt, status, event, turnId, routineRunId, reason, error, duplicates } = delivery;
    const outcome = turnId ?? routineRunId ?? reason ?? error?.message ?? '';
    const again = duplicates === 0 ? '' : `  came again ${duplicates} times`;
    terminal.line(`  ${id}  ${receivedAt}  ${status}  ${event ?? ''}  ${outcome}${again}`.trimEnd());
  }
}

/** The options of `triggers create`. */
export interface TriggerOptions extends OutputOptions {
  provider: string;
  events: string[];
  filter?: string;
  agent?: string;
  conversation?: string;
  per?: string;
  message?: string;
  routine?: string;
  input?: string;
  secret?: string;
}

/** Creates a trigger, and prints the URL and the secret to register with the vendor. */
export async function createTrigger(
  { client, terminal }: CommandServices,
  name: string,
  options: TriggerOptions,
) {
  const { provider, events, filter, secret, json } = options;
  const created = await client.triggers.create({
    ...{ name, provider, events, action: toAction(options) },
    ...(filter === undefined ? {} : { filter }),
    ...(secret === undefined ? {} : { secret }),
  });
  if (json) {
    printJson(terminal, created);
    return;
  }
  terminal.line(`Trigger ${created.trigger.id} is created. Register this URL with the vendor:`);
  terminal.line(created.trigger.url);
  if (created.secret !== null) printSecret(terminal, created.secret);
  if (created.trigger.hasSecret) return;
  terminal.line(
    `Then set the secret that the vendor shows: holdfast triggers rotate-secret ${created.trigger.id}`,
  );
}

function printSecret(terminal: Terminal, secret: string): void {
  terminal.line('and this secret, which is not shown again:');
  terminal.line(secret);
}

/** @throws Error when the options do not say what to start */
function toAction(options: TriggerOptions): NewTrigger['action'] {
  const { agent, conversation, per, message, routine, input } = options;
  if (routine !== undefined)
    return { kind: 'routine', routineId: routine, ...(input === undefined ? {} : { input }) };
  if (agent === undefined && conversation === undefined)
    throw new Error('Say what to start: --agent, --conversation or --routine.');
  return {
    kind: 'turn',
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(conversation === undefined ? {} : { conversationId: conversation }),
    ...(per === undefined ? {} : { conversationKey: per }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Pauses a trigger, or lets it continue. */
export function pauseTrigger(paused: boolean) {
  return async ({ client, terminal }: CommandServices, id: string, options: OutputOptions) => {
    const trigger = await client.triggers.update(id, { paused });
    if (options.json) printJson(terminal, trigger);
    else terminal.line(`Trigger ${id} ${paused ? 'is paused' : 'goes on'}.`);
  };
}

/** Sets the secret of a trigger, or gives it a new one and prints it. */
export async function rotateTriggerSecret(
  { client, terminal }: CommandServices,
  id: string,
  { secret, json }: OutputOptions & { secret?: string },
) {
  const rotated = await client.triggers.rotateSecret(id, secret === undefined ? {} : { secret });
  if (json) {
    printJson(terminal, rotated);
    return;
  }
  terminal.line(`The secret of trigger ${id} is changed.`);
  if (rotated.secret !== null) printSecret(terminal, rotated.secret);
  const { oldSecretsUntil } = rotated.trigger;
  if (oldSecretsUntil !== null) terminal.line(`The old one counts until ${oldSecretsUntil}.`);
}

/** Starts a delivery that has started nothing. */
export async function retryDelivery(
  { client, terminal }: CommandServices,
  id: string,
  { delivery, json }: OutputOptions & { delivery: string },
) {
  const retried = await client.triggers.deliveries.retry(id, delivery);
  if (json) printJson(terminal, retried);
  else terminal.line(`Delivery ${delivery} is started again.`);
}

/** Deletes a trigger. */
export async function deleteTrigger(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  await client.triggers.delete(id);
  if (options.json) printJson(terminal, { deleted: true });
  else terminal.line(`Trigger ${id} is deleted.`);
}
