import type { ActionKind } from '../../domain/action.ts';
import type { ApproverRules } from '../../domain/approver.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { QuestionSource } from '../../domain/question.ts';
import { toStorableJson, toStorableText } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { isoTime } from '../../platform/database/iso-time.ts';
import { defineStatement } from '../../platform/database/statement.ts';
import { notifyOfActions, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';
import type { ActionRow } from './action-rows.ts';
import { rootTurn } from './root-turn.ts';

/** An action that a tool call waits for. */
export interface NewAction {
  toolCallId: string;
  /** @default `approval` */
  kind?: ActionKind;
  arguments: JsonObject;
  /** SHA-256 over what would run, or over what is asked. */
  hash: string;
  timeoutMs: number;
  /** SHA-256 over the tool, for an approval. */
  toolHash?: string;
  /** Whether an approval may be remembered for later calls. @default false */
  canRemember?: boolean;
  /** The people who may decide. @default everybody with the scope */
  rules?: ApproverRules;
  /** The conditions of `approvalWhen` that the arguments match. @default none */
  askedBecause?: string[];
  question?: string;
  schema?: JsonObject;
  options?: string[] | null;
  source?: QuestionSource;
  /** Numbers the actions of one kind of a call. @default 0 */
  position?: number;
  /** The attempt of the call that asks; another one may have begun. @default the one that has claimed the call */
  attempts?: number;
  /** Whether another process may act on the call from now on, so that it stays claimed. @default false */
  isActedOn?: boolean;
}

/** The share of the time until an action expires after which a reminder is sent. */
const reminderShare = 0.8;

/** Returns the values of `requestAction`. */
export function toRequestBindings({ question, schema, options, source, rules, ...action }: NewAction) {
  return {
    approvers: toStorableJson(rules?.approvers ?? []),
    selfApproval: rules?.selfApproval ?? true,
    ...{ kind: 'approval', position: 0, attempts: null, isActedOn: false },
    ...{ toolHash: null, canRemember: false, ...action },
    arguments: toStorableJson(action.arguments),
    askedBecause: toStorableJson(action.askedBecause ?? []),
    question: question === undefined ? null : toStorableText(question),
    schema: schema === undefined ? null : toStorableJson(schema),
    options: options ? toStorableJson(options) : null,
    source: source ? toStorableJson(source) : null,
    id: newId(),
    auditId: newId(),
    remindMs: Math.round(action.timeoutMs * reminderShare),
  };
}

/** The names of the connections whose credentials a call carries: that of its tool, and those of a routine's request. */
const usedConnections = `(SELECT coalesce(jsonb_agg(DISTINCT used.name), '[]') FROM (
      SELECT found.value #>> '{}' AS name FROM jsonb_path_query(call.tool, '$.config.request.**.name') AS found (value)
      UNION ALL SELECT k.name FROM connections k
      WHERE k.id = CASE WHEN call.tool #>> '{config,connectionId}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        THEN (call.tool #>> '{config,connectionId}')::uuid END) AS used)`;

/**
 * Removes the claim of a call that waits, so that it can be claimed again whatever its effect is. A call on which another
 * process may act stays claimed: when the turn ends, its outcome is unknown. So does a call that asks after an earlier
 * attempt may have acted.
 */
export const requestAction = defineStatement<ReturnType<typeof toRequestBindings>, ActionRow>(
  'request_action',
  `WITH RECURSIVE call AS (
  UPDATE tool_calls c SET status = CASE WHEN stays THEN 'started' ELSE 'requested' END,
    started_at = CASE WHEN stays THEN coalesce(started_at, clock_timestamp()) END,
    attempts = attempts - (status = 'started' AND NOT stays)::int
  FROM (SELECT :isActedOn::boolean OR :kind <> 'approval' AND claimed_from = 'started' AS stays
    FROM tool_calls WHERE id = :toolCallId) AS held
  WHERE id = :toolCallId AND status IN ('requested', 'started') AND attempts = coalesce(:attempts::int, attempts)
  RETURNING id, conversation_id, turn_id, iteration, index, name, target, tool
), ${rootTurn}, asked AS (
  INSERT INTO pending_actions (id, kind, conversation_id, turn_id, root_turn_id, tool_call_id, tool, target,
    connections, arguments, hash, tool_hash, can_remember, approvers, self_approval, asked_by, asked_because, question,
    schema, options, source, position, remind_at, expires_at)
  SELECT :id::uuid, :kind, call.conversation_id, turn_id, root.id, call.id, name, target,
    ${usedConnections}, :arguments::jsonb, :hash, :toolHash, :canRemember::boolean, :approvers::jsonb,
    :selfApproval::boolean, root.asked_by, :askedBecause::jsonb, :question, :schema::jsonb, :options::jsonb,
    :source::jsonb, :position,
    now() + make_interval(secs => :remindMs::float8 / 1000), now() + make_interval(secs => :timeoutMs::float8 / 1000)
  FROM call, root
  ON CONFLICT (tool_call_id, kind, position) DO NOTHING
  RETURNING *
), logged AS (
  SELECT append_events(asked.conversation_id, asked.turn_id, jsonb_build_array(jsonb_build_object(
    'type', 'action.requested', 'payload', jsonb_build_object('actionId', asked.id, 'kind', asked.kind,
      'toolCallId', call.id, 'iteration', call.iteration, 'index', call.index, 'name', call.name,
      'arguments', asked.arguments, 'expiresAt', ${isoTime('asked.expires_at')})
      || CASE WHEN asked.asked_because <> '[]' THEN jsonb_build_object('askedBecause', asked.asked_because) ELSE '{}' END
      || CASE WHEN asked.kind = 'question' THEN jsonb_build_object('question', asked.question, 'schema', asked.schema,
        'options', asked.options, 'server', asked.source ->> 'server', 'url', asked.source ->> 'url') ELSE '{}' END)), 0)
  FROM asked, call
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'action.requested', id, jsonb_build_object('kind', kind, 'tool_name', tool, 'hash', hash,
    'asked_by', asked_by)
  FROM asked
), ${notifyOfActions('turn.action_required', 'asked')}
SELECT asked.*, ${insertedDeliveries} FROM asked, logged
UNION ALL SELECT a.*, '{}' FROM pending_actions a JOIN call
  ON a.tool_call_id = call.id AND a.kind = :kind AND a.position = :position`,
);
