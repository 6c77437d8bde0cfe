import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createUserTokenRepository } from './user-token-repository.ts';
import { toActorRef, type KeyActor } from '../../../domain/actor.ts';
import { authorize, mayDo } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toScopesOfRoles } from '../../../domain/role.ts';
import type { UserToken, UserTokenInput } from './user-token.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { createUserTokenText } from '../keys/api-key-text.ts';
import { revokeMade } from '../keys/api-key-repository.ts';
import { listCredentials, type Credential } from '../keys/credential-repository.ts';
import { checkGiven, checkManaged, readBounds } from '../keys/key-bounds.ts';
import { toQuery } from '../../../platform/database/statement.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

type TokenDependencies = Pick<WorkspaceDependencies, 'database'>;

/**
 * Issues a token for one person. `token` is its text, of which only a hash is stored. It has the scopes of its roles that
 * the key has too, sees no more than the key, and ends with it.
 * @throws HoldfastError `FORBIDDEN` when the token would have groups that the key lacks, act for a person for whom the
 * key may not, or have no scope
 */
export async function issueUserToken(
  { database }: TokenDependencies,
  actor: KeyActor,
  input: UserTokenInput,
): Promise<{ userToken: UserToken; token: string }> {
  authorize(actor, 'userTokens.write');
  const { person, roles, groups, conversations = null, minutes } = input;
  const scopes = toScopesOfRoles(roles).filter((scope) => actor.scopes.includes(scope));
  if (scopes.length === 0)
    throw new HoldfastError(
      'FORBIDDEN',
      `The API key has none of the scopes of the roles ${roles.join(', ')}.`,
    );
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const bounds = await readBounds(trx, actor, { isLocked: true });
    if (bounds.kind === 'user_token')
      throw new HoldfastError('FORBIDDEN', 'A user token issues no other one.');
    const expiresAt = toEarlier(new Date(Date.now() + minutes * 60_000).toISOString(), bounds.expiresAt);
    checkGiven(bounds, { scopes, groups, actsFor: person, expiresAt });
    const id = newId();
    const { text, secretHash } = createUserTokenText(id);
    const userToken = { id, person, roles, scopes, groups, conversations, expiresAt };
    const by = toActorRef(actor, undefined);
    const tokens = createUserTokenRepository(trx);
    await tokens.removeEnded();
    await tokens.createToken({ ...userToken, secretHash, issuedBy: actor.apiKeyId, madeBy: by });
    const payload = { acts_for: person, roles, groups, expires_at: expiresAt };
    await createAuditLog(trx).record({ type: 'user_token.issued', subjectId: id, payload, by });
    return { userToken, token: text };
  });
}

function toEarlier(time: string, other: string | null): string {
  return other !== null && other < time ? other : time;
}

/**
 * Ends user tokens: requests with them are refused from now on, and their streams end. A key ends those that it issued, and
 * one that may revoke keys those of other keys that may do no more than itself.
 * @throws HoldfastError `NOT_FOUND` for the id of no token that runs; `FORBIDDEN` for a token that may do more
 */
export async function endUserTokens(
  { database }: TokenDependencies,
  actor: KeyActor,
  of: { id: string } | { person: string },
): Promise<{ ended: number }> {
  authorize(actor, 'userTokens.write');
  const by = toActorRef(actor, undefined);
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const tokens = createUserTokenRepository(trx);
    const found = await listCredentials(toQuery(trx), await tokens.listRunning(of));
    const isIssued = ({ makerId }: Credential) => makerId === actor.apiKeyId;
    const ended = mayDo(actor, 'keys.write') ? found : found.filter(isIssued);
    if (ended.length === 0 && 'id' in of)
      throw new HoldfastError('NOT_FOUND', `There is no user token ${of.id}.`);
    for (const token of ended) if (!isIssued(token)) checkManaged(actor, token);
    const ids = ended.map(({ id }) => id);
    await tokens.endTokens(ids, by);
    const makers = ended.filter((token) => mayDo(token, 'keys.write'));
    if (makers.length > 0)
      await revokeMade(
        trx,
        makers.map(({ id }) => id),
        by,
      );
    const log = createAuditLog(trx);
    for (const id of ids) await log.record({ type: 'user_token.ended', subjectId: id, payload: {}, by });
    return { ended: ids.length };
  });
}
