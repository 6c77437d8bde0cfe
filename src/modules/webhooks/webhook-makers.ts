import type { Query } from '../../platform/database/statement.ts';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { findActor } from '../workspaces/stored-actor.ts';

interface WebhookOfMakers {
  workspaceId: string;
  webhookId: string;
  /** Null for one that was made before makers were noted. */
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
}

/** Returns why a webhook may send no message any more; null while its makers may have webhooks. */
export async function findLostRight(
  query: Query,
  { workspaceId, webhookId, createdBy, changedBy }: WebhookOfMakers,
): Promise<string | null> {
  const makers = [createdBy, changedBy];
  if (makers.every((ref) => ref === null)) return null;
  const work = `the webhook ${webhookId}`;
  const found = await findActor(query, { workspaceId, makers, rights: ['webhooks.write'], work });
  return found instanceof HoldfastError ? found.message : null;
}
