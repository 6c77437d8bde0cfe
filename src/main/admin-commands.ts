import { inspect } from 'node:util';
import { verifyAudit } from '../modules/audit/verify-audit.ts';
import type { CommandContext } from '../clients/cli/command-context.ts';
import { toVisible } from '../clients/cli/visible-text.ts';
import { rotateKeys, type Rotation } from '../modules/connections/secrets/rotate-keys.ts';
import { connectDatabase, type Database } from '../platform/database/connect-database.ts';
import { migrateDatabase } from '../platform/database/migrate.ts';
import { HoldfastError } from '../domain/errors.ts';
import { addKeyToFile } from '../platform/secrets/key-file.ts';
import { createKeyRing } from '../platform/secrets/key-ring.ts';
import { loadConfig, requireDatabaseUrl, type Config } from './config.ts';
import { describeFailure } from './describe-failure.ts';
import { joinRunning } from './running.ts';

/** The options that a command of the administrator may be given. */
export interface AdminFlags {
  dryRun?: boolean;
  data?: string;
  url?: string;
  key?: string;
  expect?: string[];
}

interface AdminServices {
  config: Config;
  database: Database;
  /** Prints a line to the standard output. */
  say: (line: string) => void;
  /** Prints a line to the standard error. */
  warn: (line: string) => void;
}

/** A command of the administrator. Returns the exit code. */
export type AdminCommand<Flags extends AdminFlags = AdminFlags> = (
  services: AdminServices,
  flags: Flags,
) => Promise<number>;

/**
 * Runs a command on the database of the configuration. Returns the exit code; prints the reason and returns 1 when the
 * command fails.
 */
export function runAdminCommand<Flags extends AdminFlags>(
  context: CommandContext,
  flags: Flags,
  command: AdminCommand<Flags>,
): Promise<number> {
  return reportErrors(context, async ({ say, warn }) => {
    const config = findConfig(context, flags);
    const url = requireDatabaseUrl(config);
    await migrateDatabase(url);
    const database = connectDatabase({ url, poolSize: 2 });
    try {
      return await command({ config, database, say, warn }, flags);
    } finally {
      await database.close();
    }
  });
}

type Output = Pick<AdminServices, 'say' | 'warn'>;

/** Runs the work with the output of a command. Prints the reason and returns 1 when the work fails. */
export async function reportErrors(
  { stdout, stderr, environment }: CommandContext,
  work: (output: Output) => Promise<number>,
): Promise<number> {
  const say = (line: string) => void stdout.write(`${toVisible(line)}\n`);
  const warn = (line: string) => void stderr.write(`${toVisible(line)}\n`);
  try {
    return await work({ say, warn });
  } catch (error) {
    warn(describeFailure(error));
    if (showsStacks(environment) && !(error instanceof HoldfastError)) warn(inspect(error));
    return 1;
  }
}

/** A command has no log, so that its level only says whether the stack of an error is shown. */
function showsStacks(environment: NodeJS.ProcessEnv): boolean {
  return ['debug', 'trace'].includes(environment['HOLDFAST_LOG_LEVEL'] ?? '');
}

/** Reads the configuration of a command, with the addresses of a running `npm start` unless it has its own. */
export function findConfig(
  { environment }: Pick<CommandContext, 'environment'>,
  { data, url, key }: AdminFlags,
): Config {
  if (url !== undefined || key !== undefined) {
    const message = 'This command calls no API: --url and --key cannot be used. Set DATABASE_URL instead.';
    throw new HoldfastError('INVALID_INPUT', message);
  }
  const config = loadConfig(environment);
  return joinRunning(
    data === undefined ? config : loadConfig({ ...config.environment, HOLDFAST_DATA_DIR: data }),
  );
}

/** `holdfast keys rotate`. */
export const rotateStoredKeys: AdminCommand = async ({ config, database, say }, { dryRun = false }) => {
  const rotation = await rotateKeys({ ...openKeys(config), database, dryRun });
  for (const line of describeRotation(rotation, dryRun)) say(line);
  return rotation.unreadable === 0 ? 0 : 1;
};

/** `holdfast audit verify`. */
export const verifyStoredAudit: AdminCommand = async ({ database, say }, { expect: expected = [] }) => {
  const { isWhole, lines } = await verifyAudit(database, { expected });
  for (const line of lines) say(line);
  return isWhole ? 0 : 1;
};

/** Adds a new key to the key file. Of keys in the environment the first one becomes the current one. */
function openKeys({ encryption }: Config) {
  const keyRing = createKeyRing(encryption);
  const { keys, file } = encryption;
  return keys === undefined && file !== undefined
    ? { keyRing, addKey: () => void addKeyToFile(file) }
    : { keyRing };
}

const noOtherKey =
  'No stored secret needs another key any longer. Backups of the database may, and so do the payloads in Temporal ' +
  'that were encrypted before.';

function describeRotation({ keyId, resealed, unreadable, byKey }: Rotation, dryRun: boolean): string[] {
  const others = [...byKey].filter(([id]) => id !== keyId);
  const left = others.map(([id, count]) => `  ${count} under ${id}`);
  if (dryRun)
    return [`The current key is ${keyId}.`, `${byKey.get(keyId) ?? 0} secrets are sealed under it.`, ...left];
  return [
    `${resealed === 1 ? '1 secret was' : `${resealed} secrets were`} sealed again, under ${keyId}.`,
    ...(unreadable === 0 ? [] : [`${unreadable} could not be opened and stay as they were:`]),
    ...left,
    ...(others.length === 0 ? [noOtherKey] : []),
  ];
}
