import { migrateDatabase } from '../db/migrate.ts';
import { seedDevelopment, type DevelopmentSeed } from '../db/seed-development.ts';

interface DatabaseToPrepare {
  databaseUrl: string;
  dataDir: string;
}

/** Brings the database to the schema of this version, and makes the first workspace, key, agent and conversation. */
export async function prepareDatabase({ databaseUrl, dataDir }: DatabaseToPrepare): Promise<DevelopmentSeed> {
  await migrateDatabase(databaseUrl);
  return seedDevelopment({ databaseUrl, dataDir });
}
