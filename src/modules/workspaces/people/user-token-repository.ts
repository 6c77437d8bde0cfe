import type { Knex } from 'knex';
import type { ActorRef } from '../../../domain/actor.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { UserToken } from './user-token.ts';

/** A user token before it is stored; of its secret only the hash is stored. */
interface NewUserToken extends UserToken {
  secretHash: Buffer;
  issuedBy: string;
  madeBy: ActorRef;
}

/** How many tokens that have ended are removed when one is created. */
const removedAtOnce = 100;

/** The user tokens of one workspace. */
export function createUserTokenRepository(trx: Knex) {
  return {
    createToken: async ({ secretHash, issuedBy, madeBy, ...token }: NewUserToken): Promise<void> => {
      await trx('api_keys').insert({
        ...{ id: token.id, kind: 'user_token', name: `token of ${token.person}`, secret_hash: secretHash },
        ...{ scopes: token.scopes, groups: token.groups, roles: token.roles, acts_for: token.person },
        ...{ conversations: token.conversations, issued_by: issuedBy, expires_at: token.expiresAt },
        made_by: toStorableJson(madeBy),
      });
    },

    /** Removes some tokens that ended more than a day ago; what they did names their ids. */
    removeEnded: async (): Promise<void> => {
      await trx.raw(
        `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys
           WHERE kind = 'user_token' AND expires_at < now() - interval '1 day'
           LIMIT ${removedAtOnce} FOR UPDATE SKIP LOCKED)`,
      );
    },

    /** Lists the tokens of a person that run, or one of them. Returns their ids. */
    listRunning: async (of: { id: string } | { person: string }): Promise<string[]> => {
      const tokens = trx('api_keys').where({ kind: 'user_token', revoked_at: null });
      void tokens.where('id' in of ? { id: of.id } : { acts_for: of.person });
      return tokens.pluck<string[]>('id');
    },

    endTokens: async (ids: readonly string[], by: ActorRef): Promise<void> => {
      await trx('api_keys')
        .whereIn('id', ids)
        .update({ revoked_at: trx.fn.now(), revoked_by: toStorableJson(by) });
    },
  };
}
