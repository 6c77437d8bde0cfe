import type { Query } from '../db/statement.ts';
import type { Actor, ActorRef } from '../domain/actor.ts';
import { mayDo } from '../domain/authorize.ts';
import { HoldfastError } from '../domain/errors.ts';
import { actAgain, loadActor } from '../workspaces/stored-actor.ts';

interface WebhookOfMakers {
  workspaceId: string;
  webhookId: string;
  /** Null for one that was made before makers were noted. */
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
}

/** Returns why a webhook may not tell anybody anything any more; null while its makers may have webhooks. */
export async function findLostRight(
  query: Query,
  { workspaceId, webhookId, createdBy, changedBy }: WebhookOfMakers,
): Promise<string | null> {
  const makers = [createdBy, changedBy];
  if (makers.every((ref) => ref === null)) return null;
  const work = `the webhook ${webhookId}`;
  try {
    await actAgain(query, { workspaceId, makers, rights: ['webhooks.write'], work });
    return null;
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'RIGHTS_LOST') return error.message;
    throw error;
  }
}

/** Returns true when the maker of a webhook has lost the right to it, so that whoever enables it takes its place. */
export async function isMakerLost(
  query: Query,
  { workspaceId }: Actor,
  createdBy: ActorRef | null,
): Promise<boolean> {
  if (createdBy === null) return false;
  const maker = await loadActor(query, { workspaceId, ref: createdBy });
  return maker === null || !mayDo(maker, 'webhooks.write');
}
