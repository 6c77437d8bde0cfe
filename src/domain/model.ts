import type { JsonObject, JsonValue } from './json.ts';

/** Token counts of one model call: four buckets that vendors price apart, and reasoning. */
export interface Usage {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Part of `outputTokens`. */
  reasoningTokens: number;
}

/** A tool as a model is told of it. */
export interface ModelTool {
  name: string;
  description: string;
  schema: JsonObject;
}

/** A tool call that a model asked for; `arguments` is null when what it wrote was not a JSON object. */
export interface RequestedToolCall {
  /** The model's own id for the call; some models repeat it. */
  modelCallId: string;
  name: string;
  arguments: JsonObject | null;
  /** What the model wrote, when it was not a JSON object. */
  invalidArguments?: string;
}

/** One message of a conversation, as a model is given it. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | {
      role: 'assistant';
      text: string;
      toolCalls: RequestedToolCall[];
      /** Content that the vendor needs back unchanged, such as signed reasoning; only `src/models` reads it. */
      providerContent?: JsonValue;
    }
  | { role: 'tool'; modelCallId: string; name: string; text: string; isError: boolean };

/** The connection whose key a model is called with, in place of the operator's. */
export interface ModelConnection {
  workspaceId: string;
  connectionId: string;
}

/** One call of a model. */
export interface ModelCall {
  /** `openai/…`, `anthropic/…`, `google/…`, `compatible/…` or `demo`. */
  model: string;
  /** @default the operator's key and address */
  connection?: ModelConnection;
  instructions: string;
  messages: ModelMessage[];
  /** All tools that the model has, also when it may not call them now. */
  tools: ModelTool[];
  /**
   * `none` asks for an answer without tool calls. The record of the vendor decides whether the tools are then sent;
   * the history may hold calls of them in any case.
   * @default 'auto'
   */
  toolChoice?: 'auto' | 'none';
  maxOutputTokens?: number;
  temperature?: number;
  /** Sent to vendors that accept one, so that they recognise a repeated attempt. */
  idempotencyKey: string;
  signal: AbortSignal;
  onTextDelta: (text: string) => void;
}

/** Why a model stopped. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';

/** What a model answered. */
export interface ModelAnswer {
  text: string;
  reasoning: string;
  toolCalls: RequestedToolCall[];
  finishReason: FinishReason;
  usage: Usage;
  /** The vendor's own name of the model that answered. */
  answeredBy: string;
  providerContent?: JsonValue;
}

/**
 * Calls a model once and streams its text through `onTextDelta`.
 * @throws HoldfastError with one of the `MODEL_…` codes, `UNKNOWN_MODEL`, or one of the `CONNECTION_…` codes when
 * its connection cannot be used; the signal's reason when aborted
 */
export type CallLanguageModel = (call: ModelCall) => Promise<ModelAnswer>;

/** One call of a model that makes images. */
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

/** An image as a model made it. */
export interface GeneratedImage {
  bytes: Uint8Array;
  mediaType: string;
}

/** Has a model make an image. @throws as {@link CallLanguageModel} */
export type GenerateImage = (call: ImageCall) => Promise<GeneratedImage>;
