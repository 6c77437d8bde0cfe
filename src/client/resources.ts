import type { z } from 'zod';
import type { Agent, AgentChange, agentInputSchema } from '../domain/agent.ts';
import type { Conversation, ConversationInput, Message } from '../domain/conversation.ts';
import type { HttpConnection } from './http-connection.ts';

/** Which part of a list to read. */
export interface PageRequest {
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** A part of a list; `nextCursor` is null on the last one. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** An agent as it is created: what has a default may be left out. */
export type NewAgent = z.input<typeof agentInputSchema>;

/** The agents of the workspace. A change makes a new version; turns keep the one they began with. */
export interface Agents {
  create(agent: NewAgent): Promise<Agent>;
  get(agentId: string): Promise<Agent>;
  list(page?: PageRequest): Promise<Page<Agent>>;
  update(agentId: string, change: AgentChange): Promise<Agent>;
  delete(agentId: string): Promise<void>;
}

/** The conversations of the workspace. */
export interface Conversations {
  create(conversation: ConversationInput): Promise<Conversation>;
  get(conversationId: string): Promise<Conversation>;
  list(page?: PageRequest): Promise<Page<Conversation>>;
  messages(conversationId: string, page?: PageRequest): Promise<Page<Message>>;
}

/** The agents, over HTTP. */
export function createAgents(connection: HttpConnection): Agents {
  const one = async (request: Promise<unknown>) => ((await request) as { agent: Agent }).agent;
  return {
    create: (agent) => one(connection.request({ method: 'POST', path: '/api/agents', body: agent })),
    get: (agentId) => one(connection.request({ path: toPath('/api/agents', agentId) })),
    list: (page) => readPage(connection, '/api/agents', { name: 'agents', page }),
    update: (agentId, body) =>
      one(connection.request({ method: 'PATCH', path: toPath('/api/agents', agentId), body })),
    delete: async (agentId) => {
      await connection.request({ method: 'DELETE', path: toPath('/api/agents', agentId) });
    },
  };
}

/** The conversations, over HTTP. */
export function createConversations(connection: HttpConnection): Conversations {
  const path = '/api/conversations';
  const one = async (request: Promise<unknown>) =>
    ((await request) as { conversation: Conversation }).conversation;
  return {
    create: (body) => one(connection.request({ method: 'POST', path, body })),
    get: (conversationId) => one(connection.request({ path: toPath(path, conversationId) })),
    list: (page) => readPage(connection, path, { name: 'conversations', page }),
    messages: (conversationId, page) =>
      readPage(connection, `${toPath(path, conversationId)}/messages`, { name: 'messages', page }),
  };
}

/** Reads one page of the list that the answer carries under `name`. */
export async function readPage<Item>(
  connection: HttpConnection,
  path: string,
  { name, page = {} }: { name: string; page?: PageRequest | undefined },
): Promise<Page<Item>> {
  const query = { cursor: page.cursor, limit: page.limit };
  const data = (await connection.request({ path, query })) as Record<string, unknown>;
  return {
    items: (data[name] ?? []) as Item[],
    nextCursor: (data['nextCursor'] ?? null) as string | null,
  };
}

/** The path of one thing in a collection. */
export function toPath(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}
