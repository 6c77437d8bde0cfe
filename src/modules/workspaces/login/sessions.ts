import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createSessionRepository, findSessionOfRequest } from './session-repository.ts';
import { toActorRef, type KeyActor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { SessionInput } from './session.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { createSessionText, isSecretOf, parseSessionText } from '../keys/api-key-text.ts';
import { noteUse, toActor } from '../keys/authenticate-key.ts';
import { readBounds } from '../keys/key-bounds.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

type SessionDependencies = Pick<WorkspaceDependencies, 'database'>;

/** A session that was opened, with the actor of its requests; `text` is its secret, of which only a hash is stored. */
export interface OpenedSession {
  text: string;
  /** ISO 8601. */
  expiresAt: string;
  actor: KeyActor;
}

/**
 * Opens a session for the browser of an actor. Its requests may do what the credential of the actor may do at the time, and
 * it ends with that.
 * @throws HoldfastError `FORBIDDEN` for an actor that came in with a session; `UNAUTHORIZED` when its key was just revoked
 */
export async function openSession(
  { database }: SessionDependencies,
  actor: KeyActor,
  { minutes }: SessionInput,
): Promise<OpenedSession> {
  authorize(actor, 'sessions.own');
  if (actor.session) throw new HoldfastError('FORBIDDEN', 'A session opens no other one. Sign in again.');
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    await readBounds(trx, actor, { isLocked: true });
    const id = newId();
    const { text, secretHash } = createSessionText(id);
    const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
    await createSessionRepository(trx).createSession({
      id,
      credentialId: actor.apiKeyId,
      secretHash,
      expiresAt,
    });
    const by = toActorRef(actor, undefined);
    const payload = { expires_at: expiresAt };
    await createAuditLog(trx).record({ type: 'session.opened', subjectId: id, payload, by });
    return { text, expiresAt, actor: { ...actor, session: { id, expiresAt } } };
  });
}

/**
 * Finds the actor of a session by its secret.
 * @throws HoldfastError `UNAUTHORIZED` for a session that is unknown or has ended, and for one whose credential is
 */
export async function authenticateSession(
  { database }: SessionDependencies,
  text: string,
): Promise<KeyActor> {
  const given = parseSessionText(text);
  const found = given && (await findSessionOfRequest(database.lookUp, given.id));
  const isOpen =
    found && isSecretOf(given.secret, found.secretHash) && found.endedAt === null && !isPast(found.expiresAt);
  if (!isOpen || found.credential.problem !== null)
    throw new HoldfastError('UNAUTHORIZED', 'The session is over. Sign in again.');
  const { id, expiresAt, credential } = found;
  await noteUse(database, credential);
  return { ...toActor(credential, 'api'), session: { id, expiresAt } };
}

/** Ends the session of a request: its cookie is refused from now on, and its streams end. */
export async function endSession({ database }: SessionDependencies, actor: KeyActor): Promise<void> {
  authorize(actor, 'sessions.own');
  const { session } = actor;
  if (!session) throw new HoldfastError('CONFLICT', 'The request has no session, but a key or a token.');
  await database.inWorkspace(actor.workspaceId, async (trx) => {
    const by = toActorRef(actor, undefined);
    if (await createSessionRepository(trx).endSession(session.id))
      await createAuditLog(trx).record({ type: 'session.ended', subjectId: session.id, payload: {}, by });
  });
}

function isPast(time: string): boolean {
  return Date.parse(time) <= Date.now();
}
