import { z } from 'zod';
import { agentSchema, agentVersionSchema } from '../domain/agent.ts';
import { apiKeySchema } from '../domain/api-key.ts';
import { conversationSchema, messageSchema } from '../domain/conversation.ts';
import { errorCodes, type ErrorCode } from '../domain/errors.ts';
import { jsonObjectSchema, toolSchema } from '../domain/tool.ts';
import {
  errorInfoSchema,
  toolCallSchema,
  turnDetailsSchema,
  turnSchema,
  usageSchema,
} from '../domain/turn.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** What every failed request is answered with. */
export const errorAnswerSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.unknown().optional(),
  }),
});

/** What every other request is answered with. */
export function toAnswerSchema(data: z.ZodType) {
  return z.object({ success: z.literal(true), data });
}

/** The id of something, in a path. */
export const idParams = z.object({ id: z.uuid() });

/** What part of a list is asked for. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('The most items to answer with'),
  cursor: z.uuid().optional().describe('`nextCursor` of the page before'),
});

/** Where the next page begins, or null when this was the last one. */
export const nextCursorSchema = z.string().nullable();

// The schemas that have a name in the OpenAPI document; descriptions are in the same registry.
const named = z.globalRegistry;
named.add(errorAnswerSchema, { id: 'Error' });
named.add(agentSchema, { id: 'Agent' });
named.add(agentVersionSchema, { id: 'AgentVersion' });
named.add(toolSchema, { id: 'Tool' });
named.add(jsonObjectSchema, { id: 'JsonObject', type: 'object', additionalProperties: true });
named.add(errorInfoSchema, { id: 'ErrorInfo' });
named.add(errorInfoSchema.shape.details.unwrap(), { id: 'JsonValue' });
named.add(apiKeySchema, { id: 'ApiKey' });
named.add(conversationSchema, { id: 'Conversation' });
named.add(messageSchema, { id: 'Message' });
named.add(usageSchema, { id: 'Usage' });
named.add(toolCallSchema, { id: 'ToolCall' });
named.add(turnSchema, { id: 'Turn' });
named.add(turnDetailsSchema, { id: 'TurnDetails' });
