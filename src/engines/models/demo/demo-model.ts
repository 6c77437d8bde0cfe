import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ModelAnswer, ModelCall, ModelMessage, RequestedToolCall } from '../../../domain/model.ts';
import { toDemoJson } from './demo-json.ts';
import type { ModelPart } from '../../../domain/model-part.ts';
import { describeModelParts } from './demo-parts.ts';
import { listExamples, pickToolCalls } from './demo-rules.ts';

const name = 'demo';
const label = '[demo model]';
const maxQuoteLength = 600;
/** How much of a message the patterns are run over, in characters: they are slow on long texts. */
const maxReadLength = 2000;
const wordsPerChunk = 3;
const slowWords = 20;
/** For how long a slow answer streams, in seconds; and the most that a message may ask for. */
const slowSeconds = { standard: 20, most: 60 };
const slowPattern = /\bslowly\b(?:\s+for\s+(\d+(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?\b)?/i;

/**
 * Answers a call by a few fixed rules, so that Holdfast can be tried without an account. Equal calls get equal
 * answers, and every answer begins with `[demo model]`. A message with the word "slowly" streams for twenty more seconds,
 * and one with "slowly for 2 seconds" for two. With a response schema the answer is an object whose texts name their fields,
 * or repeat what tools have answered.
 */
export async function callDemoModel(call: ModelCall): Promise<ModelAnswer> {
  const userIndex = call.messages.findLastIndex(({ role }) => role === 'user');
  const user = call.messages[userIndex];
  const userText = user?.role === 'user' ? user.text.slice(0, maxReadLength) : '';
  const results = call.messages.slice(userIndex + 1).filter((message) => message.role === 'tool');
  const mayCall = results.length === 0 && call.toolChoice !== 'none';
  const toolCalls = mayCall ? requestTools(call, userText) : [];
  const parts = user?.role === 'user' ? user.parts : undefined;
  const text = toText(call, { toolCalls, results, parts });

  await stream(call, toChunks(text));
  const isText = toolCalls.length === 0 && !call.responseSchema;
  const slowMs = isText ? findSlowMs(userText) : undefined;
  const slowText = slowMs === undefined ? '' : toSlowText();
  if (slowMs !== undefined) await stream(call, slowText.split(/(?<=\s)(?=\S)/), slowMs / slowWords);
  return {
    text: text + slowText,
    reasoning: '',
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: estimateUsage(call, text + slowText + JSON.stringify(toolCalls)),
    answeredBy: name,
  };
}

function requestTools(call: ModelCall, userText: string): RequestedToolCall[] {
  return pickToolCalls(userText, call.tools).map((wanted, index) => ({
    modelCallId: `demo_${call.messages.length}_${index}`,
    ...wanted,
  }));
}

interface Situation {
  toolCalls: RequestedToolCall[];
  results: Extract<ModelMessage, { role: 'tool' }>[];
  /** The parts of the user's message; undefined for a text. */
  parts: ModelPart[] | undefined;
}

function toText(call: ModelCall, { toolCalls, ...situation }: Situation): string {
  if (toolCalls.length > 0) return `${label} I call ${toolCalls.map(({ name }) => name).join(', ')}.`;
  const text = toAnswer(call, situation);
  if (!call.responseSchema) return text;
  const hasContent = situation.results.length > 0 || situation.parts !== undefined;
  const toFieldText = (field: string) => (hasContent ? text : `${label} ${field}`.trim());
  return JSON.stringify(toDemoJson(call.responseSchema, toFieldText));
}

function toAnswer(call: ModelCall, { results, parts }: Omit<Situation, 'toolCalls'>): string {
  if (results.length > 0)
    return [`${label} This is what my tools said.`, ...results.map(quoteResult)].join('\n');
  return parts ? `${label} ${describeModelParts(parts)}` : toHelp(call);
}

function quoteResult({ name, text, isError }: Situation['results'][number]): string {
  const quote = text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
  return `${name} ${isError ? 'failed' : 'answered'}: ${quote}`;
}

function toHelp(call: ModelCall): string {
  const examples = listExamples(call.tools).map((example) => `"${example}"`);
  const suggestion =
    examples.length > 0
      ? `With the tools of this agent you can try ${examples.join(', ')}.`
      : 'This agent has no tool that I know how to use.';
  return [
    `${label} I am not a language model: a few fixed rules, so that Holdfast can be tried without an account.`,
    `${suggestion} Put the word "slowly" into a message to watch the answer stream.`,
    'For real answers set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY (or',
    'HOLDFAST_COMPATIBLE_BASE_URL for a server of your own), and give the agent a model such as',
    'openai/…, anthropic/…, google/… or compatible/….',
  ].join(' ');
}

function findSlowMs(text: string): number | undefined {
  const match = slowPattern.exec(text);
  if (!match) return undefined;
  return Math.min(Number(match[1] ?? slowSeconds.standard), slowSeconds.most) * 1000;
}

function toSlowText(): string {
  const words = Array.from({ length: slowWords }, (_, index) => `word${index + 1}`);
  return `\nSlowly: ${words.join(' ')}`;
}

function toChunks(text: string): string[] {
  const words = text.split(/(?<=\s)(?=\S)/);
  const count = Math.ceil(words.length / wordsPerChunk);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * wordsPerChunk, (index + 1) * wordsPerChunk).join(''),
  );
}

async function stream(call: ModelCall, chunks: string[], pauseMs?: number): Promise<void> {
  for (const chunk of chunks) {
    if (pauseMs === undefined) await setImmediate();
    // `setTimeout` rejects with its own error when it is aborted; the next line throws the signal's reason.
    else await setTimeout(pauseMs, undefined, { signal: call.signal }).catch(() => undefined);
    call.signal.throwIfAborted();
    call.onProgress?.();
    call.onTextDelta(chunk);
  }
}

/** Counts four characters as one token. */
function estimateUsage(call: ModelCall, output: string): ModelAnswer['usage'] {
  const input = call.messages.reduce((length, { text }) => length + text.length, call.instructions.length);
  return {
    inputTokens: Math.ceil(input / 4),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: Math.ceil(output.length / 4),
    reasoningTokens: 0,
  };
}
