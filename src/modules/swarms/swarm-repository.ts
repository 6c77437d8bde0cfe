import type { ActorRef } from '../../domain/actor.ts';
import type { AuditType } from '../../domain/audit.ts';
import type { JsonObject } from '../../domain/json.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { toStorableJson } from '../../domain/storable.ts';
import type { Swarm, SwarmLimits, SwarmOutcome, SwarmStatus, TeamConfig } from '../../domain/swarm.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { swarmNotFound, toSwarm, type SwarmRow } from './swarm-rows.ts';

/** A swarm that is to be stored. */
export interface NewSwarm {
  id: string;
  kind: Swarm['kind'];
  goal: string;
  leader: string | null;
  teamConfig: TeamConfig;
  limits: SwarmLimits;
  requestHash: string;
  startedBy: ActorRef | null;
  parent: Pick<SwarmRow, 'parent_swarm_id' | 'parent_turn_id' | 'parent_conversation_id' | 'lineage'>;
  /** Whether the own rules of the parent turn's agent hold for the members as well. */
  inheritsRules: boolean;
}

/** A change of the status of a swarm that has one of some. */
export interface StatusChange {
  swarmId: string;
  from: SwarmStatus[];
  to: SwarmStatus;
  endsAs?: SwarmOutcome;
  reason?: string;
}

/** Swarms: stored, found, listed, locked and ended. */
export function createSwarmRepository(query: Query) {
  return {
    /** Stores a swarm; null when it is stored already. */
    insertSwarm: async (swarm: NewSwarm): Promise<SwarmRow | null> => {
      const [row] = await query(insertSwarm, {
        ...{ id: swarm.id, kind: swarm.kind, goal: swarm.goal, leader: swarm.leader },
        teamConfig: toStorableJson(swarm.teamConfig),
        limits: toStorableJson(swarm.limits),
        ...{ startedBy: swarm.startedBy && toStorableJson(swarm.startedBy) },
        ...{ person: toOwnerKey(swarm.startedBy?.actingFor), requestHash: swarm.requestHash },
        parentSwarmId: swarm.parent.parent_swarm_id,
        parentTurnId: swarm.parent.parent_turn_id,
        parentConversationId: swarm.parent.parent_conversation_id,
        lineage: JSON.stringify(swarm.parent.lineage),
        timeMs: swarm.limits.timeMs,
        inheritsRules: swarm.inheritsRules,
      });
      return row ?? null;
    },

    findSwarm: async (swarmId: string): Promise<SwarmRow | null> => {
      const [row] = await query(findSwarm, { swarmId });
      return row ?? null;
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getSwarm: async (swarmId: string): Promise<SwarmRow> => {
      const [row] = await query(findSwarm, { swarmId });
      if (!row) throw swarmNotFound(swarmId);
      return row;
    },

    /**
     * Reads a swarm and keeps it from changing until the transaction ends. The swarms above it are locked before it.
     * @throws HoldfastError `NOT_FOUND`
     */
    lockSwarm: async (swarmId: string): Promise<SwarmRow> => {
      const [row] = await query(lockSwarm, { swarmId });
      if (!row) throw swarmNotFound(swarmId);
      return row;
    },

    /** Newest first; `cursor` is the id of the last swarm of the page before. */
    listSwarms: async ({ cursor, limit }: PageRequest): Promise<Page<Swarm>> =>
      toPage(await query(listSwarms, { cursor: cursor ?? null, most: limit + 1 }), limit, toSwarm),

    /** Returns the swarm after the change; null when its status is another one. */
    setStatus: async ({ swarmId, from, to, endsAs, reason }: StatusChange): Promise<SwarmRow | null> => {
      const [row] = await query(setStatus, {
        ...{ swarmId, from: JSON.stringify(from), to, endsAs: endsAs ?? null, reason: reason ?? null },
      });
      return row ?? null;
    },

    setTeamConfig: async (swarmId: string, teamConfig: TeamConfig): Promise<void> => {
      await query(setTeamConfig, { swarmId, teamConfig: toStorableJson(teamConfig) });
    },

    /** Counts what was used in a swarm and in those above it. */
    countUse: async (swarmIds: string[], use: Partial<SwarmUse>): Promise<void> => {
      await query(countUse, { swarmIds: JSON.stringify(swarmIds), turns: 0, tokens: 0, credits: 0, ...use });
    },

    /** Stores the outcomes of the turns of the leader. */
    noteLeader: async (leader: LeaderNote): Promise<void> => {
      await query(noteLeader, leader);
    },

    /** Gives a swarm that ends its last status, and adds to the reason. */
    settleSwarm: async (swarmId: string, rest: string): Promise<SwarmRow | null> => {
      const [row] = await query(settleSwarm, { swarmId, rest });
      return row ?? null;
    },

    /** Writes an event of a swarm to the audit log. */
    recordAudit: async (type: AuditType, swarmId: string, payload: JsonObject): Promise<void> => {
      await query(recordAudit, { id: newId(), type, swarmId, payload: toStorableJson(payload) });
    },

    /** The swarms that were started in a swarm and have not ended. */
    listInside: async (swarmId: string): Promise<string[]> =>
      (await query(listInside, { swarmId })).map(({ id }) => id),
  };
}

/** The turns that have begun, and what those have used that have ended. */
export interface SwarmUse {
  turns: number;
  tokens: number;
  credits: number;
}

interface LeaderNote {
  swarmId: string;
  /** The conversation of the leader. */
  conversationId: string | null;
  /** The answer of a turn that was completed. */
  result: string | null;
  fails: number;
}

interface SwarmValues {
  id: string;
  kind: string;
  goal: string;
  leader: string | null;
  teamConfig: string;
  limits: string;
  requestHash: string;
  startedBy: string | null;
  parentSwarmId: string | null;
  parentTurnId: string | null;
  parentConversationId: string | null;
  lineage: string;
  timeMs: number;
  inheritsRules: boolean;
}

/** A swarm that a turn starts is started by those who have started the turn, and is under the rules that the turn is under. */
const insertSwarm = defineStatement<SwarmValues, SwarmRow>(
  'insert_swarm',
  `INSERT INTO swarms (id, kind, goal, leader_agent_id, team_config, limits, request_hash, started_by, rule_sources,
     parent_swarm_id, parent_turn_id, parent_conversation_id, lineage, deadline_at, person)
   SELECT :id::uuid, :kind, :goal, :leader::uuid, :teamConfig::jsonb, :limits::jsonb, :requestHash,
     coalesce(:startedBy::jsonb, p.started_by), coalesce(p.rule_sources || jsonb_build_object('turnId', p.id,
     'agentId', p.agent_id, 'versionId', p.agent_version_id, 'inherits', :inheritsRules::boolean), '[]'),
     :parentSwarmId::uuid, :parentTurnId::uuid, :parentConversationId::uuid,
     ARRAY(SELECT jsonb_array_elements_text(:lineage::jsonb)::uuid),
     now() + make_interval(secs => :timeMs::bigint / 1000.0),
     coalesce(:person, (SELECT c.person FROM conversations c WHERE c.id = :parentConversationId::uuid))
   FROM (SELECT) AS one LEFT JOIN turns p ON p.id = :parentTurnId::uuid
   ON CONFLICT (id) DO NOTHING RETURNING *`,
);

const findSwarm = defineStatement<{ swarmId: string }, SwarmRow>(
  'find_swarm',
  'SELECT * FROM swarms WHERE id = :swarmId',
);

const lockSwarm = defineStatement<{ swarmId: string }, SwarmRow>(
  'lock_swarm',
  'SELECT * FROM swarms WHERE id = :swarmId FOR NO KEY UPDATE',
);

/** The ids of swarms come from hashes and have no order. */
const listSwarms = defineStatement<{ cursor: string | null; most: number }, SwarmRow>(
  'list_swarms',
  `SELECT * FROM swarms
   WHERE workspace_id = current_workspace() AND (:cursor::uuid IS NULL
     OR (created_at, id) < (SELECT c.created_at, c.id FROM swarms c WHERE c.id = :cursor::uuid))
   ORDER BY created_at DESC, id DESC LIMIT :most`,
);

interface StatusValues {
  swarmId: string;
  from: string;
  to: string;
  endsAs: string | null;
  reason: string | null;
}

const setStatus = defineStatement<StatusValues, SwarmRow>(
  'set_swarm_status',
  `UPDATE swarms SET status = :to, ends_as = coalesce(ends_as, :endsAs), reason = coalesce(reason, :reason), updated_at = now()
   WHERE id = :swarmId AND status = ANY (ARRAY(SELECT jsonb_array_elements_text(:from::jsonb)))
   RETURNING *`,
);

const setTeamConfig = defineStatement<{ swarmId: string; teamConfig: string }, unknown>(
  'set_swarm_team',
  'UPDATE swarms SET team_config = :teamConfig::jsonb, updated_at = now() WHERE id = :swarmId',
);

const countUse = defineStatement<SwarmUse & { swarmIds: string }, unknown>(
  'count_swarm_use',
  `UPDATE swarms SET turns_used = turns_used + :turns::int, tokens_used = tokens_used + :tokens::bigint,
     credits_used = credits_used + :credits::bigint, updated_at = now()
   WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(:swarmIds::jsonb)::uuid))`,
);

const noteLeader = defineStatement<LeaderNote, unknown>(
  'note_swarm_leader',
  `UPDATE swarms SET conversation_id = coalesce(:conversationId::uuid, conversation_id), leader_fails = :fails,
     result = coalesce(:result::text, result), updated_at = now()
   WHERE id = :swarmId`,
);

const settleSwarm = defineStatement<{ swarmId: string; rest: string }, SwarmRow>(
  'settle_swarm',
  `UPDATE swarms SET status = coalesce(ends_as, 'ended'), reason = reason || :rest, settled_at = now(), updated_at = now()
   WHERE id = :swarmId AND status = 'ending' RETURNING *`,
);

const recordAudit = defineStatement<{ id: string; type: string; swarmId: string; payload: string }, unknown>(
  'record_swarm_audit',
  'INSERT INTO audit_pending (id, type, subject_id, payload) VALUES (:id, :type, :swarmId, :payload::jsonb)',
);

const listInside = defineStatement<{ swarmId: string }, { id: string }>(
  'list_swarms_inside',
  'SELECT id FROM swarms WHERE parent_swarm_id = :swarmId AND settled_at IS NULL',
);
