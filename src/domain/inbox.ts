import { z } from 'zod';

/** The agent that has sent a message, and where. */
export const messageSenderSchema = z.object({
  agentId: z.string(),
  agentName: z.string(),
  turnId: z.string(),
  conversationId: z.string(),
});
export type MessageSender = z.infer<typeof messageSenderSchema>;

/** A message in the inbox of a person. Times are ISO 8601. */
export const inboxMessageSchema = z.object({
  id: z.string(),
  /** The person, as API keys and requests name them. */
  person: z.string(),
  subject: z.string().nullable(),
  text: z.string(),
  from: messageSenderSchema,
  createdAt: z.string(),
  /** Null until it was read. */
  readAt: z.string().nullable(),
});
export type InboxMessage = z.infer<typeof inboxMessageSchema>;

/** A message to the members of a swarm. All of them get the messages of all topics. */
export const topicMessageSchema = z.object({
  id: z.string(),
  topic: z.string(),
  text: z.string(),
  from: messageSenderSchema,
  createdAt: z.string(),
});
export type TopicMessage = z.infer<typeof topicMessageSchema>;

/** The maximum number of messages in a chain, in which each message starts the turn that sends the next one. */
export const mostMessageDepth = 8;

/** The maximum number of messages of all turns that one turn has led to. */
export const mostMessagesOfOrigin = 100;
