import type { Knex } from 'knex';
import { chainPendingEvents } from '../../src/platform/outbox/audit-chain.ts';

/** Moves the audit events that wait into their chains, so that `audit_events` holds every event that was committed. */
export async function chainAudit(system: Knex): Promise<void> {
  const waiting = await system('audit_pending').distinct('workspace_id').pluck<string[]>('workspace_id');
  for (const workspaceId of waiting) await chainPendingEvents(system, workspaceId);
}
