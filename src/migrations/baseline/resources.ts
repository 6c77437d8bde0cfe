import { isolateTable } from '../isolate.ts';

const tables = `
-- The attributes of a resource are those of its newest version, which never change.
CREATE TABLE resources (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL,
  name text NOT NULL,
  tags text[] NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  owner jsonb NOT NULL,
  -- For whom a memory is; null for what the whole workspace sees.
  scope text,
  search tsvector NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX ON resources (workspace_id, kind, id);
CREATE INDEX ON resources (workspace_id, scope, id) WHERE scope IS NOT NULL;
CREATE INDEX resources_search ON resources USING gin (search);
CREATE INDEX resources_deleted ON resources (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX resources_expiring ON resources (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE resource_versions (
  resource_id uuid NOT NULL REFERENCES resources ON DELETE CASCADE,
  version integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  attributes jsonb NOT NULL,
  made_by jsonb NOT NULL,
  -- The request that made the version, so that a repeated one makes no other.
  request_id uuid UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (resource_id, version)
);
`;

/**
 * The words of a text as they are written and by their English stems, so that a search finds exact words of any language.
 * The workspace is a word too: so the index answers with the rows of one workspace.
 */
const vectors = `
CREATE FUNCTION resource_vector(of_workspace uuid, name text, tags text[], content text) RETURNS tsvector
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('english', name) || to_tsvector('simple', name), 'A')
    || setweight(to_tsvector('simple', array_to_string(tags, ' ')), 'B')
    || to_tsvector('english', content) || to_tsvector('simple', content)
    || array_to_tsvector(ARRAY['workspace:' || of_workspace])
$$;

CREATE FUNCTION resource_query(words text, any_word boolean) RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN any_word THEN (
    SELECT coalesce(string_agg(DISTINCT
      '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | '), '')::tsquery
    FROM (SELECT unnest(tsvector_to_array(to_tsvector('english', words) || to_tsvector('simple', words))) AS lexeme
      LIMIT 100) AS found
    -- Stop words of English have no stem; they would find nearly everything.
    WHERE ts_lexize('english_stem', lexeme) IS DISTINCT FROM '{}')
  ELSE websearch_to_tsquery('english', words) || websearch_to_tsquery('simple', words) END
$$;
`;

/**
 * Full-text search of the current workspace. Under row-level security no index serves the operator of text search,
 * since it is not leakproof; so the function runs as its owner and names the workspace itself. With \`of_scopes\` only
 * memories of these scopes are found; with \`of_person\` no memory about another person.
 */
const searchResources = `
CREATE FUNCTION search_resources(words text, any_word boolean, of_kinds text[], of_scopes text[], of_person text,
  at_most integer)
RETURNS TABLE (id uuid, score double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH query AS (SELECT resource_query(words, any_word) AS terms)
  SELECT r.id, ts_rank(r.search, query.terms, 1)::double precision AS score FROM query, resources r
  WHERE r.search @@ (query.terms && (quote_literal('workspace:' || current_workspace()))::tsquery)
    AND r.workspace_id = (SELECT current_workspace()) AND r.kind = ANY (of_kinds)
    AND numnode(query.terms) > 0
    AND (r.scope IS NULL OR of_scopes IS NULL OR r.scope = ANY (of_scopes))
    AND (r.scope IS NULL OR of_person IS NULL OR r.scope NOT LIKE 'user:%' OR r.scope = 'user:' || of_person)
    AND r.deleted_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > now())
  ORDER BY score DESC, r.id DESC LIMIT at_most
$$;
REVOKE EXECUTE ON FUNCTION search_resources FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_resources TO holdfast_app, holdfast_system;
-- The owner of the function is held to policies as well; this one lets it read, and nothing more.
CREATE POLICY owner_reads ON resources FOR SELECT TO CURRENT_USER USING (true);
`;

/** Resources with their versions, and their search. */
export const resources = [
  ...[tables, vectors, searchResources],
  ...['resources', 'resource_versions'].map(isolateTable),
].join('');
