import type { Agent } from '../../src/domain/agent.ts';
import type { Conversation, Message } from '../../src/domain/conversation.ts';
import type { Turn, TurnDetails } from '../../src/domain/turn.ts';
import type { ComparedConversations } from '../../src/modules/replays/compare/compare-conversations.ts';
import type { Plan } from '../servers/planned-model.ts';
import { recordConversation, type ReplayLab } from './replay-scene.ts';

/** Planned calls of the two tools of a replay lab, and a plan of rounds of them. */
export const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
export const add = (item: string) => ({ tool: 'Adds', arguments: { item } });
export const plan = (...rounds: Plan['rounds']): Plan => ({ rounds, answer: 'Done.' });

/** A fork as the API answers it. */
export interface Fork {
  conversation: Conversation;
  turn: Turn | null;
}

/** Creates helpers that record, fork and compare conversations of a lab. */
export function createForkScene(scene: ReplayLab) {
  const { api, lab, model } = scene;
  return {
    /** A conversation of some turns, and the number of calls at the server after it. */
    record: async (agent: Agent, plans: Plan[]) => {
      const turns = await recordConversation(scene, agent.id, plans);
      const [first, last] = [turns[0], turns.at(-1)];
      if (!first || !last) throw new Error('no turn was recorded');
      return { first, last, conversationId: first.conversationId, called: scene.called.length };
    },

    /** Forks a conversation and waits for the end of its turn. */
    fork: async (
      parentId: string,
      body: object,
    ): Promise<{ conversation: Conversation; turn: TurnDetails }> => {
      const path = `/api/conversations/${parentId}/fork`;
      const { conversation, turn } = await api.ask<Fork>('POST', path, body);
      if (!turn) throw new Error('the fork runs no turn');
      return { conversation, turn: await lab.waitForOutcome(turn.id) };
    },

    refuse: (parentId: string, body: object) => api.call('POST', `/api/conversations/${parentId}/fork`, body),

    compare: (id: string, other: string) =>
      api.ask<ComparedConversations>('GET', `/api/conversations/${id}/compare?with=${other}`),

    listMessages: async (id: string): Promise<Message[]> => {
      const path = `/api/conversations/${id}/messages?limit=100`;
      return (await api.ask<{ messages: Message[] }>('GET', path)).messages;
    },

    /** The results that the model got with its last request. */
    readSeenResults: () => {
      const messages = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
      return messages?.map(({ content }) => content);
    },
  };
}
