import type { Knex } from 'knex';
import type { MessageSender } from '../../domain/inbox.ts';
import type { JsonObject } from '../../domain/json.ts';
import { toStorableJson, toStorableText } from '../../domain/storable.ts';

/** The position of a message in the chain of messages that led to it. */
export interface MessageChain {
  originTurnId: string;
  /** How many messages led to the turn that sends. */
  depth: number;
  /** How many messages all turns of the chain's origin have sent. */
  sent: number;
}

interface SentMessage {
  id: string;
  from: MessageSender;
  recipient: JsonObject;
  turnId: string | null;
  chain: MessageChain;
}

interface NewText {
  id: string;
  text: string;
  from: MessageSender;
}

/** The messages that agents of one workspace have sent. */
export function createSentMessageRepository(trx: Knex) {
  return {
    isSent: async (id: string): Promise<boolean> =>
      (await trx('sent_messages').where({ id }).first<{ id: string } | undefined>('id')) !== undefined,

    /**
     * Finds the chain of a turn that no tool call has started. Messages of one chain wait for each other, so that they are
     * counted exactly.
     */
    lockChain: (rootTurnId: string): Promise<MessageChain> => lockChain(trx, rootTurnId),

    addSent: async ({ id, from, recipient, turnId, chain }: SentMessage): Promise<void> => {
      await trx('sent_messages').insert({
        id,
        agent_id: from.agentId,
        sender_turn_id: from.turnId,
        recipient: toStorableJson(recipient),
        turn_id: turnId,
        origin_turn_id: chain.originTurnId,
        depth: chain.depth + 1,
      });
    },

    addToInbox: async (message: NewText & { person: string; subject: string | null }): Promise<void> => {
      const { id, person, subject, text, from } = message;
      await trx('inbox_messages').insert({
        ...{ id, person: toStorableText(person), text: toStorableText(text) },
        subject: subject === null ? null : toStorableText(subject),
        sender: toStorableJson(from),
      });
    },

    /** Whether turns of a conversation were started for another person; null when there is no such conversation. */
    findConversation: async (id: string, person: string | null): Promise<{ isOfOther: boolean } | null> => {
      const of =
        person === null
          ? trx.raw('false')
          : trx.raw(
              `EXISTS (SELECT FROM turns t
        WHERE t.conversation_id = conversations.id AND t.started_by ->> 'actingFor' <> ?)`,
              [person],
            );
      const row = await trx('conversations')
        .where({ id, deleted_at: null })
        .first<{ isOfOther: boolean } | undefined>(trx.raw('? AS "isOfOther"', [of]));
      return row ?? null;
    },
  };
}

async function lockChain(trx: Knex, rootTurnId: string): Promise<MessageChain> {
  const above = await trx('sent_messages')
    .where({ turn_id: rootTurnId })
    .first<{ origin_turn_id: string; depth: number } | undefined>('origin_turn_id', 'depth');
  const originTurnId = above?.origin_turn_id ?? rootTurnId;
  await trx.raw(`SELECT pg_advisory_xact_lock(hashtextextended('message chain ' || ?, 0))`, [originTurnId]);
  const [counted] = await trx('sent_messages')
    .where({ origin_turn_id: originTurnId })
    .count<{ count: number }[]>();
  return { originTurnId, depth: above?.depth ?? 0, sent: counted?.count ?? 0 };
}
