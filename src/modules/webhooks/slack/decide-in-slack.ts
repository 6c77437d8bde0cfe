import type { ActionDependencies } from '../../actions/action-dependencies.ts';
import { decideActionAs, type FindDeciders } from '../../actions/decide-action.ts';
import { createActionRepository } from '../../actions/action-repository.ts';
import { toPendingAction } from '../../actions/action-rows.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { findSlackChannel } from '../webhook-repository.ts';
import type { ActionStatus } from '../../../domain/action.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import { postMessage } from '../post-message.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';
import { openSlackSecrets } from '../webhook-secrets.ts';
import { findPressDeciders } from './find-press-deciders.ts';
import { toDecidedMessage } from './slack-message.ts';
import { isFromSlack, type SlackRequest } from './verify-slack-request.ts';

/** Everything that presses of buttons in Slack need from outside. */
export interface PressDependencies extends Omit<ActionDependencies, 'database'> {
  database: Pick<Database, 'pipelined' | 'transact' | 'system'>;
  keyRing: WebhookDependencies['keyRing'];
  /** Reaches the addresses that webhooks may name. */
  webhookFetch: GuardedFetch;
}

/** A channel of Slack that has signed a request. */
export interface SlackChannelRef {
  webhookId: string;
  workspaceId: string;
}

/** A press of one of the buttons of a message. */
export interface Press {
  actionId: string;
  decision: 'approve' | 'reject';
  /** The workspace of Slack, and its member who pressed. */
  teamId: string;
  userId: string;
  /** Where the message can be changed for half an hour. */
  responseUrl: string;
}

/**
 * Returns a channel and its workspace, whose Slack has signed a request.
 * @throws HoldfastError `UNAUTHORIZED` for any other request, also when there is no such channel; `SECRETS_UNAVAILABLE`
 */
export async function verifyPress(
  { database, keyRing }: Pick<PressDependencies, 'database' | 'keyRing'>,
  webhookId: string,
  request: SlackRequest,
): Promise<SlackChannelRef> {
  const channel = await findSlackChannel(database.system, webhookId);
  if (channel && isFromSlack(openSlackSecrets(keyRing, channel).signingSecret, request)) {
    return { webhookId, workspaceId: channel.workspaceId };
  }
  throw new HoldfastError('UNAUTHORIZED', 'Expected a request that Slack has signed within five minutes.');
}

/**
 * Decides an action for a member of Slack who pressed a button, in the name of the person to whom the channel maps them.
 * The delivery of the decision changes the message. The answer to a press that does not count goes to the presser, or into
 * the message when the action is decided already.
 */
export async function decidePress(
  dependencies: PressDependencies,
  { workspaceId, webhookId }: SlackChannelRef,
  press: Press,
): Promise<void> {
  const { actionId, decision, teamId, userId } = press;
  const findDeciders: FindDeciders = (query) =>
    findPressDeciders(query, { workspaceId, webhookId, actionId, teamId, userId });
  try {
    await decideActionAs(dependencies, { workspaceId, findDeciders }, { id: actionId, input: { decision } });
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.retryable) throw error;
    // Not awaited: Slack waits three seconds for the answer to the press.
    void answerPress(dependencies, workspaceId, { press, error }).catch((failure: unknown) =>
      dependencies.logger.warn({ err: failure, actionId }, 'a press in Slack could not be answered'),
    );
  }
}

async function answerPress(
  dependencies: PressDependencies,
  workspaceId: string,
  { press, error }: { press: Press; error: HoldfastError },
): Promise<void> {
  const answer = await toAnswer(dependencies, workspaceId, { press, error });
  const { error: problem } = await postMessage(dependencies.webhookFetch, {
    ...{ url: press.responseUrl, headers: {}, secrets: [] },
    body: JSON.stringify(answer),
  });
  if (problem !== null) throw new Error(problem);
}

async function toAnswer(
  { database }: PressDependencies,
  workspaceId: string,
  { press, error }: { press: Press; error: HoldfastError },
): Promise<JsonObject> {
  const row = await database.pipelined(workspaceId, (query) =>
    createActionRepository(query).find(press.actionId),
  );
  if (!row || error.code !== 'ACTION_DECIDED') {
    return { response_type: 'ephemeral', replace_original: false, text: error.message };
  }
  const action = { ...toPendingAction(row), status: toStatus(error) ?? row.status };
  return { replace_original: true, ...toDecidedMessage(action, (text) => text) };
}

/** An action whose time is over may still be noted as pending. */
function toStatus({ details }: HoldfastError): ActionStatus | undefined {
  const found = details !== undefined && isJsonObject(details) ? details['status'] : undefined;
  return found as ActionStatus | undefined;
}
