import { z } from 'zod';
import { eventPayloads, type ConversationEvent, type EventType } from '../../../domain/event.ts';
import { nextCursorSchema } from '../../../platform/http/schemas.ts';

function toEventSchema(type: EventType) {
  return z.object({
    seq: z.int(),
    turnId: z.string(),
    type: z.literal(type),
    createdAt: z.string(),
    payload: eventPayloads[type],
  });
}

const [first, ...rest] = (Object.keys(eventPayloads) as EventType[]).map(toEventSchema);
if (!first) throw new Error('there are no types of events');

/** A stored event as a stream carries it. */
const eventSchema = z.discriminatedUnion('type', [first, ...rest]) as unknown as z.ZodType<
  ConversationEvent,
  ConversationEvent
>;
z.globalRegistry.add(eventSchema, { id: 'ConversationEvent' });

/** A page of stored events. */
export const eventPageSchema = z.object({ events: z.array(eventSchema), nextCursor: nextCursorSchema });
