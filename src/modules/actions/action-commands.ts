import { HoldfastApiError, type HoldfastClient, type PendingAction } from '../../clients/client/index.ts';
import { parseJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';
import type { RememberInput } from '../../domain/remember-input.ts';
import { toRememberInput, type RememberOptions } from './grant-commands.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** The options of a decision, as they are typed. */
export interface DecisionOptions extends OutputOptions, RememberOptions {
  reason?: string;
  actingFor?: string;
  /** JSON. */
  arguments?: string;
  /** A text, or JSON. */
  answer?: string;
  /** Whether the answer says that a tool failed. */
  error?: boolean;
}

/** Lists what waits for people, one line each. */
export async function listActions({ client, terminal }: CommandServices, options: OutputOptions) {
  const actions = await readAll((page) => client.pendingActions.list(page));
  if (options.json) {
    printJson(terminal, actions);
    return;
  }
  if (actions.length === 0) terminal.line('Nothing waits for people.');
  for (const { id, turnId, expiresAt, ...action } of actions) {
    terminal.line(`${id}  ${toAsked(action)}  turn ${turnId}  until ${expiresAt}`);
  }
}

/** The request of an action, on one line. */
function toAsked({
  tool,
  target,
  connections,
  question,
  options,
  server,
  url,
  ...action
}: Pick<
  PendingAction,
  'tool' | 'target' | 'connections' | 'question' | 'options' | 'server' | 'url' | 'arguments' | 'askedBecause'
>) {
  const credentials = connections.length === 0 ? '' : ` with the credentials of ${connections.join(', ')}`;
  const call = `${target ?? tool}${credentials} ${toOneLine(JSON.stringify(action.arguments), 200)}`;
  if (question === null) return `${call}${toReasons(action)}`;
  const choices = options ? ` (${options.join(', ')})` : '';
  const asker = server === null ? tool : `${tool} of ${server}`;
  const address = url === null ? '' : ` at ${url}`;
  return `${asker} ${JSON.stringify(toOneLine(question + choices, 200))}${address}`;
}

function toReasons({ askedBecause }: Pick<PendingAction, 'askedBecause'>): string {
  return askedBecause.length === 0 ? '' : `  asks because ${toOneLine(askedBecause.join('; '), 200)}`;
}

/** Approves a tool call that waits, with its own arguments or with others, and later ones too where that is asked for. */
export async function approveAction(services: CommandServices, id: string, options: DecisionOptions) {
  const changed = options.arguments === undefined ? {} : { arguments: parseArguments(options.arguments) };
  const body: Decision = { decision: 'approve', ...changed };
  if (options.remember !== undefined) {
    const action = await services.client.pendingActions.get(id);
    body.remember = toRememberInput({ ...action, ...changed }, options);
  }
  return decide(services, id, { ...options, body });
}

/** Rejects a tool call that waits. */
export function rejectAction(services: CommandServices, id: string, options: DecisionOptions) {
  return decide(services, id, { ...options, body: { decision: 'reject' } });
}

/** Answers a question, or posts the result of a tool that runs outside. */
export async function answerAction(services: CommandServices, id: string, options: DecisionOptions) {
  const { answer = '', error } = options;
  const { schema } = await services.client.pendingActions.get(id);
  const body = {
    decision: 'answer' as const,
    // "42" may be a text; only the question knows.
    answer: schema?.['type'] === 'string' ? answer : parseAnswer(answer),
    ...(error ? { isError: true } : {}),
  };
  return decide(services, id, { ...options, body });
}

function parseAnswer(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Prints a link to a page on which a person decides, alone on its line. */
export async function linkAction(
  { client, terminal }: CommandServices,
  id: string,
  { actingFor, hours, json }: OutputOptions & { actingFor?: string; hours?: string },
): Promise<void> {
  const link = await client.pendingActions.createLink(id, {
    ...(actingFor === undefined ? {} : { actingFor }),
    ...(hours === undefined ? {} : { expiresInSeconds: Math.round(Number(hours) * 3600) }),
  });
  if (json) printJson(terminal, link);
  else terminal.line(link.url);
}

type Decision =
  | { decision: 'answer'; answer: JsonValue; isError?: boolean }
  | { decision: 'approve'; arguments?: JsonObject; remember?: RememberInput }
  | { decision: 'reject' };

async function decide(
  { client, terminal }: CommandServices,
  id: string,
  { body, reason, actingFor, json }: DecisionOptions & { body: Decision },
): Promise<void> {
  const action = await client.pendingActions.decide(id, {
    ...body,
    ...(reason === undefined ? {} : { reason }),
    ...(actingFor === undefined ? {} : { actingFor }),
  });
  if (json) printJson(terminal, action);
  else terminal.line(`${action.target ?? action.tool} is ${action.status}; turn ${action.turnId} goes on.`);
}

function parseArguments(text: string): JsonObject {
  const parsed = parseJsonObject(text);
  if (parsed) return parsed;
  throw new HoldfastApiError('INVALID_INPUT', `--arguments is no JSON object: ${toOneLine(text, 100)}`);
}
