import type { Knex } from 'knex';
import type { ApprovalMode } from '../../../domain/approval.ts';
import { defaultLimits } from '../../../domain/limits.ts';
import type { WorkspaceSettings } from './workspace-settings.ts';

interface SettingsRow {
  id: string;
  name: string;
  created_at: Date;
  retention_days: number | null;
  approval: ApprovalMode | null;
  start_timeout_ms: number | null;
  max_running_turns: number | null;
}

/** Returns the settings that hold for a workspace. `standard` are those of the installation. */
export async function readWorkspaceSettings(
  trx: Knex,
  id: string,
  standard: { retentionDays: number | undefined },
): Promise<WorkspaceSettings> {
  const row = await trx<SettingsRow>('workspaces').where({ id }).first();
  if (!row) throw new Error(`The workspace ${id} of a request is not stored.`);
  return {
    ...{ id, name: row.name, createdAt: row.created_at.toISOString() },
    retentionDays: row.retention_days ?? standard.retentionDays ?? null,
    approval: row.approval ?? 'never',
    startTimeoutMs: row.start_timeout_ms ?? defaultLimits.startTimeoutMs,
    maxRunningTurns: row.max_running_turns,
  };
}
