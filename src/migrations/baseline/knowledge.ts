import { isolateTable } from '../isolate.ts';

const tables = `
CREATE TABLE knowledge_bases (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  name text NOT NULL, description text NOT NULL,
  -- The name of a text search configuration, as text: a column of type regconfig would keep pg_upgrade from running.
  language text NOT NULL,
  embedding_model text, embedding_connection_id uuid,
  chunk_characters integer NOT NULL, chunk_overlap integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, name)
);
CREATE INDEX ON knowledge_bases (workspace_id, id);

CREATE TABLE documents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  knowledge_base_id uuid NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
  file_id uuid NOT NULL REFERENCES files,
  name text NOT NULL,
  media_type text NOT NULL, bytes integer NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'ready', 'failed')),
  -- Counts how often the document was given to be processed; only the newest may change it.
  generation integer NOT NULL DEFAULT 1,
  -- The newest generation whose workflow is known to have started.
  started_generation integer,
  -- Whose chunks are found.
  ready_generation integer,
  -- What the chunks that are found were embedded with; null when they were not.
  ready_embedding_model text,
  progress jsonb NOT NULL DEFAULT '{"step": "queued", "chunks": 0, "embeddedChunks": 0}',
  error jsonb,
  pages integer,
  chunk_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  swept_at timestamptz
);
CREATE INDEX ON documents (knowledge_base_id, id);
CREATE INDEX ON documents (file_id);
CREATE INDEX documents_unfinished ON documents (updated_at) WHERE status IN ('queued', 'processing');
-- The documents that wait for a workflow, which are few however many are processed.
CREATE INDEX documents_unstarted ON documents (updated_at)
  WHERE status = 'queued' AND started_generation IS DISTINCT FROM generation;

CREATE TABLE chunks (
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  generation integer NOT NULL, position integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  knowledge_base_id uuid NOT NULL,
  page integer, headings jsonb NOT NULL,
  text text NOT NULL, search tsvector NOT NULL,
  -- Little-endian float32, of length 1, so that a scalar product is the cosine.
  embedding bytea,
  PRIMARY KEY (document_id, generation, position)
);
-- Floats do not compress, and trying costs more than it saves.
ALTER TABLE chunks ALTER COLUMN embedding SET STORAGE EXTERNAL;
CREATE INDEX ON chunks (knowledge_base_id, document_id, position);
CREATE INDEX chunks_search ON chunks USING gin (search);
`;

/**
 * Vectors as pgvector keeps them, where the database has it and this role may install it; each attempt undoes itself
 * when it fails. Without it embeddings are compared by the program.
 */
const vectors = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN
    CREATE EXTENSION IF NOT EXISTS vector;
    ALTER TABLE chunks ADD COLUMN embedding_vector vector;
  END IF;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'embeddings are stored without pgvector: %', SQLERRM;
END $$;
`;

/**
 * Full-text search of the current workspace. Under row-level security no index serves the operator of text search,
 * since it is not leakproof; so the function runs as its owner and names the workspace itself. The score of a chunk is
 * what \`ts_rank\` gives for each word of the query, weighted by how rare the word is among what is searched.
 */
const searchChunks = `
CREATE FUNCTION search_chunks(of_base uuid, words text, at_most integer)
RETURNS TABLE (document_id uuid, "position" integer, score double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH base AS (
    SELECT id, language::regconfig AS configuration FROM knowledge_bases
    WHERE id = of_base AND workspace_id = (SELECT current_workspace())
  ), terms AS (
    SELECT lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS term
    FROM base, unnest(tsvector_to_array(to_tsvector(base.configuration, words))) AS lexeme LIMIT 100
  ), searched AS (
    SELECT d.id, d.ready_generation, d.chunk_count FROM documents d JOIN base ON d.knowledge_base_id = base.id
    WHERE d.ready_generation IS NOT NULL AND d.workspace_id = (SELECT current_workspace())
  ), matches AS (
    SELECT c.document_id, c.position, terms.lexeme, ts_rank(c.search, terms.term, 1) AS rank
    FROM terms JOIN chunks c ON c.search @@ terms.term
    JOIN searched s ON s.id = c.document_id AND s.ready_generation = c.generation
    WHERE c.knowledge_base_id = of_base AND c.workspace_id = (SELECT current_workspace())
  ), weights AS (
    SELECT lexeme, ln(1 + (SELECT sum(chunk_count) FROM searched)::double precision / count(*)) AS weight
    FROM matches GROUP BY lexeme
  )
  SELECT m.document_id, m.position, sum(m.rank * w.weight) AS score
  FROM matches m JOIN weights w USING (lexeme)
  GROUP BY m.document_id, m.position
  ORDER BY score DESC, m.document_id, m.position LIMIT at_most
$$;
-- Any other login could name any workspace.
REVOKE EXECUTE ON FUNCTION search_chunks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_chunks TO holdfast_app, holdfast_system;
`;

const isolated = ['knowledge_bases', 'documents', 'chunks'];

/** The owner of the function is held to policies as well; these let it read, and nothing more. */
const ownerReads = isolated.map(
  (table) => `CREATE POLICY owner_reads ON ${table} FOR SELECT TO CURRENT_USER USING (true);`,
);

/** Knowledge bases, their documents, and the chunks in which these are found. */
export const knowledge = [tables, vectors, searchChunks, ...isolated.map(isolateTable), ...ownerReads].join(
  '',
);
