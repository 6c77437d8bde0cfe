import type { Knex } from 'knex';
import type { MessageSender } from '../../domain/inbox.ts';
import { toStorableJson, toStorableText } from '../../domain/storable.ts';

interface NewTopicMessage {
  id: string;
  swarmId: string;
  topic: string;
  text: string;
  from: MessageSender;
}

/** The messages to the members of the swarms of one workspace. */
export function createTopicMessageRepository(trx: Knex) {
  return {
    addToTopic: async ({ id, swarmId, topic, text, from }: NewTopicMessage): Promise<void> => {
      const texts = { topic: toStorableText(topic), text: toStorableText(text) };
      await trx('topic_messages').insert({ id, swarm_id: swarmId, ...texts, sender: toStorableJson(from) });
    },

    /** The swarm of a turn; null for a turn of none. */
    findSwarm: async (turnId: string): Promise<string | null> => {
      const row = await trx('turns')
        .where({ id: turnId })
        .first<{ swarm_id: string | null } | undefined>('swarm_id');
      return row?.swarm_id ?? null;
    },
  };
}
