import type { ConversationEvent } from './generated/types.ts';

/**
 * What a stream carries besides stored events: pieces of a model's text as it comes, and `stream.reset`
 * when the pieces of an iteration are void because the model is called again.
 */
export type StreamChunk =
  | { type: 'text.delta'; id: string; turnId: string; iteration: number; attempt: number; text: string }
  | { type: 'stream.reset'; id: string; turnId: string; iteration: number; attempt: number };

/** What a stream delivers; `lastEventId` is where a later stream goes on. */
export type ReceivedEvent = (ConversationEvent | StreamChunk) & { lastEventId: string };

/** What a stored event of one type carries. */
export type EventPayload<Type extends ConversationEvent['type']> = Extract<
  ConversationEvent,
  { type: Type }
>['payload'];
