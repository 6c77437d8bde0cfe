import type { Conversation, HoldfastClient, ListConversationsData, Turn } from '../client/index.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { parseDollars } from '../../domain/credits.ts';
import { findAgent } from './find-agent.ts';
import { toOneLine } from '../../domain/text.ts';
import { readFirst } from './pages.ts';
import type { Terminal } from './terminal.ts';
import { printJson, type OutputOptions } from './output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** The options with which lists of turns and of conversations choose. */
export interface FilterOptions extends OutputOptions {
  agent?: string;
  person?: string;
  tag?: string;
  outcome?: string;
  from?: string;
  to?: string;
  limit?: string;
}

/** The options with which lists of turns choose besides. */
export interface TurnOptions extends FilterOptions {
  tool?: string;
  text?: string;
  costFrom?: string;
  costTo?: string;
  durationFrom?: string;
}

/** Lists turns of a conversation, or of all, newest first, one line each. */
export async function listTurns(
  { client, terminal }: CommandServices,
  conversationId: string | undefined,
  options: TurnOptions,
) {
  const filter = { ...(await toFilter(client, options)), ...toSearch(options), conversationId };
  // A conversation is listed whole.
  const limit = toLimit(options, conversationId === undefined ? '100' : 'all');
  const turns = await readFirst(limit, (page) => client.turns.find({ ...filter, ...page }));
  if (options.json) printJson(terminal, turns);
  else if (turns.length === 0) terminal.line('No turn fits.');
  else for (const turn of turns) terminal.line(toTurnLine(turn));
}

/** The options of `conversations list`. */
export interface ConversationOptions extends FilterOptions {
  externalId?: string;
}

/** Lists conversations, newest first, one line each. */
export async function listConversations({ client, terminal }: CommandServices, options: ConversationOptions) {
  const { externalId } = options;
  const filter = { ...(await toFilter(client, options)), externalId };
  const conversations = await readFirst(toLimit(options, '100'), (page) =>
    client.conversations.list({ ...filter, ...page }),
  );
  if (options.json) printJson(terminal, conversations);
  else if (conversations.length === 0) terminal.line('No conversation fits.');
  else for (const conversation of conversations) terminal.line(toConversationLine(conversation));
}

type Filter = NonNullable<ListConversationsData['query']>;

async function toFilter(client: HoldfastClient, options: FilterOptions) {
  const { agent, person, tag, outcome, from, to } = options;
  const agentId = agent === undefined ? undefined : (await findAgent(client, agent)).id;
  // The API refuses outcomes that it does not know.
  return { agentId, person, tag, outcome: outcome as Filter['outcome'], from, to };
}

function toSearch({ tool, text, costFrom, costTo, durationFrom }: TurnOptions) {
  return {
    ...{ tool, text },
    costFrom: toCredits('--cost-from', costFrom),
    costTo: toCredits('--cost-to', costTo),
    durationFrom: toMilliseconds(durationFrom),
  };
}

function toCredits(option: string, dollars: string | undefined): number | undefined {
  if (dollars === undefined) return undefined;
  const credits = parseDollars(dollars);
  if (credits !== null) return Number(credits);
  const expected = 'expected US dollars with at most six decimals, such as 2.50';
  throw new HoldfastError('INVALID_INPUT', `${option} is "${dollars}": ${expected}.`);
}

function toMilliseconds(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const milliseconds = Math.round(Number(seconds) * 1000);
  if (seconds.trim() !== '' && milliseconds >= 0) return milliseconds;
  throw new HoldfastError('INVALID_INPUT', `--duration-from is "${seconds}": expected seconds, such as 30.`);
}

function toLimit({ limit }: FilterOptions, standard: string): number {
  return parseLimit(limit ?? standard);
}

/**
 * Returns how many items `--limit` asks for.
 * @throws HoldfastError `INVALID_INPUT` for what is neither a number above 0 nor "all"
 */
export function parseLimit(limit: string): number {
  if (limit === 'all') return Infinity;
  const most = Number(limit);
  if (Number.isInteger(most) && most > 0) return most;
  throw new HoldfastError('INVALID_INPUT', `--limit is "${limit}": expected a number above 0, or "all".`);
}

function toTurnLine({ id, status, createdAt, answer }: Turn): string {
  return `${id}  ${createdAt}  ${status.padEnd(15)}  ${toOneLine(answer ?? '', 60)}`.trimEnd();
}

function toConversationLine({ id, createdAt, externalId, person, title, tags }: Conversation): string {
  const named = [externalId, person, title, tags.join(',')].filter((name) => name !== null && name !== '');
  return [id, createdAt, ...named].join('  ');
}
