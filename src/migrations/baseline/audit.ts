import { addPolicies } from '../isolate.ts';

/**
 * Audit events are written to \`audit_pending\` and moved into the chain of their workspace after their transaction.
 * Until then each is a link of a lane: a short chain that one open transaction at a time extends. A transaction takes
 * any lane that is free, so that no transaction waits for the disk flush of another one.
 */
const tables = `
CREATE TABLE audit_heads (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  seq bigint NOT NULL, hash bytea NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE audit_events (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  seq bigint NOT NULL,
  id uuid NOT NULL, type text NOT NULL, subject_id uuid, payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  previous_hash bytea NOT NULL, hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, seq)
);
CREATE INDEX ON audit_events (workspace_id, type, seq);

CREATE SEQUENCE audit_numbers;

CREATE TABLE audit_lanes (
  workspace_id uuid NOT NULL,
  lane bigint NOT NULL,
  -- The place and the hash of the newest event of the lane.
  position bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, lane)
) WITH (fillfactor = 50);

-- How far each lane was moved into the chain. A separate table, since audit_lanes is locked by open transactions.
CREATE TABLE audit_lanes_chained (
  workspace_id uuid NOT NULL,
  lane bigint NOT NULL, position bigint NOT NULL,
  hash bytea NOT NULL,
  -- The first damage of the lane that was found while its events were moved.
  fault_number bigint, fault text,
  PRIMARY KEY (workspace_id, lane)
) WITH (fillfactor = 50);

CREATE TABLE audit_pending (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  -- The order in which events are moved into the chain; it grows in each lane.
  number bigint NOT NULL,
  lane bigint NOT NULL, position bigint NOT NULL,
  id uuid NOT NULL, type text NOT NULL, subject_id uuid, payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, number)
);
`;

/** The hash of an event in the chain, where its place is its \`seq\`, or in a lane, where its place is its number. */
const hash = `
CREATE FUNCTION audit_hash(previous bytea, of_workspace uuid, place bigint, id uuid, type text, subject_id uuid,
  payload jsonb, created_at timestamptz) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(previous || convert_to(jsonb_build_array(of_workspace, place, id, type, subject_id, payload,
    extract(epoch FROM created_at))::text, 'UTF8'))
$$;
`;

const linkPending = `
CREATE FUNCTION link_pending_audit_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE held audit_lanes;
BEGIN
  SELECT * INTO held FROM audit_lanes WHERE workspace_id = NEW.workspace_id
    ORDER BY lane LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO audit_lanes VALUES (NEW.workspace_id, nextval('audit_numbers'), 0, '\\x00') RETURNING * INTO held;
  END IF;
  -- Taken after the lock of the lane, so that numbers grow in each lane.
  NEW.number := nextval('audit_numbers');
  NEW.lane := held.lane;
  NEW.position := held.position + 1;
  NEW.hash := audit_hash(held.hash, NEW.workspace_id, NEW.number, NEW.id, NEW.type, NEW.subject_id, NEW.payload,
    NEW.created_at);
  UPDATE audit_lanes SET position = NEW.position, hash = NEW.hash
    WHERE workspace_id = NEW.workspace_id AND lane = held.lane;
  RETURN NEW;
END $$;
CREATE TRIGGER link_pending_audit_event BEFORE INSERT ON audit_pending
  FOR EACH ROW EXECUTE FUNCTION link_pending_audit_event();
`;

/** Compares pending events with the lanes that they are links of. Rows without damage have no fault. */
const checkPending = `
CREATE FUNCTION check_pending_audit_events(batch audit_pending[])
RETURNS TABLE (lane bigint, "position" bigint, number bigint, hash bytea, fault text) LANGUAGE sql STABLE AS $$
  SELECT e.lane, e.position, e.number, e.hash,
    CASE WHEN e.position <> e.position_before + 1 THEN 'waiting_missing'
      WHEN e.hash <> audit_hash(e.hash_before, e.workspace_id, e.number, e.id, e.type, e.subject_id, e.payload,
        e.created_at) THEN 'waiting_changed' END
  FROM (
    SELECT p.*, coalesce(lag(p.position) OVER in_lane, c.position, 0) AS position_before,
      coalesce(lag(p.hash) OVER in_lane, c.hash, '\\x00') AS hash_before
    FROM unnest(batch) AS p LEFT JOIN audit_lanes_chained c ON c.workspace_id = p.workspace_id AND c.lane = p.lane
    WINDOW in_lane AS (PARTITION BY p.lane ORDER BY p.position)
  ) e
$$;
`;

/**
 * Moves pending events of a workspace into its chain and returns how many. The lock on the head lets one session at a
 * time do so. An event that is committed later has a later place in the chain.
 */
const chainPending = `
CREATE FUNCTION chain_audit_events(of_workspace uuid, at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads;
  batch audit_pending[];
  event audit_pending;
  next_hash bytea;
BEGIN
  IF NOT EXISTS (SELECT FROM audit_pending WHERE workspace_id = of_workspace) THEN RETURN 0; END IF;
  INSERT INTO audit_heads VALUES (of_workspace, 0, '\\x00') ON CONFLICT DO NOTHING;
  SELECT * INTO head FROM audit_heads WHERE workspace_id = of_workspace FOR UPDATE;
  WITH taken AS (
    DELETE FROM audit_pending WHERE workspace_id = of_workspace AND number IN (
      SELECT number FROM audit_pending WHERE workspace_id = of_workspace ORDER BY number LIMIT at_most)
    RETURNING audit_pending AS moved
  )
  SELECT coalesce(array_agg(moved ORDER BY (moved).number), '{}') INTO batch FROM taken;
  INSERT INTO audit_lanes_chained AS known
    SELECT of_workspace, lane, max(position), (array_agg(hash ORDER BY position DESC))[1],
      min(number) FILTER (WHERE fault IS NOT NULL), (array_agg(fault ORDER BY number) FILTER (WHERE fault IS NOT NULL))[1]
    FROM check_pending_audit_events(batch) GROUP BY lane
    ON CONFLICT (workspace_id, lane) DO UPDATE SET position = excluded.position, hash = excluded.hash,
      fault_number = coalesce(known.fault_number, excluded.fault_number), fault = coalesce(known.fault, excluded.fault);
  FOREACH event IN ARRAY batch LOOP
    head.seq := head.seq + 1;
    next_hash := audit_hash(head.hash, of_workspace, head.seq, event.id, event.type, event.subject_id, event.payload,
      event.created_at);
    INSERT INTO audit_events (workspace_id, seq, id, type, subject_id, payload, created_at, previous_hash, hash)
      VALUES (of_workspace, head.seq, event.id, event.type, event.subject_id, event.payload, event.created_at,
        head.hash, next_hash);
    head.hash := next_hash;
  END LOOP;
  UPDATE audit_heads SET seq = head.seq, hash = head.hash WHERE workspace_id = of_workspace AND seq <> head.seq;
  RETURN cardinality(batch);
END $$;
REVOKE EXECUTE ON FUNCTION chain_audit_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain_audit_events TO holdfast_app, holdfast_system;
`;

const isolated = ['audit_heads', 'audit_events', 'audit_lanes', 'audit_lanes_chained', 'audit_pending'];
const ownerWrites = ['audit_heads', 'audit_lanes', 'audit_lanes_chained', 'audit_pending'].map(
  (table) => `CREATE POLICY owner_writes ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true);`,
);

/** The roles of the programs add events and read them; everything else is done by functions of the owner. */
const grants = `
${isolated.map((table) => addPolicies(table)).join('')}
GRANT SELECT ON ${isolated.join(', ')} TO holdfast_app, holdfast_system;
GRANT INSERT (workspace_id, id, type, subject_id, payload) ON audit_pending TO holdfast_app, holdfast_system;
${ownerWrites.join('\n')}
CREATE POLICY owner_adds ON audit_events FOR INSERT TO CURRENT_USER WITH CHECK (true);
`;

/** The form in which names of people are compared. */
const nameKey = (name: string) => `nullif(lower(normalize(trim(${name}), NFKC)), '')`;

/** The fields of a payload that hold an actor, and the names that the person and the API key have in it. */
const actors = ['by', 'decided_by', 'created_by', 'revoked_by'];
const firstOf = (...names: string[]) =>
  `coalesce(${actors.flatMap((actor) => names.map((name) => `payload #>> '{${actor},${name}}'`)).join(', ')})`;

const actorsOfEvents = `
CREATE FUNCTION audit_person(payload jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ${nameKey(firstOf('actingFor', 'person'))}
$$;
CREATE FUNCTION audit_api_key(payload jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ${firstOf('apiKeyId', 'api_key_id')}
$$;
CREATE INDEX audit_events_by_person ON audit_events (workspace_id, audit_person(payload), seq)
  WHERE audit_person(payload) IS NOT NULL;
CREATE INDEX audit_events_by_api_key ON audit_events (workspace_id, audit_api_key(payload), seq)
  WHERE audit_api_key(payload) IS NOT NULL;
`;

/** One for each of the two indexes, which the planner takes only when the statement has its condition. */
const eventsBy = (condition: string) => `
    RETURN QUERY SELECT * FROM audit_events e
      WHERE e.workspace_id = current_workspace() AND ${condition}
        AND (of_type IS NULL OR e.type = of_type) AND (of_subject IS NULL OR e.subject_id = of_subject)
        AND (since IS NULL OR e.created_at >= since) AND (until IS NULL OR e.created_at < until)
        AND (before IS NULL OR e.seq < before)
      ORDER BY e.seq DESC LIMIT at_most;`;

/**
 * Lists the events of the current workspace by who acted, newest first. Under row-level security no index serves functions
 * of the payload, since they are not leakproof; so the function runs as its owner and names the workspace itself.
 */
const listByActor = `
CREATE FUNCTION list_audit_events_by(of_person text, of_api_key text, of_type text, of_subject uuid,
  since timestamptz, until timestamptz, before bigint, at_most integer)
RETURNS SETOF audit_events LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF of_person IS NULL THEN${eventsBy('audit_api_key(e.payload) = of_api_key')}
  ELSE${eventsBy(`audit_person(e.payload) = ${nameKey('of_person')}
        AND (of_api_key IS NULL OR audit_api_key(e.payload) = of_api_key)`)}
  END IF;
END $$;
-- Any other login could name any workspace.
REVOKE EXECUTE ON FUNCTION list_audit_events_by FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_audit_events_by TO holdfast_app, holdfast_system;
-- The owner of the function is held to policies as well; this one lets it read, and nothing more.
CREATE POLICY owner_reads ON audit_events FOR SELECT TO CURRENT_USER USING (true);
`;

/** The audit log: a chain of events for each workspace, and the events that wait for their place in it. */
export const audit = [
  tables,
  hash,
  linkPending,
  checkPending,
  chainPending,
  grants,
  actorsOfEvents,
  listByActor,
].join('');
