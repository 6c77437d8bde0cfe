import type { Knex } from 'knex';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import {
  credentialColumns,
  joinNow,
  toCredential,
  type Credential,
  type CredentialRow,
} from '../keys/credential-repository.ts';

/** A session before it is stored; of its secret only the hash is stored. */
interface NewSession {
  id: string;
  credentialId: string;
  secretHash: Buffer;
  /** ISO 8601. */
  expiresAt: string;
}

/** A session with the credential that opened it. */
export interface StoredSession {
  id: string;
  secretHash: Buffer;
  expiresAt: string;
  endedAt: string | null;
  credential: Credential;
}

/** How many sessions that have ended are removed when one is opened. */
const removedAtOnce = 100;

/** The maximum number of sessions of one credential. */
const mostSessions = 100;

/** The sessions of one workspace. */
export function createSessionRepository(trx: Knex) {
  return {
    /** Stores a session. The oldest one of a credential with as many as it may have is ended for it. */
    createSession: async ({ id, credentialId, secretHash, expiresAt }: NewSession): Promise<void> => {
      await trx.raw(
        `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < now()
           LIMIT ${removedAtOnce} FOR UPDATE SKIP LOCKED)`,
      );
      const kept = trx('sessions')
        .where({ credential_id: credentialId })
        .orderBy('id', 'desc')
        .limit(mostSessions - 1)
        .select('id');
      await trx('sessions').where({ credential_id: credentialId }).whereNotIn('id', kept).delete();
      const row = { id, credential_id: credentialId, secret_hash: secretHash, expires_at: expiresAt };
      await trx('sessions').insert(row);
    },

    /** Returns false for a session that has ended before. */
    endSession: async (id: string): Promise<boolean> =>
      (await trx('sessions').where({ id, ended_at: null }).update({ ended_at: trx.fn.now() })) > 0,
  };
}

/** Finds the session of a request, whose workspace is not known yet. */
export async function findSessionOfRequest(lookUp: Query, id: string): Promise<StoredSession | null> {
  const [row] = await lookUp(findSession, { id });
  if (!row) return null;
  const { session_hash: secretHash, session_expires_at: expiresAt, session_ended_at: endedAt } = row;
  return {
    ...{ id, secretHash, expiresAt: expiresAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
    credential: toCredential(row),
  };
}

interface SessionRow extends CredentialRow {
  session_hash: Buffer;
  session_expires_at: Date;
  session_ended_at: Date | null;
}

const findSession = defineStatement<{ id: string }, SessionRow>(
  'find_session',
  `SELECT ${credentialColumns}, s.secret_hash AS session_hash, s.expires_at AS session_expires_at,
     s.ended_at AS session_ended_at
   FROM sessions s JOIN api_keys k ON k.id = s.credential_id ${joinNow} WHERE s.id = :id`,
);

/** Lists those of the ids of which a session runs. */
export async function listRunningSessions(lookUp: Query, ids: readonly string[]): Promise<string[]> {
  return (await lookUp(listRunning, { ids })).map(({ id }) => id);
}

const listRunning = defineStatement<{ ids: readonly string[] }, { id: string }>(
  'list_running_sessions',
  'SELECT id FROM sessions WHERE id = ANY (:ids::uuid[]) AND ended_at IS NULL AND expires_at > now()',
);
