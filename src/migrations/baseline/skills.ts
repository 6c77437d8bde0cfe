import { isolateTable } from '../isolate.ts';

/**
 * A version of a skill and its files never change. Its digest is unique for its skill, so that the same files are one version.
 * The files of a deleted skill stay for a while, since turns may run that use them.
 */
const tables = `
CREATE TABLE skills (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX skills_name ON skills (workspace_id, name) WHERE deleted_at IS NULL;
CREATE INDEX ON skills (workspace_id, id);
CREATE INDEX skills_deleted ON skills (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE skill_versions (
  id uuid NOT NULL UNIQUE,
  skill_id uuid NOT NULL REFERENCES skills ON DELETE CASCADE,
  version integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  description text NOT NULL,
  digest text NOT NULL,
  front_matter jsonb NOT NULL,
  body text NOT NULL,
  file_count integer NOT NULL,
  bytes integer NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (skill_id, version),
  UNIQUE (skill_id, digest)
);
CREATE INDEX ON skill_versions (workspace_id);

CREATE TABLE skill_files (
  skill_id uuid NOT NULL,
  version integer NOT NULL,
  path text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  media_type text NOT NULL,
  is_text boolean NOT NULL,
  bytes integer NOT NULL,
  digest text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (skill_id, version, path),
  FOREIGN KEY (skill_id, version) REFERENCES skill_versions ON DELETE CASCADE
);
CREATE INDEX ON skill_files (workspace_id);
`;

/** Skills, with their versions and files. */
export const skills = tables + ['skills', 'skill_versions', 'skill_files'].map(isolateTable).join('');
