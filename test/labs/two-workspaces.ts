import type { Knex } from 'knex';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { createTestDatabase } from './postgres.ts';

/** A database with two workspaces, for tests that one workspace does not see the rows of the other. */
export async function openTwoWorkspaces() {
  const testDatabase = await createTestDatabase();
  const database = connectDatabase({ url: testDatabase.url });
  const own = newId();
  const foreign = newId();
  await database.system('workspaces').insert([
    { id: own, name: 'own' },
    { id: foreign, name: 'foreign' },
  ]);
  return {
    database,
    ownId: own,
    foreignId: foreign,
    inOwn: <Result>(run: (trx: Knex) => Promise<Result>) => database.inWorkspace(own, run),
    inForeign: <Result>(run: (trx: Knex) => Promise<Result>) => database.inWorkspace(foreign, run),
    close: async () => {
      await database.close();
      await testDatabase.drop();
    },
  };
}

export type TwoWorkspaces = Awaited<ReturnType<typeof openTwoWorkspaces>>;

/** The smallest valid agent. */
export const plainAgent = {
  name: 'Plain',
  model: 'demo',
  instructions: 'Answer.',
  tools: [],
  limits: {},
  execution: 'inspectable' as const,
};
