import type { ConversationEvent } from './generated/types.ts';

/**
 * The events of a stream that are not stored: pieces of a model's text as it comes, and `stream.reset`
 * when the pieces of an iteration are void because the model is called again.
 */
export type StreamChunk =
  | { type: 'text.delta'; id: string; turnId: string; iteration: number; attempt: number; text: string }
  | { type: 'stream.reset'; id: string; turnId: string; iteration: number; attempt: number };

/** One event of a stream; a later stream continues after its `lastEventId`. */
export type ReceivedEvent = (ConversationEvent | StreamChunk) & { lastEventId: string };

/** The payload of a stored event of one type. */
export type EventPayload<Type extends ConversationEvent['type']> = Extract<
  ConversationEvent,
  { type: Type }
>['payload'];
