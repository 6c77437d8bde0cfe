import type { Conversation, HoldfastClient } from '../client/index.ts';
import { findAgentId, forgetAgentId } from './agent-ids.ts';
import { isApiError } from './api-error.ts';

/** An agent, by its name or id, and a customer, by an id of the application. */
export interface ConversationKey {
  agent: string;
  /** 1 to 200 characters, without spaces at the ends. */
  customer: string;
}

/**
 * Returns the conversation of an agent and a customer, which is created the first time. Calls at the same time return
 * the same conversation. The customer is its `externalId`.
 * @throws TypeError when the customer is not such a text
 * @throws HoldfastApiError `NOT_FOUND` when no agent has the name, `CONFLICT` when several have it, and what the API
 * refuses
 */
export async function conversationFor(
  holdfast: HoldfastClient,
  { agent, customer }: ConversationKey,
): Promise<Conversation> {
  refuseOtherCustomer(customer);
  const agentId = await findAgentId(holdfast, agent);
  try {
    return await openConversation(holdfast, agentId, customer);
  } catch (error) {
    const isGone = isApiError(error) && error.code === 'NOT_FOUND';
    if (!isGone || agentId === agent) throw error;
    forgetAgentId(holdfast, agent);
    return openConversation(holdfast, await findAgentId(holdfast, agent), customer);
  }
}

// The API removes spaces at the ends, so that two such customers would share a conversation.
function refuseOtherCustomer(customer: string): void {
  if (customer !== '' && customer.length <= 200 && customer.trim() === customer) return;
  throw new TypeError(
    `customer: expected 1 to 200 characters without spaces at the ends, found ${JSON.stringify(customer)}`,
  );
}

/** The request may be repeated: it creates a conversation at most once. */
async function openConversation(
  holdfast: HoldfastClient,
  agentId: string,
  customer: string,
): Promise<Conversation> {
  const { conversation } = await holdfast.request<{ conversation: Conversation }>({
    method: 'POST',
    path: '/api/conversations',
    body: { agentId, externalId: customer },
    repeatable: true,
  });
  return conversation;
}
