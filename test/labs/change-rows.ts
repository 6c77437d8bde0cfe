import type { Knex } from 'knex';
import type { ChangeCursor } from '../../src/modules/changes/change-cursor.ts';
import { createChangeRepository, type ChangeRead } from '../../src/modules/changes/change-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { openTurnRows } from './turn-rows.ts';

/** Sends a message to a person, which leaves a note. Returns its id. */
export async function sendMessage(trx: Knex): Promise<string> {
  const id = newId();
  await trx('inbox_messages').insert({ id, person: 'ann', text: 'x', sender: {} });
  return id;
}

/** A database with workspaces whose messages leave notes. */
export async function openChangeRows() {
  const rows = await openTurnRows();
  const { database } = rows;
  return {
    ...rows,
    createWorkspace: async (): Promise<string> => {
      const workspaceId = newId();
      await database.system('workspaces').insert({ id: workspaceId, name: 'Changes' });
      return workspaceId;
    },
    readChanges: (workspaceId: string, after?: ChangeCursor): Promise<ChangeRead> =>
      database.forStreams.pipelined(workspaceId, (query) =>
        createChangeRepository(query).readChanges(after, { types: ['inbox_message'], person: null }),
      ),
    sendNow: (workspaceId: string) => database.inWorkspace(workspaceId, sendMessage),

    /** Begins a transaction that ends when the test says so. */
    begin: async (workspaceId: string) => {
      const begun = Promise.withResolvers<Knex>();
      const ending = Promise.withResolvers<boolean>();
      const ended = database
        .inWorkspace(workspaceId, async (trx) => {
          begun.resolve(trx);
          if (!(await ending.promise)) throw new Error('rolled back');
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error && error.message === 'rolled back')) throw error;
        });
      const end = (commits: boolean) => {
        ending.resolve(commits);
        return ended;
      };
      return { trx: await begun.promise, commit: () => end(true), rollBack: () => end(false) };
    },
  };
}
