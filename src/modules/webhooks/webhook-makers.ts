import type { Query } from '../../platform/database/statement.ts';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toRowScope, type RowScope } from '../../domain/row-scope.ts';
import { findActor } from '../workspaces/stored-actor.ts';

interface WebhookOfMakers {
  workspaceId: string;
  webhookId: string;
  /** Null for one that was made before makers were noted. */
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
}

/** The rows that a webhook gets messages about, which all of its makers see; or why it gets no more messages. */
export type WebhookReach = { seen: RowScope } | { lost: string };

/** Finds the rows that a webhook gets messages about now. Its makers need the right to webhooks. */
export async function findReach(
  query: Query,
  { workspaceId, webhookId, createdBy, changedBy }: WebhookOfMakers,
): Promise<WebhookReach> {
  const makers = [createdBy, changedBy];
  if (makers.every((ref) => ref === null)) return { seen: workspaceId };
  const work = `the webhook ${webhookId}`;
  const found = await findActor(query, { workspaceId, makers, rights: ['webhooks.write'], work });
  return found instanceof HoldfastError ? { lost: found.message } : { seen: toRowScope(found) };
}
