import { z } from 'zod';
import { deciderSchema, pendingActionSchema } from '../../domain/action.ts';
import { approvalGrantSchema } from '../../domain/approval-grant.ts';
import { apiKeySchema } from '../../domain/api-key.ts';
import { budgetSchema } from '../../domain/budget.ts';
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
import { storedFileSchema } from '../../domain/file.ts';
import { inboxMessageSchema } from '../../domain/inbox.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../domain/json-value.ts';
import { replayCaseDetailsSchema, reportCaseSchema } from '../../domain/replay-report.ts';
import { replaySchema } from '../../domain/replay.ts';
import { makerSchema, resourceSchema, resourceVersionSchema } from '../../domain/resource.ts';
import { triggerDeliveryDetailsSchema, triggerDeliverySchema, triggerSchema } from '../../domain/trigger.ts';
import { scheduleDetailsSchema, scheduleRunSchema, scheduleSchema } from '../../domain/schedule.ts';
import { stuckSchema } from '../../domain/stuck-workflow.ts';
import { subtaskSchema, swarmDetailsSchema, swarmSchema } from '../../domain/swarm.ts';
import {
  errorInfoSchema,
  toolCallSchema,
  turnDetailsSchema,
  turnSchema,
  usageSchema,
} from '../../domain/turn.ts';
import { toolCallDetailsSchema, toolResponseSchema } from '../../domain/tool-response.ts';
import { usageFiguresSchema } from '../../domain/usage-report.ts';
import {
  deliveryAttemptSchema,
  deliveryDetailsSchema,
  deliverySchema,
  webhookSchema,
} from '../../domain/webhook.ts';
import { workflowTypeSchema } from '../../domain/workflow-target.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The answer to every failed request. */
export const errorAnswerSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.unknown().optional(),
  }),
});

/** Builds the schema of the answer to a successful request. */
export function toAnswerSchema(data: z.ZodType) {
  return z.object({ success: z.literal(true), data });
}

/** The path parameter `id`. */
export const idParams = z.object({ id: z.uuid() });

/** The schema of an integer in a path or query, written with decimal digits only; `standard` is its default. */
export function integerParameter(minimum: number, maximum: number, standard?: number) {
  const toInteger = (text: unknown) =>
    typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  const expected = `expected an integer from ${minimum} to ${maximum}`;
  const integer = z.int(expected).min(minimum, expected).max(maximum, expected);
  // The default is inside, since the OpenAPI document shows the inner schema only.
  return z.preprocess(toInteger, standard === undefined ? integer : integer.default(standard));
}

/** The query parameters of a paged list. */
export const pageQuery = z.strictObject({
  limit: integerParameter(1, 100, 20).describe('The most items on a page'),
  cursor: z.uuid().optional().describe('`nextCursor` of the previous page'),
});

/** The cursor of a list whose order changes while it is read: how many of its items come before the page. */
export const offsetCursor = z
  .string()
  .regex(/^\d{1,9}$/, 'expected `nextCursor` of a page')
  .optional()
  .describe('`nextCursor` of the previous page');

/** The query parameters of a list whose order changes while it is read. */
export const offsetPageQuery = z.strictObject({
  limit: integerParameter(1, 100, 20).describe('The most items on a page'),
  cursor: offsetCursor,
});

/** The headers of a request that may be repeated. */
export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters')
    .optional()
    .describe('Repeated requests with the same key and body start only one turn'),
});

/** The headers of the answer to a request that may be repeated: they tell whether it was. */
export function toReplayedHeaders(accepted: boolean): Record<string, string> {
  return accepted ? {} : { 'idempotent-replayed': 'true' };
}

/** The cursor of the next page; null on the last page. */
export const nextCursorSchema = z.string().nullable();

// Gives schemas their names in the OpenAPI document. The registry also holds the descriptions.
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
named.add(toolCallDetailsSchema, { id: 'ToolCallDetails' });
named.add(toolResponseSchema, { id: 'ToolResponse' });
named.add(pendingActionSchema, { id: 'PendingAction' });
named.add(deciderSchema, { id: 'Decider' });
named.add(approvalGrantSchema, { id: 'ApprovalGrant' });
named.add(turnSchema, { id: 'Turn' });
named.add(knowledgeBaseSchema, { id: 'KnowledgeBase' });
named.add(documentSchema, { id: 'Document' });
named.add(documentProgressSchema, { id: 'DocumentProgress' });
named.add(knowledgeResultSchema, { id: 'KnowledgeResult' });
named.add(storedFileSchema, { id: 'StoredFile' });
named.add(turnDetailsSchema, { id: 'TurnDetails' });
named.add(stuckSchema, { id: 'Stuck' });
named.add(webhookSchema, { id: 'Webhook' });
named.add(deliverySchema, { id: 'WebhookDelivery' });
named.add(deliveryAttemptSchema, { id: 'WebhookAttempt' });
named.add(deliveryDetailsSchema, { id: 'WebhookDeliveryDetails' });
named.add(budgetSchema, { id: 'Budget' });
named.add(usageFiguresSchema, { id: 'UsageFigures' });
named.add(replaySchema, { id: 'Replay' });
named.add(scheduleSchema, { id: 'Schedule' });
named.add(scheduleDetailsSchema, { id: 'ScheduleDetails' });
named.add(scheduleRunSchema, { id: 'ScheduleRun' });
named.add(triggerSchema, { id: 'Trigger' });
named.add(triggerDeliverySchema, { id: 'TriggerDelivery' });
named.add(triggerDeliveryDetailsSchema, { id: 'TriggerDeliveryDetails' });
named.add(subtaskSchema, { id: 'Subtask' });
named.add(swarmSchema, { id: 'Swarm' });
named.add(swarmDetailsSchema, { id: 'SwarmDetails' });
named.add(reportCaseSchema, { id: 'ReportCase' });
named.add(replayCaseDetailsSchema, { id: 'ReplayCaseDetails' });
named.add(makerSchema, { id: 'Maker' });
named.add(inboxMessageSchema, { id: 'InboxMessage' });
named.add(resourceSchema, { id: 'Resource' });
named.add(resourceVersionSchema, { id: 'ResourceVersion' });
