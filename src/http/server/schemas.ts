import { z } from 'zod';
import { apiKeySchema } from '../../domain/api-key.ts';
import { agentConfigurationSchema, connectorSchema } from '../../domain/connector.ts';
import { connectionSchema } from '../../domain/connection.ts';
import { conversationSchema, messageSchema } from '../../domain/conversation.ts';
import { toolStateSchema } from '../../domain/discovered-tool.ts';
import { errorCodes, type ErrorCode } from '../../domain/errors.ts';
import {
  documentProgressSchema,
  documentSchema,
  knowledgeBaseSchema,
  knowledgeResultSchema,
} from '../../domain/knowledge.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../domain/tool.ts';
import {
  errorInfoSchema,
  toolCallSchema,
  turnDetailsSchema,
  turnSchema,
  usageSchema,
} from '../../domain/turn.ts';
import { workflowTypeSchema } from '../../domain/workflow-target.ts';

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
named.add(jsonObjectSchema, { id: 'JsonObject', type: 'object', additionalProperties: true });
named.add(toolStateSchema, { id: 'ToolState' });
named.add(connectionSchema, { id: 'Connection' });
named.add(connectorSchema, { id: 'Connector' });
named.add(agentConfigurationSchema, { id: 'AgentConfiguration' });
named.add(errorInfoSchema, { id: 'ErrorInfo' });
named.add(jsonValueSchema, { id: 'JsonValue' });
named.add(apiKeySchema, { id: 'ApiKey' });
named.add(conversationSchema, { id: 'Conversation' });
named.add(messageSchema, { id: 'Message' });
named.add(usageSchema, { id: 'Usage' });
named.add(workflowTypeSchema, { id: 'WorkflowType' });
named.add(toolCallSchema, { id: 'ToolCall' });
named.add(turnSchema, { id: 'Turn' });
named.add(knowledgeBaseSchema, { id: 'KnowledgeBase' });
named.add(documentSchema, { id: 'Document' });
named.add(documentProgressSchema, { id: 'DocumentProgress' });
named.add(knowledgeResultSchema, { id: 'KnowledgeResult' });
named.add(turnDetailsSchema, { id: 'TurnDetails' });
