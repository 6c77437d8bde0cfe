import type { JsonObject, JsonValue } from './json.ts';
import type { ModelPart } from './model-part.ts';
import type { ModelSettings } from './model-settings.ts';

/** Token counts of one model call: the four kinds that vendors price separately, and reasoning. */
export interface Usage {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Part of `outputTokens`. */
  reasoningTokens: number;
  /** True when the vendor has not reported all of the counts: the missing ones are estimates of Holdfast. */
  isEstimated?: boolean | undefined;
}

/** The definition of a tool in a model call. */
export interface ModelTool {
  name: string;
  description: string;
  schema: JsonObject;
}

/** A tool call that a model asked for. `arguments` is null when the model did not write a JSON object. */
export interface RequestedToolCall {
  /** The model's own id for the call; some models repeat it. */
  modelCallId: string;
  name: string;
  arguments: JsonObject | null;
  /** The text that the model wrote as arguments, when it is not a JSON object. */
  invalidArguments?: string;
}

/** One message of a conversation in a model call. */
export type ModelMessage =
  | { role: 'user'; text: string; parts?: ModelPart[] }
  | {
      role: 'assistant';
      text: string;
      toolCalls: RequestedToolCall[];
      /** Content that the vendor needs back unchanged, such as signed reasoning; only `src/engines/models` reads it. */
      providerContent?: JsonValue;
    }
  | {
      role: 'tool';
      modelCallId: string;
      name: string;
      text: string;
      isError: boolean;
      /** The files of the result, such as images. */
      parts?: ModelPart[];
    };

/** The connection whose key a model is called with, in place of the operator's. */
export interface ModelConnection {
  workspaceId: string;
  connectionId: string;
}

/** The settings of an agent that a model call has as they are. */
type CallSettings = Pick<
  ModelSettings,
  | 'temperature'
  | 'topP'
  | 'maxOutputTokens'
  | 'reasoningEffort'
  | 'reasoningInText'
  | 'parallelToolCalls'
  | 'providerOptions'
  | 'headers'
  | 'structuredOutput'
  | 'takes'
  | 'promptCaching'
>;

/** One call of a model. */
export interface ModelCall extends CallSettings {
  /** `openai/…`, `anthropic/…`, `google/…`, `compatible/…` or `demo`. */
  model: string;
  /** @default the operator's key and address */
  connection?: ModelConnection;
  instructions: string;
  messages: ModelMessage[];
  /** A note that the model gets in this call alone, behind the messages. */
  note?: string;
  /** The id of the conversation, for vendors that find the cache of a request by it. */
  conversation?: string;
  /** All tools of the model, also when `toolChoice` forbids calls. */
  tools: ModelTool[];
  /**
   * `none` requests an answer without tool calls. The record of the vendor decides whether the tools are sent then; the
   * history may contain tool calls in both cases. `required`, or the name of a tool, asks for a call.
   * @default 'auto'
   */
  toolChoice?: NonNullable<ModelSettings['toolChoice']>;
  /** The JSON Schema that a final answer satisfies; the vendor holds the model to it, or it is asked for. */
  responseSchema?: JsonObject;
  /** The idempotency key of the call, for vendors that accept one. */
  idempotencyKey: string;
  signal: AbortSignal;
  onTextDelta: (text: string) => void;
  /** Called for each piece that arrives, also for those without text. */
  onProgress?: () => void;
}

/** The settings of a model call that change how a model picks its words; a missing one has the default of the vendor. */
export type Sampling = Pick<ModelCall, 'maxOutputTokens' | 'temperature'>;

/** The parts of a model call that cannot be derived from the agent version and the messages afterwards. */
export interface CallRecord {
  toolChoice: 'auto' | 'none';
  /** The names of the enabled tools that the call did not have; null when it had all. */
  leftOut: string[] | null;
  /** Null when every setting had its default. */
  sampling: Sampling | null;
  /** The ordinal of the first turn whose messages the call had; null when that was the first of the conversation. */
  contextFrom: number | null;
}

/** The time that an answered model call took: the last attempt alone, by the clock of the program that made it. */
export interface CallTime {
  startedAt: string;
  durationMs: number;
}

/** The reasons why a model stops. */
export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'other'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** The answer of a model. */
export interface ModelAnswer {
  text: string;
  reasoning: string;
  toolCalls: RequestedToolCall[];
  finishReason: FinishReason;
  usage: Usage;
  /** The name that the vendor gives the model that answered. */
  answeredBy: string;
  providerContent?: JsonValue;
}

/**
 * Calls a model once and streams its text through `onTextDelta`.
 * @throws HoldfastError with one of the `MODEL_…` codes, `UNKNOWN_MODEL`, or one of the `CONNECTION_…` codes when
 * its connection cannot be used; the signal's reason when aborted
 */
export type CallLanguageModel = (call: ModelCall) => Promise<ModelAnswer>;

/** One call of an image model. */
export interface ImageCall {
  /** `openai/…`, `google/…` or `compatible/…`. */
  model: string;
  /** @default the operator's key and address */
  connection?: ModelConnection;
  prompt: string;
  /** Width and height in pixels. */
  size?: `${number}x${number}`;
  signal: AbortSignal;
}

/** An image that a model made. */
export interface GeneratedImage {
  bytes: Uint8Array;
  mediaType: string;
}

/** Calls an image model once. @throws as {@link CallLanguageModel} */
export type GenerateImage = (call: ImageCall) => Promise<GeneratedImage>;
