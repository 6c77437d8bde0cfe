import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { migrateDatabase } from '../../platform/database/migrate.ts';
import { findDemoServers } from './demo-tools.ts';
import type { Development } from './development.ts';
import { chooseDemoModel, seedDevelopment } from './seed-development.ts';
import { ensureKeyFile } from '../../platform/secrets/key-file.ts';

interface DatabaseToPrepare {
  databaseUrl: string;
  config: Config;
}

/**
 * Brings the database to the schema of this version, and makes the first workspace, key, agent and conversation.
 * The key is kept in the data folder, and so is one to seal credentials with; both are readable by their owner only.
 */
export async function prepareDatabase({ databaseUrl, config }: DatabaseToPrepare): Promise<Development> {
  const keyFile = path.join(config.dataDir, 'development-key');
  const existingKey = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : null;
  const { keys, file } = config.encryption;
  if (keys === undefined && file !== undefined) ensureKeyFile(file);
  await migrateDatabase(databaseUrl);
  const seed = await seedDevelopment({
    ...{ databaseUrl, existingKey, model: chooseDemoModel(config.models) },
    hasServers: findDemoServers() !== undefined,
  });
  if (seed.apiKey !== existingKey) keepKey(keyFile, seed.apiKey);
  return { ...seed, taskQueue: config.taskQueue ?? `holdfast-${seed.installationId}` };
}

function keepKey(keyFile: string, apiKey: string): void {
  writeFileSync(`${keyFile}.new`, `${apiKey}\n`, { mode: 0o600 });
  renameSync(`${keyFile}.new`, keyFile);
}
