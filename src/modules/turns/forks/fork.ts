import { z } from 'zod';
import { messageContentSchema } from '../../../domain/message-part.ts';
import { personNameSchema } from '../../../domain/person-name.ts';

/** The longest result that replaces that of a tool call, in characters. */
const maxResultCharacters = 256 * 1024;

/** Where the tool calls of a forked turn get their answers from: the recorded turn, or the tools themselves. */
const forkTools = ['recorded', 'live'] as const;

/** A fork of a conversation, from the message of a turn or from a step of it. */
export const forkInputSchema = z.strictObject({
  turnId: z.uuid(),
  /** The last step of the turn that is kept; without it, nothing of the turn is kept but its message. */
  iteration: z.int().min(1).max(1000).optional(),
  /** Replaces the message of the turn. */
  message: messageContentSchema.optional(),
  /** Replaces results of tool calls in the steps that are kept. */
  toolResults: z
    .array(z.strictObject({ toolCallId: z.uuid(), result: z.string().max(maxResultCharacters) }))
    .min(1)
    .max(128)
    .optional(),
  /** The agent version that runs the turn, of any agent of the workspace. @default that of the turn */
  agentVersionId: z.uuid().optional(),
  tools: z.enum(forkTools).default('recorded'),
  /** False copies what was before the turn, and runs nothing. */
  run: z.boolean().default(true),
  /** The person who forks, when the API key acts for several. */
  actingFor: personNameSchema.optional(),
});
export type ForkInput = z.infer<typeof forkInputSchema>;
