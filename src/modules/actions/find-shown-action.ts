import { defineStatement, type Query } from '../../platform/database/statement.ts';
import type { ActionRow } from './action-rows.ts';

/** An action with the names that a person knows. */
export interface ShownAction extends ActionRow {
  agent: string;
  workspace: string;
  /** Whether its time is over, though it may still be noted as pending. */
  is_expired: boolean;
}

/** Finds an action together with the names of its agent and its workspace. */
export async function findShownAction(query: Query, id: string): Promise<ShownAction | null> {
  const [row] = await query(find, { id });
  return row ?? null;
}

const find = defineStatement<{ id: string }, ShownAction>(
  'find_shown_action',
  `SELECT a.*, v.name AS agent, w.name AS workspace, a.expires_at <= now() AS is_expired
   FROM pending_actions a JOIN turns t ON t.id = a.turn_id JOIN agent_versions v ON v.id = t.agent_version_id
     JOIN workspaces w ON w.id = a.workspace_id
   WHERE a.id = :id`,
);
