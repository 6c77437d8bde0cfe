import { z } from 'zod';
import { getToolService } from '../tool-services.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { toServiceResult, type ServiceCall } from './resource-service.ts';
import { personNameSchema } from '../../../domain/person-name.ts';

const name = 'send_message';

const text = z.string().min(1).max(100_000);

/** To whom a message goes. */
const recipientSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('conversation'), conversationId: z.uuid() }),
  z.strictObject({
    type: z.literal('agent'),
    agentId: z.uuid(),
    conversation: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The name of a conversation with the agent that goes on; without it a new one begins'),
  }),
  z.strictObject({
    type: z.literal('topic'),
    topic: z.string().min(1).max(200),
    swarmId: z.uuid().optional().describe('By default the swarm that you work in'),
  }),
  z.strictObject({
    type: z.literal('person'),
    person: personNameSchema.optional().describe('By default the person you work for'),
    subject: z.string().min(1).max(200).optional(),
  }),
]);

const input = z.strictObject({
  to: recipientSchema,
  message: text,
});

/** A message to send. */
export type MessageToSend = z.output<typeof input>;

/** Sends messages of agents. */
export interface MessageService {
  /** Sends a message once for each key. @throws HoldfastError */
  send: (message: MessageToSend, call: ServiceCall & { conversationId: string }) => Promise<JsonObject>;
}

declare module '../tool-services.ts' {
  interface ToolServices {
    messages: MessageService;
  }
}

/** Sends a message to a conversation, an agent, a topic of a swarm, or a person. */
export const sendMessage = defineCoreFunction({
  name,
  description:
    'Sends a message, without waiting for an answer: to another conversation or to an agent, where it starts a turn; to ' +
    'a topic of your swarm, whose members get it with their next turns; or to the inbox of a person.',
  input,
  effect: 'keyed',
  run: (message, call) =>
    toServiceResult(name, async () =>
      JSON.stringify(await getToolService(call.services, 'messages').send(message, call)),
    ),
});
