import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { PinCheck } from '../../domain/discovered-tool.ts';
import type { JsonObject } from '../../domain/json.ts';
import { toStorableText } from '../../domain/storable.ts';

/** Records in the audit log that an agent was created, changed or deleted. */
export async function recordConfigured(trx: Knex, agentId: string, change: JsonObject): Promise<void> {
  await createAuditLog(trx).record({ type: 'agent.configured', subjectId: agentId, payload: change });
}

/** Records in the audit log that an operator accepted the changed definition of a tool. */
export async function recordAccepted(trx: Knex, agentId: string, accepted: JsonObject): Promise<void> {
  await createAuditLog(trx).record({ type: 'tool.accepted', subjectId: agentId, payload: accepted });
}

/** A tool that is quarantined, with the hash of its changed definition. */
type QuarantinedTool = Pick<PinCheck, 'agentId' | 'tool' | 'target'> & { hash: string };

/** Records in the audit log that a tool was quarantined because its server changed its definition. */
export async function recordQuarantined(
  trx: Knex,
  { agentId, tool, target, hash }: QuarantinedTool,
): Promise<void> {
  const gatewayTarget = target === undefined ? {} : { target: toStorableText(target) };
  const named = { tool_id: tool.id, tool_name: tool.name, ...gatewayTarget };
  await createAuditLog(trx).record({
    type: 'tool.quarantined',
    subjectId: agentId,
    payload: { ...named, drift_hash: hash },
  });
}
