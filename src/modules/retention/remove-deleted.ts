import type { RemovalResult } from './removal-contract.ts';
import { createRemovalQueue, type Removable } from './removal-queue.ts';
import { createRoutineRemovalRepository } from './routine-removal-repository.ts';
import { createTurnRemovalRepository } from './turn-removal-repository.ts';
import { createWorkspaceRemovalRepository } from './workspace-removal-repository.ts';
import { restorableDays } from '../../domain/resource.ts';
import {
  inBatches,
  routinesPerBatch,
  rowsPerBatch,
  turnsPerBatch,
  type MayContinue,
  type RemovalDependencies,
} from './removal.ts';

const itemsPerList = 50;

/**
 * Removes the rows of deleted conversations, webhooks, triggers, resources and routines, of memories that have expired, of
 * agents that were deleted for good and of deleted workspaces, each batch in a short transaction of its workspace. A
 * conversation in which a turn still runs, and a routine that has runs, are left to a later call.
 */
export async function removeDeleted(
  dependencies: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<Omit<RemovalResult, 'more'>> {
  const queue = createRemovalQueue(dependencies.database.system);
  const workspaces = await queue.listWorkspaces();
  for (const workspaceId of workspaces) await markAll(dependencies, workspaceId, mayContinue);
  const agents = await queue.listAgents(itemsPerList);
  for (const agent of agents) await markConversations(dependencies, agent, mayContinue);
  const removed = await removeConversations(dependencies, mayContinue);
  await removeWebhooksAndTriggers(dependencies, mayContinue);
  await removeResources(dependencies, mayContinue);
  await removeRoutines(dependencies, mayContinue);
  return {
    ...removed,
    agents: await countDone(dependencies, { items: agents, mayContinue }, (agent) =>
      removeAgent(dependencies, agent, mayContinue),
    ),
    workspaces: await countDone(
      dependencies,
      { items: workspaces.map((id) => ({ id, workspaceId: id })), mayContinue },
      (workspace) => removeWorkspace(dependencies, workspace.id, mayContinue),
    ),
  };
}

async function markAll({ database }: RemovalDependencies, workspaceId: string, mayContinue: MayContinue) {
  await database.inWorkspace(workspaceId, (trx) => createWorkspaceRemovalRepository(trx).markAgents());
  await inBatches(mayContinue, rowsPerBatch, () =>
    database.inWorkspace(workspaceId, (trx) =>
      createTurnRemovalRepository(trx).markConversations({}, rowsPerBatch),
    ),
  );
}

async function markConversations(
  { database }: RemovalDependencies,
  { id, workspaceId }: Removable,
  mayContinue: MayContinue,
) {
  await inBatches(mayContinue, rowsPerBatch, () =>
    database.inWorkspace(workspaceId, (trx) =>
      createTurnRemovalRepository(trx).markConversations({ agent_id: id }, rowsPerBatch),
    ),
  );
}

/** The turns of a conversation may mark more conversations, so the list is read until it has none that go. */
async function removeConversations(dependencies: RemovalDependencies, mayContinue: MayContinue) {
  const total = { turns: 0, conversations: 0 };
  const queue = createRemovalQueue(dependencies.database.system);
  const tried = new Set<string>();
  while (mayContinue()) {
    const listed = await queue.listConversations(itemsPerList);
    const untried = listed.filter(({ id }) => !tried.has(id));
    const done = await countDone(dependencies, { items: untried, mayContinue }, async (conversation) => {
      tried.add(conversation.id);
      const { turns, isDone } = await removeConversation(dependencies, conversation, mayContinue);
      total.turns += turns;
      return isDone;
    });
    total.conversations += done;
    if (done === 0) break;
  }
  return total;
}

async function removeConversation(
  { database }: RemovalDependencies,
  { id, workspaceId }: Removable,
  mayContinue: MayContinue,
): Promise<{ turns: number; isDone: boolean }> {
  const turns = await inBatches(mayContinue, turnsPerBatch, () =>
    database.inWorkspace(workspaceId, async (trx) => {
      const removed = await createTurnRemovalRepository(trx).removeTurns(
        { conversationId: id },
        turnsPerBatch,
      );
      return removed.turns;
    }),
  );
  const isDone = await database.inWorkspace(workspaceId, (trx) =>
    createTurnRemovalRepository(trx).removeConversation(id),
  );
  return { turns, isDone };
}

async function removeAgent(
  { database }: RemovalDependencies,
  { id, workspaceId }: Removable,
  mayContinue: MayContinue,
): Promise<boolean> {
  // Every call removes rows of one table; the last one removes the agent.
  await inBatches(mayContinue, 1, () =>
    database.inWorkspace(workspaceId, (trx) =>
      createWorkspaceRemovalRepository(trx).removeAgent(id, rowsPerBatch),
    ),
  );
  return database.inWorkspace(workspaceId, (trx) => createWorkspaceRemovalRepository(trx).isAgentGone(id));
}

async function removeWebhooksAndTriggers(
  dependencies: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<void> {
  const queue = createRemovalQueue(dependencies.database.system);
  const webhooks = await queue.listWebhooks(itemsPerList);
  await removeInBatches(dependencies, { items: webhooks, mayContinue }, (rows, id) =>
    rows.removeWebhook(id, rowsPerBatch),
  );
  const triggers = await queue.listTriggers(itemsPerList);
  await removeInBatches(dependencies, { items: triggers, mayContinue }, (rows, id) =>
    rows.removeTrigger(id, rowsPerBatch),
  );
}

/** Every call of `remove` removes rows of one table; the last one removes the item. */
async function removeInBatches(
  dependencies: RemovalDependencies,
  { items, mayContinue }: { items: Removable[]; mayContinue: MayContinue },
  remove: (rows: ReturnType<typeof createWorkspaceRemovalRepository>, id: string) => Promise<number>,
): Promise<void> {
  await countDone(dependencies, { items, mayContinue }, async ({ id, workspaceId }) => {
    await inBatches(mayContinue, 1, () =>
      dependencies.database.inWorkspace(workspaceId, (trx) =>
        remove(createWorkspaceRemovalRepository(trx), id),
      ),
    );
    return true;
  });
}

/** Removes resources that cannot be restored any more, and memories whose time is over, with all their versions. */
async function removeResources(dependencies: RemovalDependencies, mayContinue: MayContinue): Promise<void> {
  const { database } = dependencies;
  const found = await createRemovalQueue(database.system).listWithOldResources(restorableDays);
  const items = found.map((id) => ({ id, workspaceId: id }));
  await countDone(dependencies, { items, mayContinue }, async ({ workspaceId }) => {
    await inBatches(mayContinue, rowsPerBatch, () =>
      database.inWorkspace(workspaceId, (trx) =>
        createWorkspaceRemovalRepository(trx).removeOldResources(restorableDays, rowsPerBatch),
      ),
    );
    return true;
  });
}

/** Removes routines that cannot be restored any more and have no runs, with all their versions. */
async function removeRoutines(dependencies: RemovalDependencies, mayContinue: MayContinue): Promise<void> {
  const { database } = dependencies;
  const found = await createRemovalQueue(database.system).listWithOldRoutines(restorableDays);
  const items = found.map((id) => ({ id, workspaceId: id }));
  await countDone(dependencies, { items, mayContinue }, async ({ workspaceId }) => {
    await inBatches(mayContinue, routinesPerBatch, () =>
      database.inWorkspace(workspaceId, (trx) =>
        createRoutineRemovalRepository(trx).removeOldRoutines(restorableDays, routinesPerBatch),
      ),
    );
    return true;
  });
}

async function removeWorkspace(
  { database, tables }: RemovalDependencies,
  workspaceId: string,
  mayContinue: MayContinue,
): Promise<boolean> {
  const isInUse = await database.inWorkspace(workspaceId, (trx) =>
    createWorkspaceRemovalRepository(trx).hasConversations(),
  );
  if (isInUse) return false;
  let left = 1;
  while (left > 0 && mayContinue()) {
    left = await database.inWorkspace(workspaceId, (trx) =>
      createWorkspaceRemovalRepository(trx).removeRest(tables, rowsPerBatch),
    );
  }
  if (left > 0) return false;
  await createRemovalQueue(database.system).closeWorkspace(workspaceId);
  return true;
}

/** Counts the items that are gone. One that fails is logged and left to a later call; the others continue. */
async function countDone(
  { logger }: RemovalDependencies,
  { items, mayContinue }: { items: Removable[]; mayContinue: MayContinue },
  remove: (item: Removable) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    if (!mayContinue()) break;
    try {
      if (await remove(item)) done += 1;
    } catch (error) {
      logger.warn({ err: error, ...item }, 'the rows of something that was deleted could not be removed');
    }
  }
  return done;
}
