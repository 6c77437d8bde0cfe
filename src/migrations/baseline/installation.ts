/** The roles of the programs. Each session of a program takes one of them; neither owns anything. */
const roles = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'holdfast_app') THEN CREATE ROLE holdfast_app NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'holdfast_system') THEN CREATE ROLE holdfast_system NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- A role that has them already may lack the right to grant them.
DO $$ DECLARE membership text := CASE WHEN current_setting('server_version_num')::integer < 160000
  THEN 'MEMBER' ELSE 'SET' END;
BEGIN
  IF NOT (pg_has_role('holdfast_app', membership) AND pg_has_role('holdfast_system', membership)) THEN
    GRANT holdfast_app, holdfast_system TO CURRENT_USER;
  END IF;
END $$;
GRANT USAGE ON SCHEMA public TO holdfast_app, holdfast_system;
`;

/**
 * The settings of a transaction, which policies read. \`holdfast.person\` is the normal form of the name of the only person
 * whose rows it sees; without it, it sees its workspace. With \`holdfast.decides\` it also sees which tool calls wait for
 * approval. \`holdfast.conversations\` are the only conversations that a user token sees.
 */
const settings = `
CREATE FUNCTION current_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.workspace_id', true), '')::uuid $$;
CREATE FUNCTION current_person() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.person', true), '') $$;
CREATE FUNCTION current_decides() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT current_setting('holdfast.decides', true) = 'on' $$;
CREATE FUNCTION current_conversations() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.conversations', true), '')::uuid[] $$;
`;

const ids = `
-- As \`newId\` of the programs: ids that one statement creates for many rows sort by time too.
CREATE FUNCTION new_timed_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
    substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- Maps an id of a parent to that of its copy: a UUID of version 8 from the first bytes of SHA-256 over the two ids.
CREATE FUNCTION forked_id(fork uuid, original uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT overlay(overlay(h PLACING '8' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid
  FROM (SELECT left(encode(sha256(uuid_send(fork) || uuid_send(original)), 'hex'), 32)) AS hashed (h)
$$;
`;

/** Tables that belong to no workspace. */
const tables = `
-- One row: the id that tells this database apart from every other one at the same Temporal.
CREATE TABLE installation (
  id text PRIMARY KEY DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12),
  is_only boolean NOT NULL DEFAULT true UNIQUE CHECK (is_only),
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

-- What a program has to know of migrations that are newer than itself.
CREATE TABLE applied_migrations (
  name text PRIMARY KEY,
  is_compatible boolean NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON installation, applied_migrations TO holdfast_app, holdfast_system;

-- The rows of rate-limiter-flexible: a key, the points used of it, and their expiry in epoch milliseconds.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0, expire bigint
);

-- The state of a model with one key, shared by all processes: a row is there from the first failure to the next answer.
CREATE TABLE model_states (
  model text NOT NULL,
  -- The id of a connection, or operator/<workspace> for the operator's key.
  holder text NOT NULL,
  failures integer NOT NULL,
  -- How often the circuit was opened without an answer in between; each time it stays open longer.
  openings integer NOT NULL,
  open_until timestamptz, probed_at timestamptz,
  error_code text NOT NULL, failed_at timestamptz NOT NULL,
  PRIMARY KEY (model, holder)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits, model_states TO holdfast_system;
`;

/** The roles of the programs, what the statements of other parts use, and the tables that belong to no workspace. */
export const installation = [roles, settings, ids, tables].join('');
