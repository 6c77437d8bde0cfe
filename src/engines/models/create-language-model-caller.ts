import { experimental_streamLanguageModelCall as streamLanguageModelCall } from 'ai';
import type {
  CallLanguageModel,
  ModelAnswer,
  ModelCall,
  ModelMessage,
  RequestedToolCall,
} from '../../domain/model.ts';
import { toModelFailure } from './model-failures.ts';
import type { ModelsConfig } from './models-config.ts';
import { createModelOpener, type ModelAccess, type ModelConnections, type SealFetch } from './open-model.ts';
import { listenToAnswer } from './pieces/join-pieces.ts';
import { createShownOnce } from './pieces/shown-once.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { createReasoningInText, type ReasoningInText } from './reasoning-in-text.ts';
import { createSdkToolNames } from './sdk-tool-names.ts';
import { toSchemaHint, toSdkAnswer } from './to-sdk-answer.ts';
import type { PartOptions } from './to-sdk-parts.ts';
import { toSdkPrompt } from './to-sdk-prompt.ts';
import { toSdkSettings } from './to-sdk-settings.ts';
import { toSdkTools } from './to-sdk-tools.ts';
import { toVendorCall } from './to-vendor-call.ts';
import { localVendors } from './vendor-catalogue.ts';
import type { HostedVendor } from './model-vendor.ts';
import { findContentParts } from './provider-content.ts';
import type { JsonObject } from '../../domain/json.ts';
import { redactJson, type Redact } from '../../domain/redact.ts';

/**
 * Creates the function that calls models by name, with the operator's keys or with those of `connections`. With `seal`
 * every request to a model goes through the fetch that it returns.
 */
export function createLanguageModelCaller(
  config: ModelsConfig,
  connections?: ModelConnections,
  seal?: SealFetch,
): CallLanguageModel {
  const open = createModelOpener(config, connections, seal);
  return async (call) => {
    call.signal.throwIfAborted();
    const local = localVendors.get(call.model);
    if (local) return local.callModel(call);
    const access = await open(call);
    try {
      return await streamAnswer(call, access);
    } catch (error) {
      call.signal.throwIfAborted();
      const hint = toSchemaHint(call);
      throw toModelFailure(error, { model: call.model, redact: access.redact, hint });
    }
  };
}

function toPartOptions({ optionsName, files }: ModelAccess['vendor'], modelId: string): PartOptions {
  return { optionsName, takesInResults: files.takesInResults(modelId) };
}

/**
 * Makes one call of the AI SDK below its loop over steps and tools, which Holdfast has itself: the same prompts, errors and
 * tool calls without the copies and streams that the loop adds.
 */
async function streamAnswer(asked: ModelCall, access: ModelAccess): Promise<ModelAnswer> {
  const { vendor, modelId, getLanguageModel, answerRedactor } = access;
  const { call, fromSdkInput } = toVendorCall(fitReasoning(asked, access), vendor.tools);
  const { onProgress = () => undefined } = call;
  const shown = answerRedactor.createStream();
  const onTextDelta = (text: string) => {
    if (text !== '') call.onTextDelta(text);
  };
  const once = createShownOnce((text) => onTextDelta(shown.push(text)));
  const createInText = toReasoningReader(call, access);
  const names = { ...createSdkToolNames(call), fromSdkInput };
  const tools = toSdkTools(call, { vendor, names });
  const { messages, output, options } = toSdkAnswer(call, { vendor, modelId, tools });
  const makeCall = () =>
    streamLanguageModelCall({
      model: getLanguageModel(),
      abortSignal: call.signal,
      ...toSdkPrompt(call, { vendor, modelId, names, messages, files: toPartOptions(vendor, modelId) }),
      ...tools,
      ...toSdkSettings(call, vendor, { defaults: options, hasTools: tools.tools !== undefined }),
      ...(output && { output }),
      _internal: { collectContent: false },
    });
  const read = async () =>
    readModelAnswer((await makeCall()).stream, {
      ...{ call, modelId, names, onProgress, inText: createInText() },
      onTextDelta: once.showRead,
    });
  // With a schema the AI SDK may take the answer from a tool's arguments, and leaves out the text beside them.
  const early = createInText();
  const onText = (text: string) => {
    once.showEarly(early ? early.push(text) : text);
  };
  const reading = output ? read() : listenToAnswer({ onText, onProgress }, read);
  const answer = await reading.catch((error: unknown) => {
    throw once.findCause(error);
  });
  call.signal.throwIfAborted();
  onTextDelta(shown.end());
  return redactModelAnswer(answer, answerRedactor.redact);
}

/** Returns a function that creates a reader of the reasoning in the text of an answer; null for a model that writes none there. */
function toReasoningReader(
  { reasoningInText }: ModelCall,
  { vendor, modelId }: Pick<ModelAccess, 'vendor' | 'modelId'>,
): () => ReasoningInText | null {
  const mode = reasoningInText ?? (vendor.writesReasoning?.(modelId) ? 'tagged' : 'off');
  return () => (mode === 'off' ? null : createReasoningInText(mode === 'open'));
}

interface ReasoningOptions {
  vendor: Pick<HostedVendor, 'beginsWithReasoning'>;
  modelId: string;
}

/**
 * Returns a call without its effort where the model would refuse to reason: some models need their own reasoning in front of
 * the earlier tool calls of a turn, which is missing where another model has made the calls or no reasoning was kept.
 */
function fitReasoning(call: ModelCall, { vendor, modelId }: ReasoningOptions): ModelCall {
  if (call.reasoningEffort === undefined || !vendor.beginsWithReasoning?.(modelId)) return call;
  const first = findFirstOfCalls(call.messages);
  if (!first || findContentParts(call.model, first.providerContent)?.[0]?.type === 'reasoning') return call;
  const fitted = { ...call };
  delete fitted.reasoningEffort;
  return fitted;
}

/** Returns the first of the answers at the end of a conversation that ask for tools; null when the last one asks for none. */
function findFirstOfCalls(messages: ModelMessage[]) {
  const answers = messages.filter((message) => message.role === 'assistant');
  const last = answers.findLastIndex(({ toolCalls }) => toolCalls.length === 0);
  return answers[last + 1] ?? null;
}

/** Redacts a model's answer: its texts, and the names and arguments of its tool calls. */
function redactModelAnswer(answer: ModelAnswer, redact: Redact): ModelAnswer {
  const { providerContent, ...rest } = answer;
  const redacted: ModelAnswer = {
    ...rest,
    text: redact(answer.text),
    reasoning: redact(answer.reasoning),
    toolCalls: answer.toolCalls.map((call) => redactToolCall(call, redact)),
    answeredBy: redact(answer.answeredBy),
  };
  if (providerContent === undefined) return redacted;
  // A vendor refuses its own content when a part of it was changed, so changed content is left out.
  const same = JSON.stringify(redactJson(providerContent, redact)) === JSON.stringify(providerContent);
  return same ? { ...redacted, providerContent } : redacted;
}

function redactToolCall(call: RequestedToolCall, redact: Redact): RequestedToolCall {
  const { invalidArguments } = call;
  return {
    modelCallId: redact(call.modelCallId),
    name: redact(call.name),
    arguments: call.arguments && (redactJson(call.arguments, redact) as JsonObject),
    ...(invalidArguments === undefined ? {} : { invalidArguments: redact(invalidArguments) }),
  };
}
