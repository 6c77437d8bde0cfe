import { InvalidResponseDataError, ToolChoiceViolationError, type LanguageModelStreamPart } from 'ai';
import { isJsonObject } from '../../domain/json.ts';
import type { FinishReason, ModelAnswer, ModelCall, RequestedToolCall } from '../../domain/model.ts';
import { toProviderContent, type ContentPart, type ToolCallPart } from './provider-content.ts';
import type { ReasoningInText } from './reasoning-in-text.ts';
import type { SdkToolNames } from './sdk-tool-names.ts';
import { toUsage } from './to-usage.ts';
import type { VendorCall } from './to-vendor-call.ts';
import { createUniqueCallIds } from './unique-call-ids.ts';

type StreamPart = LanguageModelStreamPart;
type ProviderOptions = NonNullable<ContentPart['providerOptions']>;
type TextualPart = Exclude<ContentPart, ToolCallPart>;
type FinishPart = Extract<StreamPart, { type: 'model-call-end' }>;

/** Longer than the answer of any model; the limit keeps a hostile server from filling the memory of the worker. */
const maxCharacters = 8 * 1024 * 1024;

interface ReadOptions {
  /** The call that the stream answers. */
  call: ModelCall;
  /** The vendor's own name of the model, for an answer that does not say which model it is from. */
  modelId: string;
  names: Pick<SdkToolNames, 'fromSdkName'> & Pick<VendorCall, 'fromSdkInput'>;
  /** Takes the reasoning out of the text; null for a model that does not write it there. */
  inText: ReasoningInText | null;
  onTextDelta: (text: string) => void;
  onProgress: () => void;
}

/** The answer as far as it was received. */
interface PartialAnswer {
  parts: ContentPart[];
  openParts: Map<string, TextualPart>;
  toolCalls: RequestedToolCall[];
  uniqueId: (wanted: string) => string;
  characters: number;
  answeredBy: string;
  finish: FinishPart | undefined;
  /** Whether the model made calls although the request forbade them. */
  callsDropped: boolean;
}

/**
 * Reads the stream of one model call to its end.
 * @throws the error that the stream reports; InvalidResponseDataError when it ends without a finish
 */
export async function readModelAnswer(
  stream: AsyncIterable<StreamPart>,
  options: ReadOptions,
): Promise<ModelAnswer> {
  const answer: PartialAnswer = {
    parts: [],
    openParts: new Map(),
    toolCalls: [],
    uniqueId: createUniqueCallIds(),
    characters: 0,
    answeredBy: options.modelId,
    finish: undefined,
    callsDropped: false,
  };
  for await (const part of stream) {
    options.onProgress();
    addPart(answer, part, options);
  }
  const rest = options.inText?.end(answer.finish?.finishReason === 'stop') ?? '';
  if (rest !== '') showText(answer, { type: 'text-delta', id: 'rest' }, { ...options, text: rest });
  return toModelAnswer(answer, options);
}

function addPart(answer: PartialAnswer, part: StreamPart, options: ReadOptions): void {
  switch (part.type) {
    case 'text-start':
    case 'reasoning-start':
    case 'text-end':
    case 'reasoning-end':
      addText(answer, part, '');
      break;
    case 'text-delta':
      countCharacters(answer, part.text.length);
      showText(answer, part, {
        ...options,
        text: options.inText ? options.inText.push(part.text) : part.text,
      });
      break;
    case 'reasoning-delta':
      countCharacters(answer, part.text.length);
      addText(answer, part, part.text);
      break;
    case 'tool-input-delta':
      countCharacters(answer, part.delta.length);
      break;
    case 'tool-call':
      if (part.providerExecuted !== true) addToolCall(answer, part, options.names);
      break;
    case 'model-call-response-metadata':
      answer.answeredBy = part.modelId ?? answer.answeredBy;
      break;
    case 'model-call-end':
      answer.finish = part;
      break;
    case 'error':
      // The AI SDK has dropped the calls and kept the text, so the answer can be used.
      if (!ToolChoiceViolationError.isInstance(part.error)) throw part.error;
      answer.callsDropped = true;
      break;
    default:
  }
}

interface TextualStreamPart {
  type: `${'text' | 'reasoning'}-${string}`;
  id: string;
  providerMetadata?: ProviderOptions;
}

function addText(answer: PartialAnswer, part: TextualStreamPart, text: string): void {
  const type = part.type.startsWith('text') ? 'text' : 'reasoning';
  const key = `${type} ${part.id}`;
  const target = answer.openParts.get(key) ?? openPart(answer, type, key);
  target.text += text;
  // The last metadata of a part replaces what came before it: signatures come at the end.
  if (part.providerMetadata) target.providerOptions = part.providerMetadata;
  if (part.type.endsWith('-end')) answer.openParts.delete(key);
}

function showText(
  answer: PartialAnswer,
  part: TextualStreamPart,
  { text, onTextDelta }: Pick<ReadOptions, 'onTextDelta'> & { text: string },
): void {
  addText(answer, part, text);
  if (text !== '') onTextDelta(text);
}

function openPart(answer: PartialAnswer, type: TextualPart['type'], key: string): TextualPart {
  const part: TextualPart = type === 'text' ? { type: 'text', text: '' } : { type: 'reasoning', text: '' };
  answer.openParts.set(key, part);
  answer.parts.push(part);
  return part;
}

function addToolCall(
  answer: PartialAnswer,
  part: Extract<StreamPart, { type: 'tool-call' }>,
  { fromSdkName, fromSdkInput }: ReadOptions['names'],
): void {
  const name = fromSdkName(part.toolName);
  const modelCallId = answer.uniqueId(part.toolCallId);
  const given: unknown = part.input === '' ? {} : part.input;
  const input = isJsonObject(given) ? fromSdkInput(name, given) : given;
  const valid = isJsonObject(input);
  answer.toolCalls.push({
    modelCallId,
    name,
    ...(valid
      ? { arguments: input }
      : { arguments: null, invalidArguments: typeof input === 'string' ? input : JSON.stringify(input) }),
  });
  const content: ToolCallPart = {
    type: 'tool-call',
    toolCallId: modelCallId,
    toolName: name,
    input: valid ? input : {},
    ...(part.providerMetadata ? { providerOptions: part.providerMetadata } : {}),
  };
  answer.parts.push(content);
}

function countCharacters(answer: PartialAnswer, count: number): void {
  answer.characters += count;
  if (answer.characters > maxCharacters)
    throw badResponse(`The answer is longer than ${maxCharacters} characters.`);
}

function toModelAnswer(answer: PartialAnswer, { call, inText }: ReadOptions): ModelAnswer {
  const { finish, toolCalls } = answer;
  if (!finish || !isComplete(finish, answer.callsDropped))
    throw badResponse('The stream ended before the answer was finished.');
  const parts = answer.parts.filter(
    (part) => part.type === 'tool-call' || part.text !== '' || part.providerOptions,
  );
  const providerContent = toProviderContent(call.model, parts);
  // Reasoning of the text is not sent back: models that write it there want answers alone in the conversation.
  const reasoning = joinText(parts, 'reasoning') + (inText?.getReasoning() ?? '');
  const said = { text: joinText(parts, 'text'), reasoning, toolCalls };
  return {
    ...said,
    finishReason: toFinishReason(finish, toolCalls.length > 0),
    usage: toUsage(finish.usage, call, said),
    answeredBy: answer.answeredBy,
    ...(providerContent === undefined ? {} : { providerContent }),
  };
}

/** Returns whether the model finished. When a stream just stops, the SDK reports a finish without a raw reason. */
function isComplete({ finishReason, rawFinishReason }: FinishPart, callsDropped: boolean): boolean {
  // With dropped calls the SDK reports "error" for every answer; only a finished one has the vendor's raw reason.
  if (callsDropped) return rawFinishReason !== undefined;
  if (finishReason === 'error' || finishReason === 'interrupted') return false;
  return finishReason !== 'other' || rawFinishReason !== undefined;
}

function joinText(parts: ContentPart[], type: TextualPart['type']): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

function toFinishReason({ finishReason }: FinishPart, hasToolCalls: boolean): FinishReason {
  switch (finishReason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    case 'tool-calls':
      return 'tool_calls';
    case 'stop':
      // Some servers send "stop" also for an answer with tool calls.
      return hasToolCalls ? 'tool_calls' : 'stop';
    default:
      return hasToolCalls ? 'tool_calls' : 'other';
  }
}

function badResponse(message: string): InvalidResponseDataError {
  return new InvalidResponseDataError({ data: undefined, message });
}
