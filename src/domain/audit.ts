import { z } from 'zod';
import { jsonObjectSchema } from './json-value.ts';

/** The types of audit events. */
export type AuditType =
  | 'tool.executed'
  | 'tool.failed'
  | 'tool.blocked'
  | 'tool.skipped'
  | 'answer.blocked'
  | 'action.requested'
  | 'action.decided'
  | 'action.expired'
  | 'action.link_created'
  | 'approval_grant.created'
  | 'approval_grant.used'
  | 'approval_grant.revoked'
  | 'tool.quarantined'
  | 'tool.accepted'
  | 'connection.created'
  | 'connection.updated'
  | 'connection.authorized'
  | 'connection.expired'
  | 'connection.revoked'
  | 'connection.deleted'
  | 'connector.created'
  | 'connector.deleted'
  | 'agent.configured'
  | 'agent.deleted'
  | 'conversation.imported'
  | 'conversation.forked'
  | 'conversation.shared'
  | 'conversation.deleted'
  | 'workspace.deleted'
  | 'retention.applied'
  | 'knowledge_base.created'
  | 'knowledge_base.updated'
  | 'knowledge_base.deleted'
  | 'document.created'
  | 'document.deleted'
  | 'document.reprocessed'
  | 'file.created'
  | 'file.deleted'
  | 'file.refused'
  | 'replay.started'
  | 'replay.called'
  | 'resource.created'
  | 'resource.updated'
  | 'resource.deleted'
  | 'resource.restored'
  | 'message.sent'
  | 'schedule.created'
  | 'schedule.updated'
  | 'schedule.deleted'
  | 'routine.created'
  | 'routine.updated'
  | 'routine.deleted'
  | 'routine_run.started'
  | 'routine_run.ended'
  | 'swarm.started'
  | 'swarm.ended'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.approvers_changed'
  | 'webhook.disabled'
  | 'webhook.deleted'
  | 'trigger.created'
  | 'trigger.updated'
  | 'trigger.secret_rotated'
  | 'trigger.deleted'
  | 'provider.imported'
  | 'provider.deleted'
  | 'budget.created'
  | 'budget.updated'
  | 'budget.deleted'
  | 'prices.updated'
  | 'keys.rotated'
  | 'api_key.created'
  | 'user_token.issued'
  | 'user_token.ended'
  | 'session.opened'
  | 'session.ended'
  | 'person.activated'
  | 'person.deactivated'
  | 'api_key.revoked'
  | 'work.stopped';

/** One link of a workspace's audit chain. */
export const auditEventSchema = z.object({
  id: z.string(),
  /** Starts at 1 and has no gaps. */
  seq: z.int(),
  type: z.string(),
  subjectId: z.string().nullable(),
  payload: jsonObjectSchema,
  createdAt: z.string(),
  /** SHA-256 in hex over this event and the hash before it. */
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;
