import { z } from 'zod';
import { personNameSchema } from './person-name.ts';
import { messagePartSchema } from './message-part.ts';

/** The labels of a conversation, by which lists and exports choose. */
export const tagSchema = z.string().trim().min(1).max(64);
const tagsSchema = z
  .array(tagSchema)
  .max(20)
  .transform((tags) => [...new Set(tags)]);

/** The caller's own id of a conversation. */
export const externalIdSchema = z.string().trim().min(1).max(200);

const title = z.string().trim().min(1).max(200);

/** Who sees a conversation besides its person: everybody in the workspace, or the people of these names. */
const sharedWithSchema = z
  .union([z.literal('workspace'), z.array(personNameSchema).max(100)])
  .describe('Who sees it besides its person: everybody with `workspace`, or the people named');

/** A new conversation. */
export const conversationInputSchema = z.strictObject({
  agentId: z.uuid(),
  externalId: externalIdSchema
    .optional()
    .describe(
      'An id of your own: the conversation of this agent, id and person is made once, and answered again later',
    ),
  title: title.optional(),
  tags: tagsSchema.optional(),
  person: personNameSchema
    .optional()
    .describe('The person to whom it belongs; without a name the person of its first turn'),
  sharedWith: sharedWithSchema.optional(),
});
export type ConversationInput = z.infer<typeof conversationInputSchema>;

/** A change of a conversation: replaces the named fields. */
export const conversationChangeSchema = z.strictObject({
  title: title.nullable().optional(),
  tags: tagsSchema.optional(),
  sharedWith: sharedWithSchema.optional(),
});
export type ConversationChange = z.infer<typeof conversationChangeSchema>;

/** The formats from which conversations are imported. */
const recordingFormats = ['holdfast', 'openai', 'ai-sdk', 'langfuse'] as const;

/** Where a conversation was forked from. Its parent may be deleted since. */
const forkParentSchema = z.object({
  conversationId: z.string(),
  turnId: z.string(),
  /** The last step that was kept of the turn; null for a fork from its message. */
  iteration: z.int().nullable(),
});

/** An ordered list of messages with one agent. */
export const conversationSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  /** The caller's own id of it; null when it has none. */
  externalId: z.string().nullable(),
  title: z.string().nullable(),
  tags: z.array(z.string()),
  /** The normal form of the name of the person to whom it belongs; null for the workspace alone. */
  person: z.string().nullable(),
  /** Normal forms of names, and `workspace` for everybody. */
  sharedWith: z.union([z.literal('workspace'), z.array(z.string())]),
  /** The format of the file that it was imported from; null for a conversation that was held here. */
  source: z.enum(recordingFormats).nullable(),
  /** Null for a conversation that is no fork. */
  parent: forkParentSchema.nullable(),
  createdAt: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** One message of a conversation as the API shows it. */
export const messageSchema = z.object({
  id: z.string(),
  turnId: z.string(),
  /** `summary` for the text in place of older turns, which the model sees as data from its turn on. */
  role: z.enum(['user', 'assistant', 'summary']),
  /** The text parts of a message that was sent as parts; what its parts are when it has none. */
  text: z.string(),
  parts: z.array(messagePartSchema).nullable().describe('Null for a message that is text only'),
  /** The reasoning before the text, as far as the vendor shows it; null when it shows none. */
  reasoning: z.string().nullable(),
  iteration: z.int(),
  /** Whether later turns do not see it, since its turn was rolled back or it was withdrawn. */
  hidden: z.boolean(),
  createdAt: z.string(),
});
export type Message = z.infer<typeof messageSchema>;
