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
import { prepareTurn, toSubmission, type WorkTurn } from '../turns/prepare-turn.ts';
import { submitTurn, type TurnSubmission } from '../turns/submit-turn.ts';
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
  const submission = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const starter = await findTurnStarter(trx, turnId);
    if (!starter) throw new HoldfastError('TURN_SETTLED', 'The turn that sends the message is gone.');
    const from = { agentId, agentName: starter.agentName, turnId, conversationId };
    return store(trx, { id, call, starter, from, message });
  });
  if (!submission) return { sent: true, messageId: id };
  await submitTurn(dependencies, { workspaceId }, submission);
  const { conversationId: startedIn, turnId: startedTurn } = submission;
  return { sent: true, messageId: id, conversationId: startedIn, turnId: startedTurn };
}

/** Stores a message, unless an earlier attempt has. Returns the turn that it starts; null for one that starts none. */
async function store(trx: Knex, sending: Sending): Promise<TurnSubmission | null> {
  const { id, call, starter, from, message } = sending;
  const messages = createSentMessageRepository(trx);
  const turn = toTurn(sending);
  const chain = await messages.lockChain(starter.rootTurnId);
  if (await messages.isSent(id)) return turn && toSubmission(turn);
  refuseLoop(chain);
  const { to } = message;
  if (to.type === 'conversation')
    await checkConversation(trx, { conversationId: to.conversationId, starter });
  const submission = turn && (await prepareTurn(trx, turn).catch(toWrongAgent(message)));
  if (to.type === 'person') await storeForPerson(trx, sending);
  if (to.type === 'topic') await storeForTopic(trx, sending);
  await messages.addSent({
    id,
    from,
    recipient: JSON.parse(JSON.stringify(to)) as JsonObject,
    turnId: turn?.turnId ?? null,
    chain,
  });
  await createAuditLog(trx).record({
    type: 'message.sent',
    subjectId: id,
    payload: {
      agent_id: call.agentId,
      turn_id: call.turnId,
      to: to.type,
      started_turn_id: turn?.turnId ?? null,
    },
  });
  return submission;
}

function toWrongAgent({ to }: MessageToSend) {
  return (error: unknown): never => {
    const isMissing = error instanceof HoldfastError && error.code === 'NOT_FOUND';
    if (!isMissing || to.type !== 'agent') throw error;
    throw wrongArgument('to.agentId', `expected an agent of this workspace, found ${to.agentId}`);
  };
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

/**
 * Returns the turn that a message starts; null for one that starts none. All ids come from the key of the call, so that a
 * repeated attempt finds what the one before has started.
 */
function toTurn({ id, call, starter, from, message: { to, message } }: Sending): WorkTurn | null {
  const { workspaceId } = call;
  const turn = {
    turnId: toKeyedId(workspaceId, 'turn of message', id),
    message: `Message from the agent "${from.agentName}":\n\n${message}`,
    actingFor: starter.person,
  };
  if (to.type === 'conversation') {
    if (to.conversationId === call.conversationId)
      throw wrongArgument('to.conversationId', 'expected another conversation: answer here instead');
    return { ...turn, conversationId: to.conversationId };
  }
  if (to.type !== 'agent') return null;
  const { agentId, conversation: title = `Message from ${from.agentName}` } = to;
  const named =
    to.conversation === undefined
      ? id
      : [agentId.toLowerCase(), starter.person ?? '', to.conversation].join('\n');
  const conversationId = toKeyedId(workspaceId, 'conversation of messages', named);
  if (conversationId === call.conversationId)
    throw wrongArgument('to.conversation', 'expected another conversation: answer here instead');
  return { ...turn, conversationId, begins: { agentId, title } };
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
