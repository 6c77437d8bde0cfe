import type { Knex } from 'knex';
import { newId } from '../../lib/ids.ts';

/** A workspace, by its id and its name. Names need not be unique. */
export interface Workspace {
  id: string;
  name: string;
}

/** All workspaces, with the system database. */
export function createWorkspaceRepository(system: Knex) {
  const list = () => system<Workspace>('workspaces').select('id', 'name').orderBy('id');
  return {
    createWorkspace: async (name: string): Promise<Workspace> => {
      const workspace = { id: newId(), name };
      await system('workspaces').insert(workspace);
      return workspace;
    },

    findWorkspace: async (id: string): Promise<Workspace | null> =>
      (await list().where({ id }).first()) ?? null,

    listNamed: async (name: string): Promise<Workspace[]> => list().where({ name }),
  };
}
