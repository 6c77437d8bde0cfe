import type { Knex } from 'knex';
import type { MessageSender, TopicMessage } from '../../domain/inbox.ts';
import { toStorableJson, toStorableText } from '../../domain/storable.ts';

interface TopicRow {
  id: string;
  swarm_id: string;
  topic: string;
  text: string;
  sender: MessageSender;
  created_at: Date;
}

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

    /** The messages of a swarm, of one topic or of all, oldest first. */
    listTopicMessages: async (page: {
      swarmId: string;
      topic?: string | undefined;
      after?: string | undefined;
      limit: number;
    }): Promise<TopicMessage[]> => {
      const query = trx<TopicRow>('topic_messages')
        .where({ swarm_id: page.swarmId })
        .orderBy('id')
        .limit(page.limit);
      if (page.topic !== undefined) void query.where({ topic: page.topic });
      if (page.after !== undefined) void query.where('id', '>', page.after);
      return (await query).map(toTopicMessage);
    },
  };
}

function toTopicMessage(row: TopicRow): TopicMessage {
  return {
    id: row.id,
    swarmId: row.swarm_id,
    topic: row.topic,
    text: row.text,
    from: row.sender,
    createdAt: row.created_at.toISOString(),
  };
}
