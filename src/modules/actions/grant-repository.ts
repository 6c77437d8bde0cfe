import type { Decider } from '../../domain/action.ts';
import type { ActorRef } from '../../domain/actor.ts';
import type { ApprovalGrant } from './approval-grant.ts';
import type { JsonObject } from '../../domain/json.ts';
import { rights } from '../../domain/rights.ts';
import type { GrantScope } from '../../domain/remember-input.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { joinNow } from '../workspaces/keys/credential-repository.ts';
import { rootTurn } from './root-turn.ts';

/** How many approvals of one tool hold in one scope at the same time; a call is compared with each of them. */
const mostInForce = 1_000;

interface GrantRow {
  id: string;
  scope: GrantScope;
  scope_id: string;
  tool: string;
  target: string | null;
  pins: JsonObject;
  until: Date;
  action_id: string;
  created_at: Date;
  created_by: Decider;
  revoked_at: Date | null;
  revoked_by: Decider | null;
}

/** An approval that is remembered from now on. */
export interface NewGrant {
  scope: GrantScope;
  scopeId: string;
  tool: string;
  target: string | null;
  toolHash: string;
  pins: JsonObject;
  until: string;
  actionId: string;
  createdBy: Decider;
  /** The groups of the approver. */
  groups: string[];
}

/** A remembered approval that holds for the tool of a call; its pins were not compared. */
export interface GrantInForce {
  id: string;
  pins: JsonObject;
  created_by: Decider;
  groups: string[];
  /** The actors who asked for the call. */
  asked_by: ActorRef[];
}

/** Selects remembered approvals. */
export interface GrantFilter extends PageRequest {
  tool?: string | undefined;
  scope?: GrantScope | undefined;
  actionId?: string | undefined;
  /** Whether it holds now: not revoked, its time is not over, and its key may still decide. */
  active?: boolean | undefined;
}

/** The approvals of one workspace that are remembered for later calls. */
export function createGrantRepository(query: Query) {
  return {
    /** Stores a remembered approval. Null when the maximum number of approvals hold in its scope. */
    create: async (grant: NewGrant): Promise<ApprovalGrant | null> => {
      const { createdBy, pins } = grant;
      const values = { id: newId(), auditId: newId(), most: mostInForce, scopes: decidingScopes };
      const json = { pins: toStorableJson(pins), createdBy: toStorableJson({ ...createdBy }) };
      const [row] = await query(createGrant, { ...grant, ...values, ...json });
      return row ? toApprovalGrant(row) : null;
    },

    /** Lists the approvals that hold for a tool call, oldest first; their pins are compared by the caller. */
    listInForce: (call: { toolCallId: string; toolHash: string }): Promise<GrantInForce[]> =>
      query(listInForce, { ...call, scopes: decidingScopes }),

    findOfAction: async (actionId: string): Promise<ApprovalGrant | null> => {
      const [row] = await query(findOfAction, { actionId });
      return row ? toApprovalGrant(row) : null;
    },

    /** Newest first; `cursor` is the id of the last one of the page before. */
    list: async ({ limit, cursor, ...filter }: GrantFilter): Promise<Page<ApprovalGrant>> => {
      const rows = await query(listGrants, {
        tool: filter.tool ?? null,
        scope: filter.scope ?? null,
        actionId: filter.actionId ?? null,
        active: filter.active ?? null,
        scopes: decidingScopes,
        cursor: cursor ?? null,
        most: limit + 1,
      });
      return toPage(rows, limit, toApprovalGrant);
    },

    /** Ends a remembered approval; one that was revoked before stays as it is. Null when there is none. */
    revoke: async (id: string, revokedBy: Decider): Promise<ApprovalGrant | null> => {
      const values = { id, auditId: newId(), revokedBy: toStorableJson({ ...revokedBy }) };
      const [row] = await query(revokeGrant, values);
      return row ? toApprovalGrant(row) : null;
    },
  };
}

export type GrantRepository = ReturnType<typeof createGrantRepository>;

function toApprovalGrant(row: GrantRow): ApprovalGrant {
  return {
    id: row.id,
    scope: row.scope,
    scopeId: row.scope_id,
    tool: row.tool,
    target: row.target,
    pins: row.pins,
    until: row.until.toISOString(),
    actionId: row.action_id,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by,
  };
}

/** The scopes that the key of a remembered approval needs as long as it holds. */
const decidingScopes = rights['actions.decide'].scopes;

/** The key that gave the approval of a row `g`, with what it may do now. */
const keyOfGrant = `api_keys k ${joinNow} WHERE k.id = (g.created_by ->> 'apiKeyId')::uuid`;

/** Whether a remembered approval holds now. The key that gave it has to be able to decide; one through Temporal has none. */
const isInForce = `(g.revoked_at IS NULL AND g.until > now() AND (g.created_by ->> 'apiKeyId' IS NULL OR EXISTS (
  SELECT FROM ${keyOfGrant} AND now_of.is_usable AND now_of.scopes_now @> :scopes::text[])))`;

/** The audit log has the paths of the pins, and not their values, since it outlives the grants that it records. */
const createGrant = defineStatement<
  Omit<NewGrant, 'pins' | 'createdBy'> & {
    id: string;
    auditId: string;
    most: number;
    scopes: readonly string[];
    pins: string;
    createdBy: string;
  },
  GrantRow
>(
  'create_approval_grant',
  `WITH stored AS (
  INSERT INTO approval_grants (id, scope, scope_id, tool, target, tool_hash, pins, until, action_id, created_by, groups)
  SELECT :id::uuid, :scope, :scopeId::uuid, :tool, :target, :toolHash, :pins::jsonb, :until::timestamptz,
    :actionId::uuid, :createdBy::jsonb, :groups::text[]
  WHERE (SELECT count(*) FROM approval_grants g WHERE scope_id = :scopeId::uuid AND tool_hash = :toolHash
    AND ${isInForce}) < :most::int
  RETURNING *
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'approval_grant.created', id, jsonb_build_object('tool_name', coalesce(target, tool),
    'scope', scope, 'scope_id', scope_id, 'until', until, 'action_id', action_id, 'created_by', created_by,
    'pinned', (SELECT coalesce(jsonb_agg(path), '[]') FROM jsonb_object_keys(pins) AS path)) FROM stored
)
SELECT * FROM stored`,
);

/** The groups are those of the approver that the approver's key still has. */
const listInForce = defineStatement<
  { toolCallId: string; toolHash: string; scopes: readonly string[] },
  GrantInForce
>(
  'list_approval_grants_in_force',
  `WITH RECURSIVE call AS (
  SELECT c.turn_id, t.agent_id FROM tool_calls c JOIN turns t ON t.id = c.turn_id WHERE c.id = :toolCallId
), ${rootTurn}
SELECT id, pins, created_by, (SELECT asked_by FROM root) AS asked_by, ARRAY(SELECT unnest(g.groups) INTERSECT
    SELECT unnest(now_of.groups_now) FROM ${keyOfGrant}) AS groups
FROM approval_grants g
WHERE scope_id IN (current_workspace(), (SELECT agent_id FROM call), (SELECT conversation_id FROM root))
  AND tool_hash = :toolHash AND ${isInForce}
ORDER BY id`,
);

const findOfAction = defineStatement<{ actionId: string }, GrantRow>(
  'find_approval_grant_of_action',
  'SELECT * FROM approval_grants WHERE action_id = :actionId',
);

const listGrants = defineStatement<
  {
    tool: string | null;
    scope: string | null;
    actionId: string | null;
    active: boolean | null;
    scopes: readonly string[];
    cursor: string | null;
    most: number;
  },
  GrantRow
>(
  'list_approval_grants',
  `SELECT * FROM approval_grants g WHERE (:tool::text IS NULL OR tool = :tool OR target = :tool)
     AND (:scope::text IS NULL OR scope = :scope)
     AND (:actionId::uuid IS NULL OR action_id = :actionId)
     AND (:active::boolean IS NULL OR :active = ${isInForce})
     AND (:cursor::uuid IS NULL OR id < :cursor)
   ORDER BY id DESC LIMIT :most`,
);

const revokeGrant = defineStatement<{ id: string; auditId: string; revokedBy: string }, GrantRow>(
  'revoke_approval_grant',
  `WITH revoked AS (
  UPDATE approval_grants SET revoked_at = now(), revoked_by = :revokedBy::jsonb
  WHERE id = :id AND revoked_at IS NULL RETURNING *
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'approval_grant.revoked', id, jsonb_build_object('tool_name', coalesce(target, tool),
    'revoked_by', revoked_by) FROM revoked
)
SELECT * FROM revoked
UNION ALL SELECT * FROM approval_grants WHERE id = :id AND NOT EXISTS (SELECT FROM revoked)`,
);
