import { createActionRepository } from '../../actions/action-repository.ts';
import { toPendingAction, type ActionRow } from '../../actions/action-rows.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { createDeliveryRepository, type DueDelivery } from './delivery-repository.ts';
import type { ConnectionAccess, OpenConnection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject, parseJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import type { SlackChannel } from '../../../domain/webhook.ts';
import type { ExecutionRouter } from '../../../engines/providers/execution-router.ts';
import { deliveryTimeoutMs, type DeliveryRef } from './delivery-contract.ts';
import type { Posted } from '../post-message.ts';
import { toAskingMessage, toDecidedMessage, type SlackMessage } from '../slack/slack-message.ts';

/** Everything that posting to Slack needs from outside. */
export interface SlackDependencies {
  database: Pick<Database, 'pipelined' | 'inWorkspace'>;
  /** Opens the connection of the channel. */
  openConnection: ConnectionAccess['open'];
  execute: ExecutionRouter['executeMCPTool'];
}

/** The outcome of posting to Slack. `result` is the posted message, for later deliveries. */
export interface PostedToSlack extends Posted {
  result: JsonObject | null;
}

/** A delivery to a channel. */
export type SlackDelivery = Pick<DueDelivery, 'webhookId' | 'type' | 'data' | 'decides'> & {
  slack: SlackChannel;
};

/**
 * Posts a message with buttons to a channel for an action that is requested, and changes it when the action is decided.
 * Where nothing is left to be asked or changed, nothing is sent.
 */
export async function postToSlack(
  dependencies: SlackDependencies,
  ref: DeliveryRef,
  delivery: SlackDelivery,
): Promise<PostedToSlack> {
  const { workspaceId } = ref;
  const { actionId } = delivery.data;
  if (typeof actionId !== 'string') throw new Error('a delivery to Slack without an action');
  const action = await dependencies.database.pipelined(workspaceId, (query) =>
    createActionRepository(query).find(actionId),
  );
  if (!action) return unsent('The action was removed.');
  try {
    if (delivery.type === 'turn.action_required') return await ask(dependencies, ref, { delivery, action });
    return await update(dependencies, ref, { delivery, action });
  } catch (error) {
    if (error instanceof HoldfastError) return failed(error.message, error.retryAfterMs);
    throw error;
  }
}

interface Post {
  delivery: SlackDelivery;
  action: ActionRow;
}

async function ask(
  dependencies: SlackDependencies,
  { workspaceId }: DeliveryRef,
  { delivery: { slack, decides: buttons }, action }: Post,
): Promise<PostedToSlack> {
  if (action.status !== 'pending') return unsent(`The action is ${action.status} already.`);
  const connection = await dependencies.openConnection(toRequest(workspaceId, slack));
  const message = toAskingMessage(toPendingAction(action), { redact: connection.redact, buttons });
  const input = { channel: slack.channel, ...message, unfurl_links: false, unfurl_media: false };
  return run(dependencies, connection, { tool: 'sendMessage', input });
}

async function update(
  dependencies: SlackDependencies,
  { workspaceId }: DeliveryRef,
  { delivery: { slack, webhookId }, action }: Post,
): Promise<PostedToSlack> {
  const asked = await dependencies.database.inWorkspace(workspaceId, (trx) =>
    createDeliveryRepository(trx).findAsked(webhookId, action.id),
  );
  const { channel, ts } = asked?.result ?? {};
  if (asked?.status === 'pending') return failed('The message with the buttons is not posted yet.');
  if (typeof channel !== 'string' || typeof ts !== 'string') return unsent('There is no message to change.');
  const connection = await dependencies.openConnection(toRequest(workspaceId, slack));
  const message: SlackMessage = toDecidedMessage(toPendingAction(action), connection.redact);
  return run(dependencies, connection, { tool: 'updateMessage', input: { channel, ts, ...message } });
}

function toRequest(workspaceId: string, { connectionId }: SlackChannel) {
  return { workspaceId, connectionId, provider: 'slack' };
}

async function run(
  { execute }: SlackDependencies,
  connection: OpenConnection,
  { tool, input }: { tool: string; input: JsonObject },
): Promise<PostedToSlack> {
  const limits = { timeoutMs: deliveryTimeoutMs };
  const result: ToolResult = await execute('slack', `slack_${tool}`, input, connection, limits);
  if (result.status === 'failed') return failed(result.error.message, toRetryAfter(result.error.details));
  const { channel, ts } = parseJsonObject(result.text) ?? {};
  const posted = typeof channel === 'string' && typeof ts === 'string' ? { channel, ts } : null;
  return { status: 200, answer: null, error: null, retryAfterMs: null, result: posted };
}

function toRetryAfter(details: JsonValue | undefined): number | undefined {
  const waitMs = details !== undefined && isJsonObject(details) ? details['retryAfterMs'] : undefined;
  return typeof waitMs === 'number' ? waitMs : undefined;
}

function failed(error: string, retryAfterMs?: number): PostedToSlack {
  return { status: null, answer: null, error, retryAfterMs: retryAfterMs ?? null, result: null };
}

function unsent(reason: string): PostedToSlack {
  return { status: null, answer: reason, error: null, retryAfterMs: null, result: null };
}
