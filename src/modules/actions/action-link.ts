import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import { findShownAction, type ShownAction } from './find-shown-action.ts';
import { toActorRef, type Actor, type ActorRef, type KeyActor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { KeyRing } from '../../platform/secrets/key-ring.ts';
import { loadActor } from '../workspaces/stored-actor.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { checkApprover } from './approver-check.ts';

/** Everything that the use cases of links need from outside. */
export interface LinkDependencies {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
  keyRing: Pick<KeyRing, 'seal' | 'open'>;
  /** Where browsers reach the API, without a slash at the end. */
  publicUrl: () => string;
}

/** The content of a link: the person who decides by it, and its end in epoch milliseconds. */
interface LinkContent extends ActorRef {
  apiKeyId: string;
  expiresAt: number;
}

interface LinkWish {
  actionId: string;
  /** The person who gets the link. */
  actingFor?: string | undefined;
  expiresInSeconds: number;
}

const purpose = 'action link';

const refused = new HoldfastError(
  'FORBIDDEN',
  'This link is not valid, or has expired. Ask for a new one where you got it.',
);

/** The path under the public URL of the page of an action. */
export function toActionPath(id: string): string {
  return `/actions/${id}`;
}

/**
 * Creates the link to a page on which a person decides about a tool call. Every holder of the link decides in the name of
 * the key that created it. The link expires at its time, or with the key.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT` for a question, `NOT_AN_APPROVER`, `SELF_APPROVAL_REFUSED`
 */
export async function createActionLink(
  { database, keyRing, publicUrl }: LinkDependencies,
  actor: KeyActor,
  { actionId, actingFor, expiresInSeconds }: LinkWish,
): Promise<{ url: string; expiresAt: string }> {
  const { workspaceId, apiKeyId } = actor;
  await requireSeen(database, actor, { kind: 'action', id: actionId });
  const action = await database.pipelined(workspaceId, (query) => findShownAction(query, actionId));
  if (!action) throw new HoldfastError('NOT_FOUND', `There is no action ${actionId}.`);
  if (action.kind !== 'approval') {
    throw createInvalidInput([{ field: 'id', message: `expected an approval, found a ${action.kind}` }]);
  }
  checkApprover(action, actor, actingFor);
  const person = toActorRef(actor, actingFor).actingFor;
  const expiresAt = Date.now() + expiresInSeconds * 1000;
  const content: LinkContent = { apiKeyId, actingFor: person, expiresAt };
  const { sealed } = keyRing.seal(JSON.stringify(content), { workspaceId, recordId: actionId, purpose });
  const end = new Date(expiresAt).toISOString();
  await database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).record({
      type: 'action.link_created',
      subjectId: actionId,
      payload: { created_by: { apiKeyId, actingFor: person }, expires_at: end },
    }),
  );
  const token = `${workspaceId}.${sealed.toString('base64url')}`;
  return { url: `${publicUrl()}${toActionPath(actionId)}?token=${token}`, expiresAt: end };
}

/** An action that was opened by a link, and who decides by it. */
export interface OpenedAction {
  action: ShownAction;
  decider: Actor;
}

/** Opens a link, which changes nothing. @throws HoldfastError `FORBIDDEN`, or `NOT_FOUND` for an action that was removed */
export async function openActionLink(
  { database, keyRing }: Omit<LinkDependencies, 'publicUrl'>,
  { actionId, token }: { actionId: string; token: string },
): Promise<OpenedAction> {
  const [workspaceId = '', sealed = '', ...more] = token.split('.');
  if (more.length > 0) throw refused;
  const { apiKeyId, actingFor, expiresAt } = read({ keyRing }, { workspaceId, actionId, sealed });
  if (expiresAt <= Date.now()) throw refused;
  const ref = { apiKeyId, actingFor };
  const [maker, action] = await database.pipelined(workspaceId, (query) =>
    Promise.all([loadActor(query, { workspaceId, ref }), findShownAction(query, actionId)]),
  );
  if (!maker) throw refused;
  if (!action) throw new HoldfastError('NOT_FOUND', 'This action was removed.');
  return { action, decider: { ...maker, via: 'link' } };
}

interface SealedLink {
  workspaceId: string;
  actionId: string;
  sealed: string;
}

function read(
  { keyRing }: Pick<LinkDependencies, 'keyRing'>,
  { workspaceId, actionId, sealed }: SealedLink,
): LinkContent {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node skips characters that are not base64url, so only the exact text of the created link is accepted.
  if (!isUuid(workspaceId) || bytes.toString('base64url') !== sealed) throw refused;
  try {
    const context = { workspaceId, recordId: actionId, purpose };
    return JSON.parse(keyRing.open(bytes, context)) as LinkContent;
  } catch {
    throw refused;
  }
}
