import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createSentMessageRepository, type MessageChain } from './sent-message-repository.ts';
import { createTopicMessageRepository } from './topic-message-repository.ts';
import { findTurnStarter, type TurnStarter } from '../turns/turn-starter.ts';
import { notifyWebhooksInside } from '../../platform/outbox/notify-webhooks.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { mostMessageDepth, mostMessagesOfOrigin, type MessageSender } from '../../domain/inbox.ts';
import type { JsonObject } from '../../domain/json.ts';
import { newId, toKeyedId } from '../../platform/lib/ids.ts';
import { wrongArgument, type ServiceCall } from '../../engines/tools/functions/resource-service.ts';
import type { MessageToSend } from '../../engines/tools/functions/send-message.ts';
import { submitTurn } from '../turns/submit-turn.ts';
import type { InboxDependencies } from './inbox-dependencies.ts';

type SendingCall = ServiceCall & { conversationId: string };

/** A message on its way. */
interface Sending {
  id: string;
  call: SendingCall;
  starter: TurnStarter;
  from: MessageSender;
  message: MessageToSend;
}

/** The conversation in which a message starts a turn, and that turn. */
interface StartingTurn {
  conversationId: string;
  turnId: string;
}

/**
 * Sends a message once for each key of a call. In a conversation it starts a turn after those that run or wait there, for
 * the same person as the turn of the sender.
 * @throws HoldfastError `MESSAGE_LIMIT_EXCEEDED` when a chain of messages is too long; `NOT_FOUND`, `INVALID_INPUT`, and
 * what `submitTurn` throws
 */
export async function sendMessage(
  dependencies: InboxDependencies,
  call: SendingCall,
  message: MessageToSend,
): Promise<JsonObject> {
  const { workspaceId, agentId, turnId, conversationId } = call;
  const id = toKeyedId(workspaceId, 'message', call.idempotencyKey);
  const { from, starter, starting } = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const starter = await findTurnStarter(trx, turnId);
    if (!starter) throw new HoldfastError('TURN_SETTLED', 'The turn that sends the message is gone.');
    const from = { agentId, agentName: starter.agentName, turnId, conversationId };
    const sending = { id, call, starter, from, message };
    return { from, starter, starting: await store(trx, sending) };
  });
  if (!starting) return { sent: true, messageId: id };
  const input = {
    message: `Message from the agent "${from.agentName}":\n\n${message.message}`,
    onBusy: 'enqueue' as const,
    ...(starter.person === null ? {} : { actingFor: starter.person }),
  };
  await submitTurn(dependencies, { workspaceId }, { ...starting, input });
  return { sent: true, messageId: id, ...starting };
}

/** Stores a message, unless an earlier attempt has. Returns the turn that it starts; null for one that starts none. */
async function store(trx: Knex, sending: Sending): Promise<StartingTurn | null> {
  const { id, call, starter, from, message } = sending;
  const messages = createSentMessageRepository(trx);
  const starting = toStartingTurn(sending);
  const chain = await messages.lockChain(starter.rootTurnId);
  if (await messages.isSent(id)) return starting;
  refuseLoop(chain);
  const { to } = message;
  if (to.type === 'conversation')
    await checkConversation(trx, { conversationId: to.conversationId, starter });
  if (to.type === 'agent' && starting) {
    const title = to.conversation ?? `Message from ${from.agentName}`;
    const isThere = await messages.addConversation({
      id: starting.conversationId,
      agentId: to.agentId,
      title,
    });
    if (!isThere)
      throw wrongArgument('to.agentId', `expected an agent of this workspace, found ${to.agentId}`);
  }
  if (to.type === 'person') await storeForPerson(trx, sending);
  if (to.type === 'topic') await storeForTopic(trx, sending);
  await messages.addSent({
    id,
    from,
    recipient: JSON.parse(JSON.stringify(to)) as JsonObject,
    turnId: starting?.turnId ?? null,
    chain,
  });
  await createAuditLog(trx).record({
    type: 'message.sent',
    subjectId: id,
    payload: {
      agent_id: call.agentId,
      turn_id: call.turnId,
      to: to.type,
      started_turn_id: starting?.turnId ?? null,
    },
  });
  return starting;
}

/** The turn acts for the person of its sender, whose memories must not appear in the conversation of another person. */
async function checkConversation(
  trx: Knex,
  { conversationId, starter }: { conversationId: string; starter: TurnStarter },
): Promise<void> {
  const found = await createSentMessageRepository(trx).findConversation(conversationId, starter.person);
  if (found === null)
    throw wrongArgument(
      'to.conversationId',
      `expected a conversation of this workspace, found ${conversationId}`,
    );
  if (found.isOfOther) {
    const message =
      'expected a conversation of the person you work for; send a message to the inbox of the other one';
    throw wrongArgument('to.conversationId', message);
  }
}

/** All ids come from the key of the call, so that a repeated attempt finds what the one before has started. */
function toStartingTurn({ id, call, starter, message: { to } }: Sending): StartingTurn | null {
  const { workspaceId } = call;
  const turnId = toKeyedId(workspaceId, 'turn of message', id);
  if (to.type === 'conversation') {
    if (to.conversationId === call.conversationId)
      throw wrongArgument('to.conversationId', 'expected another conversation: answer here instead');
    return { conversationId: to.conversationId, turnId };
  }
  if (to.type !== 'agent') return null;
  const named =
    to.conversation === undefined
      ? id
      : [to.agentId.toLowerCase(), starter.person ?? '', to.conversation].join('\n');
  const conversationId = toKeyedId(workspaceId, 'conversation of messages', named);
  if (conversationId === call.conversationId)
    throw wrongArgument('to.conversation', 'expected another conversation: answer here instead');
  return { conversationId, turnId };
}

/** Agents that answer each other's messages would never stop. */
function refuseLoop({ depth, sent }: MessageChain): void {
  if (depth >= mostMessageDepth) {
    const message = `The message was not sent: ${depth} messages have led to this turn, each answering the one before. Do not answer it.`;
    throw new HoldfastError('MESSAGE_LIMIT_EXCEEDED', message);
  }
  if (sent < mostMessagesOfOrigin) return;
  const message = `The message was not sent: the turn at the beginning has led to ${sent} messages already. Send no more.`;
  throw new HoldfastError('MESSAGE_LIMIT_EXCEEDED', message);
}

async function storeForPerson(trx: Knex, { starter, from, message }: Sending): Promise<void> {
  if (message.to.type !== 'person') return;
  const person = message.to.person ?? starter.person;
  if (person === null)
    throw wrongArgument('to.person', 'expected a person: this turn was started for nobody');
  const subject = message.to.subject ?? null;
  // A new id, since lists are in the order of ids; the row of the sent message makes it unique.
  const id = newId();
  await createSentMessageRepository(trx).addToInbox({ id, person, subject, text: message.message, from });
  const payload = { messageId: id, person, agentId: from.agentId, conversationId: from.conversationId };
  await notifyWebhooksInside(trx, 'inbox.message', payload);
}

async function storeForTopic(trx: Knex, { call, from, message }: Sending): Promise<void> {
  if (message.to.type !== 'topic') return;
  const messages = createTopicMessageRepository(trx);
  const own = await messages.findSwarm(call.turnId);
  const swarmId = message.to.swarmId?.toLowerCase() ?? own;
  if (swarmId === null || swarmId !== own)
    throw wrongArgument('to.swarmId', 'expected the swarm that this turn works in; others cannot be reached');
  await messages.addToTopic({ id: newId(), swarmId, topic: message.to.topic, text: message.message, from });
}
