import type { ActorRef } from '../../../domain/actor.ts';
import type { BlackboardItem, SwarmChange } from '../../../domain/swarm.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { withParticipants } from '../../../platform/database/participants.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import {
  toStoredSubtask,
  toSubtaskValues,
  type StoredSubtask,
  type SubtaskRow,
} from '../tasks/subtask-rows.ts';

/** An agent that may work in a swarm. */
export interface SwarmAgent {
  id: string;
  name: string;
  /** The names of the built-in functions among its tools. */
  functions: string[];
}

/** The shared state of swarms; changes are made under the lock of the swarm's row. */
export function createSwarmStateRepository(query: Query) {
  return {
    /** In the order in which they were set. */
    listSubtasks: async (swarmId: string): Promise<StoredSubtask[]> =>
      (await query(listSubtasks, { swarmId })).map(toStoredSubtask),

    storeSubtasks: async (swarmId: string, subtasks: readonly StoredSubtask[]): Promise<void> => {
      if (subtasks.length === 0) return;
      await query(storeSubtasks, { swarmId, rows: toStorableJson(subtasks.map(toSubtaskValues)) });
    },

    deleteSubtasks: async (swarmId: string, ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await query(deleteSubtasks, { swarmId, ids: JSON.stringify(ids) });
    },

    listItems: async (swarmId: string): Promise<BlackboardItem[]> =>
      (await query(listItems, { swarmId })).map(({ updated_at: at, ...item }) => ({
        ...item,
        updatedAt: at.toISOString(),
      })),

    changeItems: async (
      swarmId: string,
      { set = [], delete: removed = [] }: NonNullable<SwarmChange['blackboard']>,
    ): Promise<void> => {
      if (removed.length > 0) await query(deleteItems, { swarmId, ids: JSON.stringify(removed) });
      // The last value of an item that is set twice.
      const items = [...new Map(set.map((item) => [item.id, item])).values()];
      if (items.length > 0) await query(setItems, { swarmId, items: toStorableJson(items) });
    },

    /** Notes that the change of a key is applied; false when it was before. */
    noteUpdate: async (swarmId: string, key: string): Promise<boolean> =>
      (await query(noteUpdate, { swarmId, key })).length > 0,

    /** Stores an actor that has changed what a swarm does. */
    addParticipant: async (swarmId: string, participant: ActorRef): Promise<void> => {
      await query(addParticipant, { swarmId, participant: toStorableJson(participant) });
    },

    /** The attributes of a team among the resources; null when there is none. */
    findTeam: async (teamId: string): Promise<JsonObject | null> => {
      const [row] = await query(findTeam, { teamId });
      return row?.attributes ?? null;
    },

    /** Returns the agents that exist and are not deleted. */
    listAgents: (ids: readonly string[]): Promise<SwarmAgent[]> =>
      query(listAgents, { ids: JSON.stringify(ids) }),
  };
}

const listSubtasks = defineStatement<{ swarmId: string }, SubtaskRow>(
  'list_swarm_subtasks',
  `SELECT id, position, description, assignee, depends_on, priority, status, attempts, tries, result, error, turn_id, is_told,
     created_at, started_at, ended_at
   FROM swarm_subtasks WHERE swarm_id = :swarmId ORDER BY position`,
);

const storeSubtasks = defineStatement<{ swarmId: string; rows: string }, unknown>(
  'store_swarm_subtasks',
  `INSERT INTO swarm_subtasks (swarm_id, id, position, description, assignee, depends_on, priority, status, attempts, tries,
     result, error, turn_id, is_told, created_at, started_at, ended_at)
   SELECT :swarmId::uuid, r.id, r.position, r.description, r.assignee, ARRAY(SELECT jsonb_array_elements_text(r.depends_on)),
     r.priority, r.status, r.attempts, r.tries, r.result, r.error, r.turn_id, r.is_told, r.created_at, r.started_at, r.ended_at
   FROM jsonb_to_recordset(:rows::jsonb) AS r(id text, position int, description text, assignee uuid, depends_on jsonb,
     priority text, status text, attempts int, tries int, result text, error jsonb, turn_id uuid, is_told boolean,
     created_at timestamptz, started_at timestamptz, ended_at timestamptz)
   ON CONFLICT (swarm_id, id) DO UPDATE SET description = excluded.description, assignee = excluded.assignee,
     depends_on = excluded.depends_on, priority = excluded.priority, status = excluded.status, attempts = excluded.attempts,
     tries = excluded.tries, result = excluded.result, error = excluded.error, turn_id = excluded.turn_id,
     is_told = excluded.is_told, started_at = excluded.started_at, ended_at = excluded.ended_at`,
);

const deleteSubtasks = defineStatement<{ swarmId: string; ids: string }, unknown>(
  'delete_swarm_subtasks',
  `DELETE FROM swarm_subtasks
   WHERE swarm_id = :swarmId AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)))`,
);

const listItems = defineStatement<{ swarmId: string }, { id: string; value: JsonValue; updated_at: Date }>(
  'list_swarm_items',
  'SELECT id, value, updated_at FROM swarm_blackboard WHERE swarm_id = :swarmId ORDER BY id',
);

const deleteItems = defineStatement<{ swarmId: string; ids: string }, unknown>(
  'delete_swarm_items',
  `DELETE FROM swarm_blackboard
   WHERE swarm_id = :swarmId AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)))`,
);

const setItems = defineStatement<{ swarmId: string; items: string }, unknown>(
  'set_swarm_items',
  `INSERT INTO swarm_blackboard (swarm_id, id, value)
   SELECT :swarmId::uuid, r ->> 'id', r -> 'value' FROM jsonb_array_elements(:items::jsonb) AS r
   ON CONFLICT (swarm_id, id) DO UPDATE SET value = excluded.value, updated_at = now()`,
);

const addParticipant = defineStatement<{ swarmId: string; participant: string }, unknown>(
  'add_swarm_participant',
  `UPDATE swarms SET participants = ${withParticipants('participants', 'SELECT :participant::jsonb')} WHERE id = :swarmId`,
);

const noteUpdate = defineStatement<{ swarmId: string; key: string }, { key: string }>(
  'note_swarm_update',
  `INSERT INTO swarm_updates (swarm_id, key) VALUES (:swarmId, :key) ON CONFLICT DO NOTHING RETURNING key`,
);

const findTeam = defineStatement<{ teamId: string }, { attributes: JsonObject }>(
  'find_swarm_team_resource',
  `SELECT v.attributes || jsonb_build_object('name', r.name) AS attributes
   FROM resources r JOIN resource_versions v ON v.resource_id = r.id AND v.version = r.version
   WHERE r.id = :teamId AND r.kind = 'team' AND r.deleted_at IS NULL`,
);

const listAgents = defineStatement<{ ids: string }, SwarmAgent>(
  'list_swarm_agents',
  `SELECT a.id, v.name, ARRAY(
     SELECT coalesce(tool -> 'config' ->> 'functionName', tool ->> 'name') FROM jsonb_array_elements(v.available_tools) AS tool
     WHERE tool ->> 'type' = 'function') AS functions
   FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
   WHERE a.deleted_at IS NULL AND a.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::uuid))`,
);
