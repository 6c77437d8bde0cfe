import { z } from 'zod';
import { deciderSchema, pendingActionSchema } from '../domain/action.ts';
import { approvalGrantSchema } from '../modules/actions/approval-grant.ts';
import { apiKeySchema } from '../domain/api-key.ts';
import { budgetSchema } from '../domain/budget.ts';
import { agentConfigurationSchema, connectorSchema } from '../domain/connector.ts';
import { connectionSchema } from '../domain/connection.ts';
import { conversationSchema, messageSchema } from '../domain/conversation.ts';
import { toolStateSchema } from '../domain/discovered-tool.ts';
import {
  documentProgressSchema,
  documentSchema,
  knowledgeBaseSchema,
  knowledgeResultSchema,
} from '../domain/knowledge.ts';
import { storedFileSchema } from '../domain/file.ts';
import { inboxMessageSchema } from '../domain/inbox.ts';
import { jsonObjectSchema, jsonValueSchema } from '../domain/json-value.ts';
import { replayCaseDetailsSchema, reportCaseSchema } from '../modules/replays/report/replay-report.ts';
import { replaySchema } from '../domain/replay.ts';
import { makerSchema, resourceSchema, resourceVersionSchema } from '../domain/resource.ts';
import {
  triggerDeliveryDetailsSchema,
  triggerDeliverySchema,
  triggerSchema,
} from '../modules/triggers/trigger.ts';
import { scheduleDetailsSchema, scheduleRunSchema, scheduleSchema } from '../modules/schedules/schedule.ts';
import { stuckSchema } from '../domain/stuck-workflow.ts';
import { subtaskSchema, swarmDetailsSchema, swarmSchema } from '../domain/swarm.ts';
import {
  errorInfoSchema,
  toolCallSchema,
  turnDetailsSchema,
  turnSchema,
  usageSchema,
} from '../domain/turn.ts';
import { toolCallDetailsSchema, toolResponseSchema } from '../domain/tool-response.ts';
import { usageFiguresSchema } from '../domain/usage-report.ts';
import {
  deliveryAttemptSchema,
  deliveryDetailsSchema,
  deliverySchema,
  webhookSchema,
} from '../domain/webhook.ts';
import { workflowTypeSchema } from '../domain/workflow-target.ts';

// Gives schemas their names in the OpenAPI document. The registry also holds the descriptions.
const named = z.globalRegistry;
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
