import type { MessageSender, TopicMessage } from '../../../domain/inbox.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** A message to a topic of a swarm, and whether the leader has got it. */
export interface SwarmMessage extends TopicMessage {
  leaderNotified: boolean;
}

/** The maximum number of messages of a swarm that are read: the newest ones. */
const mostRead = 100;

/** The messages to the topics of swarms, as their members read them. */
export function createSwarmMessageRepository(query: Query) {
  return {
    /** The newest messages, oldest first. */
    listMessages: async (swarmId: string): Promise<SwarmMessage[]> =>
      (await query(listMessages, { swarmId, most: mostRead })).map(toSwarmMessage),

    /** Notes that the leader gets messages in a turn that is stored in the same transaction. */
    markNotified: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await query(markNotified, { ids: JSON.stringify(ids) });
    },
  };
}

interface MessageRow {
  id: string;
  topic: string;
  text: string;
  sender: MessageSender;
  created_at: Date;
  leader_told: boolean;
}

function toSwarmMessage({
  sender,
  created_at: at,
  leader_told: leaderNotified,
  ...row
}: MessageRow): SwarmMessage {
  return { ...row, from: sender, createdAt: at.toISOString(), leaderNotified };
}

const listMessages = defineStatement<{ swarmId: string; most: number }, MessageRow>(
  'list_messages_of_swarm',
  `SELECT * FROM (
     SELECT id, topic, text, sender, created_at, leader_told FROM topic_messages
     WHERE swarm_id = :swarmId ORDER BY id DESC LIMIT :most
   ) AS newest ORDER BY id`,
);

const markNotified = defineStatement<{ ids: string }, unknown>(
  'mark_messages_of_swarm_told',
  `UPDATE topic_messages SET leader_told = true
   WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::uuid))`,
);
