import { z } from 'zod';

/** A new conversation. */
export const conversationInputSchema = z.strictObject({
  agentId: z.uuid(),
  title: z.string().trim().min(1).max(200).optional(),
});
export type ConversationInput = z.infer<typeof conversationInputSchema>;

/** An ordered list of messages with one agent. */
export const conversationSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  title: z.string().nullable(),
  createdAt: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** The longest message that a user may send, in characters. */
export const maxMessageCharacters = 200_000;

/** One message of a conversation as the API shows it. */
export const messageSchema = z.object({
  id: z.string(),
  turnId: z.string(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  iteration: z.int(),
  /** Whether later turns do not see it, since its turn was rolled back or it was withdrawn. */
  hidden: z.boolean(),
  createdAt: z.string(),
});
export type Message = z.infer<typeof messageSchema>;
