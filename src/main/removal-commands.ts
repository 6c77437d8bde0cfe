import { setTimeout as sleep } from 'node:timers/promises';
import { createRemovalQueue } from '../modules/retention/removal-queue.ts';
import { removeDeleted } from '../modules/retention/remove-deleted.ts';
import { getWorkspace } from '../modules/workspaces/create-workspace.ts';
import { deleteWorkspace, setRetention } from '../modules/workspaces/delete-workspace.ts';
import type { AdminCommand } from './admin-commands.ts';

/** How long the command waits for turns that have yet to stop, in milliseconds. */
const stopPatienceMs = 30_000;
const pauseMs = 500;

/** `holdfast workspaces delete`. */
export const deleteNamedWorkspace =
  (idOrName: string): AdminCommand =>
  async ({ database, say, warn }, { dryRun = false }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    const queue = createRemovalQueue(database.system);
    const { agents, conversations, knowledgeBases } = await queue.countWorkspace(workspace.id);
    say(
      `The workspace "${workspace.name}" (${workspace.id}) has ${agents} agents, ${conversations} conversations and ` +
        `${knowledgeBases} knowledge bases.`,
    );
    if (dryRun) return 0;
    const { turns } = await deleteWorkspace({ database }, workspace.id);
    say(`It is deleted: its API keys are revoked, and ${turns} turns were asked to stop.`);
    // On demand: the list of modules loads everything of the server.
    const { tables } = await import('./modules.ts');
    const logger = { warn: (_fields: object, message: string) => warn(message) };
    const giveUpAt = Date.now() + stopPatienceMs;
    for (;;) {
      const removed = await removeDeleted({ database, logger, tables }, () => true);
      if (!(await queue.listWorkspaces()).includes(workspace.id)) break;
      if (removed.turns === 0 && Date.now() > giveUpAt) {
        say('Some of its turns have yet to stop. The workers remove its last rows when they have.');
        return 0;
      }
      await sleep(pauseMs);
    }
    say('All its rows are removed. Its audit log stays.');
    return 0;
  };

/** `holdfast workspaces retention`. */
export const setWorkspaceRetention =
  (idOrName: string, days: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setRetention({ database }, workspace.id, days);
    const age = days === 'default' ? 'the age that HOLDFAST_RETENTION_DAYS sets' : `${days} days`;
    say(`Turns of the workspace "${workspace.name}" are removed at ${age}.`);
    return 0;
  };
