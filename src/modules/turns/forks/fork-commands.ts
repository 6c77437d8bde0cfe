import type {
  CompareConversationsData,
  ForkConversationData,
  HoldfastClient,
} from '../../../clients/client/index.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** The options of `conversations fork`. */
export interface ForkOptions extends OutputOptions {
  turn: string;
  iteration?: string;
  message?: string;
  /** Each a tool call's id, `=` and its result. */
  results?: string[];
  agentVersion?: string;
  live?: boolean;
  run: boolean;
}

/** A comma before the next result, since results hold commas themselves. */
export const nextResult = /,(?=[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}=)/i;

/** Forks a conversation, waits for the end of the turn that runs in it, and prints its answer. */
export async function forkConversation(
  { client, terminal }: CommandServices,
  conversationId: string,
  options: ForkOptions,
) {
  const { conversation, turn } = await client.conversations.fork(conversationId, toBody(options));
  const settled = turn === null ? null : await client.turns.wait(turn.id);
  if (options.json) {
    printJson(terminal, { conversation, turn: settled });
    return;
  }
  terminal.line(`Conversation ${conversation.id} is a fork of ${conversationId}.`);
  if (!settled) return;
  terminal.line(`Turn ${settled.id} is ${(settled.outcome ?? settled.status).replaceAll('_', ' ')}.`);
  for (const { iteration, name, status, answeredBy } of settled.toolCalls)
    terminal.line(`  ${iteration}  ${name}  ${status}  ${answeredBy ?? 'ran'}`);
  terminal.line(settled.answer ?? '');
}

function toBody(options: ForkOptions): ForkConversationData['body'] {
  const { turn: turnId, iteration, message, results, agentVersion, live, run } = options;
  return {
    turnId,
    ...(iteration === undefined ? {} : { iteration: Number(iteration) }),
    ...(message === undefined ? {} : { message }),
    ...(results === undefined ? {} : { toolResults: results.map(toToolResult) }),
    ...(agentVersion === undefined ? {} : { agentVersionId: agentVersion }),
    ...(live ? { tools: 'live' } : {}),
    ...(run ? {} : { run }),
  };
}

function toToolResult(text: string) {
  const end = text.indexOf('=');
  if (end === -1)
    throw new Error(`--result: expected the id of a tool call, "=" and its result, found ${text}`);
  return { toolCallId: text.slice(0, end), result: text.slice(end + 1) };
}

/** Prints how a fork differs from its parent or from another fork. */
export async function compareForks(
  { client, terminal }: CommandServices,
  conversationId: string,
  options: OutputOptions & { with: CompareConversationsData['query']['with'] },
) {
  const compared = await client.conversations.compare(conversationId, { with: options.with });
  if (options.json) {
    printJson(terminal, compared);
    return;
  }
  const { trajectory, firstDifference: first, scores } = compared.comparison;
  const shown = Object.entries(scores).map(([name, score]) => `${name} ${score.toFixed(2)}`);
  terminal.line(`Trajectory: ${trajectory.replaceAll('_', ' ')}. Scores: ${shown.join(', ')}.`);
  if (first === null) {
    terminal.line('There is no difference.');
    return;
  }
  terminal.line(
    `First difference: turn ${first.turn}, step ${first.iteration}, ${first.kind.replaceAll('_', ' ')}.`,
  );
  terminal.line(`  expected  ${toOneLine(first.expected, 200)}`);
  terminal.line(`  found     ${toOneLine(first.found, 200)}`);
}
