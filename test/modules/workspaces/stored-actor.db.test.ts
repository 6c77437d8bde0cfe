import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toQuery } from '../../../src/platform/database/statement.ts';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import type { ActorRef } from '../../../src/domain/actor.ts';
import type { Right } from '../../../src/domain/rights.ts';
import { scopes, type Scope } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { actAgain, loadActor } from '../../../src/modules/workspaces/stored-actor.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

interface KeyParts {
  scopes?: readonly Scope[];
  groups?: readonly string[];
  actsFor?: string;
  expiresAt?: string;
  madeBy?: ActorRef;
}

/** Stores a key, and returns the reference that work which it makes keeps. */
async function makeKey({ scopes = ['conversations:write'], ...parts }: KeyParts = {}): Promise<
  ActorRef & { apiKeyId: string }
> {
  const key = { id: newId(), name: 'nightly', secretHash: randomBytes(32), scopes, ...parts };
  const { id } = await workspaces.inOwn((trx) => createApiKeyRepository(trx).createApiKey(key));
  return { apiKeyId: id, actingFor: parts.actsFor ?? null };
}

const revoke = ({ apiKeyId }: { apiKeyId: string }) =>
  workspaces.inOwn((trx) => createApiKeyRepository(trx).revokeApiKey(apiKeyId));

const load = (ref: ActorRef | null, workspaceId = workspaces.ownId) =>
  workspaces.database.transact(workspaceId, (query) => loadActor(query, { workspaceId, ref }));

const act = (makers: (ActorRef | null)[], rights: Right[] = ['turns.start']) =>
  workspaces.database.transact(workspaces.ownId, (query) =>
    actAgain(query, { workspaceId: workspaces.ownId, makers, rights, work: 'the schedule report' }),
  );

describe('the actor of stored work', () => {
  it('has what its key has today', async () => {
    const ref = await makeKey({ scopes: ['agents:read', 'conversations:write'], groups: ['money'] });
    const { ownId: workspaceId } = workspaces;
    const { apiKeyId } = ref;
    const person = { actsFor: null, groups: ['money'], reach: 'workspace' };
    const today = { workspaceId, apiKeyId, ...person, via: 'stored' };
    expect(await load(ref)).toEqual({ ...today, scopes: ['agents:read', 'conversations:write'] });
    await workspaces.inOwn((trx) => createApiKeyRepository(trx).grantScopes(apiKeyId, ['agents:read']));
    expect(await load(ref)).toEqual({ ...today, scopes: ['agents:read'] });
  });

  it('has all scopes and no groups without a key', async () => {
    const actor = await load({ apiKeyId: null, actingFor: 'Ada' });
    expect(actor).toMatchObject({ apiKeyId: null, actsFor: 'Ada', groups: [], scopes });
  });

  it('is lost with its key, in another workspace, and for another person than the one of its key', async () => {
    const revoked = await makeKey();
    await revoke(revoked);
    const bound = await makeKey({ actsFor: 'Ada' });
    const lost: [ActorRef | null, workspaceId?: string][] = [
      [null],
      [revoked],
      [await makeKey({ expiresAt: '2020-01-01T00:00:00.000Z' })],
      [{ apiKeyId: newId(), actingFor: null }],
      [{ ...bound, actingFor: 'Bob' }],
      [{ ...bound, actingFor: null }],
      [await makeKey(), workspaces.foreignId],
    ];
    for (const [ref, workspaceId] of lost) expect(await load(ref, workspaceId)).toBeNull();
    expect(await load({ ...bound, actingFor: ' ADA' })).toMatchObject({ actsFor: ' ADA' });
  });
});

describe('the actor of a key that another key made', () => {
  it('has what all makers have today, whatever it was given', async () => {
    const first = await makeKey({ scopes: ['agents:read', 'conversations:write'], groups: ['money', 'law'] });
    const second = await makeKey({ scopes: [...scopes], groups: ['law', 'money'], madeBy: first });
    const third = await makeKey({
      scopes: [...scopes],
      groups: ['law', 'art'],
      actsFor: 'Ada',
      madeBy: second,
    });
    const today = {
      actsFor: 'Ada',
      groups: ['law'],
      reach: 'own',
      scopes: ['agents:read', 'conversations:write'],
    };
    expect(await load(third)).toMatchObject({ apiKeyId: third.apiKeyId, ...today });
    const setFirst = (change: object) =>
      workspaces.database.system('api_keys').where({ id: first.apiKeyId }).update(change);
    await setFirst({ scopes: ['agents:read'], acts_for: ' ADA' });
    expect(await load(third)).toMatchObject({ scopes: ['agents:read'] });
    // A key that acts for anybody sees no more than its maker, and so acts for that person.
    expect(await load({ ...second, actingFor: 'Ada' })).toMatchObject({ reach: 'own', actsFor: 'Ada' });
    await setFirst({ acts_for: 'Bob' });
    expect(await load(third)).toBeNull();
    await setFirst({ acts_for: null, revoked_at: new Date() });
    expect(await load(third)).toBeNull();
    await expect(act([third], [])).rejects.toThrow(
      `the API key nightly (${third.apiKeyId}) was made by the API key ${first.apiKeyId}, which was revoked at `,
    );
  });

  it('is lost with a maker that is missing or of another workspace, and at the end of a long chain', async () => {
    const strange = await makeKey({ madeBy: { apiKeyId: newId(), actingFor: null } });
    await expect(act([strange], [])).rejects.toThrow('which is not there any more');
    const foreign = await makeKey();
    await workspaces.database
      .system('api_keys')
      .where({ id: foreign.apiKeyId })
      .update({ workspace_id: workspaces.foreignId });
    expect(await load(await makeKey({ madeBy: foreign }))).toBeNull();
    let last = await makeKey();
    for (let links = 1; links < 16; links += 1) last = await makeKey({ madeBy: last });
    expect(await load(last)).toMatchObject({ apiKeyId: last.apiKeyId });
    expect(await load(await makeKey({ madeBy: last }))).toBeNull();
  });
});

describe('acting again', () => {
  it('needs every right of all who made the work, and gives only what they share', async () => {
    const maker = await makeKey({ scopes: ['agents:read', 'conversations:write'], groups: ['money', 'law'] });
    const changer = await makeKey({ scopes: ['conversations:write'], groups: ['law'], actsFor: 'Ada' });
    const { apiKeyId } = maker;
    const shared = { apiKeyId, scopes: ['conversations:write'], groups: ['law'], actsFor: 'Ada' };
    expect(await act([maker, null, changer])).toMatchObject(shared);
    await expect(act([maker, changer], ['turns.start', 'agents.read'])).rejects.toMatchObject({
      code: 'RIGHTS_LOST',
      retryable: false,
      message: expect.stringContaining(
        `the API key nightly (${changer.apiKeyId}) lacks agents:read`,
      ) as string,
      details: { apiKeyId: changer.apiKeyId, missingScopes: ['agents:read'] },
    });
  });

  it('is refused when any of them is lost, which the message says', async () => {
    const maker = await makeKey();
    const changer = await makeKey();
    await revoke(changer);
    await expect(act([maker, changer])).rejects.toThrow(
      `the schedule report still may act, found that the API key nightly (${changer.apiKeyId}) was revoked at `,
    );
    await expect(act([null])).rejects.toMatchObject({ code: 'RIGHTS_LOST' });
  });

  it('asks in a transaction of knex as well', async () => {
    const maker = await makeKey();
    const { ownId: workspaceId } = workspaces;
    const actor = await workspaces.inOwn((trx) =>
      actAgain(toQuery(trx), { workspaceId, makers: [maker], rights: ['turns.start'], work: 'it' }),
    );
    expect(actor.apiKeyId).toBe(maker.apiKeyId);
  });
});
