import { type Query, defineStatement } from '../../../platform/database/statement.ts';
import type { Actor, ActorRef } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { actsForOther } from '../../../domain/person.ts';
import { actAgain } from '../../workspaces/stored-actor.ts';
import type { DeliveryStatus, SlackApprover } from '../../../domain/webhook.ts';

const findPressed = defineStatement<{ webhookId: string; actionId: string }, PressedChannel>(
  'find_pressed_channel',
  `SELECT w.approvers, w.created_by AS "createdBy", w.changed_by AS "changedBy", d.status,
     coalesce(d.status = 'delivered' AND d.result ->> 'ts' IS NOT NULL, false) AS "isPosted"
   FROM webhooks w LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.asked_action = :actionId
     AND d.created_at >= w.decides_since
   WHERE w.id = :webhookId AND w.slack IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
   LIMIT 1 FOR SHARE OF w`,
);

/** A press of a button in a channel. */
interface ChannelPress {
  workspaceId: string;
  webhookId: string;
  actionId: string;
  teamId: string;
  userId: string;
}

/**
 * Returns the deciders of a press: the person to whom the channel maps the member of Slack, with the present rights that the
 * maker and the last changer of the channel both have, and with the groups of the mapping that both have. There is one for
 * each key of these two, and all of them have to be allowed to decide.
 * @throws HoldfastError `NOT_AN_APPROVER` for a member who is not mapped, and for an action that this channel did not ask
 * about since it was changed; `CONFLICT` while its message is not stored as posted; `RIGHTS_LOST`
 */
export async function findPressDeciders(
  query: Query,
  { workspaceId, webhookId, actionId, teamId, userId }: ChannelPress,
): Promise<[Actor, ...Actor[]]> {
  const channel = await findPressedChannel(query, { webhookId, actionId });
  const approver = channel?.approvers.find((one) => one.teamId === teamId && one.userId === userId);
  if (!channel || !approver) {
    throw refuse(`This channel of Slack has no approver ${teamId}/${userId}. Decide with the API.`);
  }
  if (channel.status === null) {
    throw refuse(
      'This channel has not asked about this call since it was last changed. Decide with the API.',
    );
  }
  if (!channel.isPosted) {
    throw new HoldfastError('CONFLICT', 'The message is not stored as posted yet. Press the button again.');
  }
  const makers = [channel.changedBy, channel.createdBy];
  const work = `the channel of Slack ${webhookId}`;
  const maker = await actAgain(query, { workspaceId, makers, rights: ['actions.decide'], work });
  const { person, groups = [] } = approver;
  if (actsForOther(maker.actsFor, person)) {
    throw refuse(`The API key of this channel acts for ${maker.actsFor} only, and not for ${person}.`);
  }
  const decider: Actor = {
    ...maker,
    groups: groups.filter((group) => maker.groups.includes(group)),
    actsFor: person,
    via: 'slack',
  };
  const [first, ...others] = [...new Set(makers.flatMap((ref) => ref?.apiKeyId ?? []))];
  if (first === undefined) throw refuse('No API key is responsible for this channel. Decide with the API.');
  const toDecider = (apiKeyId: string): Actor => ({ ...decider, apiKeyId });
  return [toDecider(first), ...others.map(toDecider)];
}

function refuse(message: string): HoldfastError {
  return new HoldfastError('NOT_AN_APPROVER', message);
}

/** A channel of Slack in which a person pressed a button, and the message to it about the action. */
interface PressedChannel {
  approvers: SlackApprover[];
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
  /** Null when the channel did not ask about the action, or was changed since it did. */
  status: DeliveryStatus | null;
  /** Whether the message is posted. */
  isPosted: boolean;
}

/** Finds an enabled channel, and keeps it from changing until the transaction ends. Lock actions afterwards. */
async function findPressedChannel(
  query: Query,
  press: { webhookId: string; actionId: string },
): Promise<PressedChannel | null> {
  const [channel] = await query(findPressed, press);
  return channel ?? null;
}
