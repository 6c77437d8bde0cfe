import { hideFromOthers, isInConversation, isolateTable } from '../isolate.ts';

const messages = `
CREATE TABLE messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL, iteration integer NOT NULL,
  -- Messages that a turn took stand after the answer and the results of an iteration, in this order.
  steered_ordinal integer NOT NULL DEFAULT 0,
  role text NOT NULL CHECK (role IN ('user', 'assistant', 'summary')),
  text text NOT NULL,
  -- Null for a message that is text only.
  parts jsonb,
  reasoning text,
  finish_reason text,
  provider_content jsonb,
  -- What is wrong with an answer after which the model was asked again.
  refused jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (conversation_id, turn_ordinal, iteration, steered_ordinal)
);
CREATE INDEX ON messages (turn_id);
${isolateTable('messages')}
${hideFromOthers('messages', isInConversation('messages.conversation_id'))}
`;

const usage = `
-- The model calls of turns, and what they got besides the agent version where other rows do not tell it.
CREATE TABLE usage (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  turn_id uuid NOT NULL,
  iteration integer NOT NULL,
  model text NOT NULL, answered_by text NOT NULL,
  input_tokens bigint NOT NULL,
  cache_read_tokens bigint NOT NULL, cache_write_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL, reasoning_tokens bigint NOT NULL,
  usage_estimated boolean NOT NULL DEFAULT false,
  tool_choice text,
  -- The enabled tools that were left out; null when none was.
  left_out jsonb,
  -- Null for the defaults of the vendor.
  sampling jsonb,
  -- The first turn of the context; null when that was the first turn of the conversation.
  context_from integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the call began and how long it took.
  started_at timestamptz, duration_ms integer,
  UNIQUE (turn_id, iteration)
);
${isolateTable('usage')}
`;

const toolCalls = `
CREATE TABLE tool_calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL, iteration integer NOT NULL, index integer NOT NULL,
  key text NOT NULL UNIQUE,
  model_call_id text NOT NULL, name text NOT NULL,
  tool jsonb,
  connector text, target text,
  effect text NOT NULL,
  arguments jsonb, invalid_arguments text, arguments_hash text NOT NULL,
  status text NOT NULL
    CHECK (status IN ('requested', 'started', 'succeeded', 'failed', 'unknown', 'blocked', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  -- Tells an attempt that lost the answer to its claim from another attempt; and the status that the claim found.
  claimed_by uuid,
  claimed_from text,
  counted boolean NOT NULL DEFAULT false,
  result text, result_content jsonb,
  result_bytes integer, result_truncated boolean NOT NULL DEFAULT false, error jsonb,
  child_turn_id uuid, child_workflow_id text,
  -- The run of the turn's workflow that was about to start that one.
  child_begun_by text,
  -- Null when the call ran here.
  answered_by text,
  recorded_call_id uuid,
  -- Set for calls whose outcome is unknown and may be asked for again.
  settle_state text CHECK (settle_state IN ('waiting', 'settled', 'given_up')),
  -- The time of the next attempt; null before the first one, which counts from the end of the turn.
  settle_at timestamptz,
  settle_attempts integer NOT NULL DEFAULT 0,
  started_at timestamptz, ended_at timestamptz,
  UNIQUE (conversation_id, turn_ordinal, iteration, index)
) WITH (fillfactor = 70);
CREATE INDEX ON tool_calls (turn_id, iteration, index);
CREATE INDEX ON tool_calls (workspace_id, ended_at) WHERE ended_at IS NOT NULL;
-- The copies of a tool call in forks, which have its files too.
CREATE INDEX tool_calls_recorded ON tool_calls (recorded_call_id) WHERE recorded_call_id IS NOT NULL;
CREATE INDEX tool_calls_unsettled ON tool_calls (settle_at NULLS FIRST) WHERE settle_state = 'waiting';
${isolateTable('tool_calls')}
${hideFromOthers('tool_calls', isInConversation('tool_calls.conversation_id'))}
`;

const compactions = `
-- One row for each time that the context of a conversation was shortened. From the model call of turn_ordinal and iteration
-- on, the model does not see the turns up to through_ordinal, sees the summary message_id in their place, and sees large
-- tool results of the turns up to references_through as references. A row says all of this, also what an earlier one
-- has decided. through_offset is the number of characters of the next turn that the summary covers too.
CREATE TABLE compactions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL, iteration integer NOT NULL, number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('references', 'oldest_first', 'summarize')),
  from_ordinal integer NOT NULL, through_ordinal integer NOT NULL,
  through_offset integer NOT NULL DEFAULT 0,
  references_through integer NOT NULL,
  message_id uuid,
  tokens_before bigint NOT NULL, tokens_after bigint NOT NULL,
  model text, answered_by text,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0, cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0, reasoning_tokens bigint NOT NULL DEFAULT 0,
  usage_estimated boolean NOT NULL DEFAULT false,
  credits bigint, error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (conversation_id, turn_ordinal, iteration, number)
);
CREATE INDEX compactions_turn ON compactions (turn_id);
${isolateTable('compactions')}
${hideFromOthers('compactions', isInConversation('compactions.conversation_id'))}
`;

/** The rows that the steps of turns store: messages, usage of models, tool calls, and compactions of the context. */
export const steps = [messages, usage, toolCalls, compactions].join('');
