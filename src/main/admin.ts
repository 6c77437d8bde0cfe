import { parseArgs } from 'node:util';
import { loadConfig, requireDatabaseUrl, type Config } from './config.ts';
import { connectDatabase, type Database } from '../db/connect-database.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { HoldfastError } from '../domain/errors.ts';
import { rotateKeys, type Rotation } from '../connections/rotate-keys.ts';
import { joinRunning } from './running.ts';
import { addKeyToFile } from '../secrets/key-file.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import { verifyAudit } from '../audit/verify-audit.ts';

/** What a command of the operator works with. */
interface OperatorServices {
  config: Config;
  database: Database;
  say: (line: string) => void;
}

interface OperatorCommand {
  description: string;
  /** Its flags, each with what it does. */
  flags: Record<string, string>;
  /** @returns the exit code */
  run: (room: OperatorServices, flags: ReadonlySet<string>) => Promise<number>;
}

/** The commands that need the database itself, by their words. */
const commands: Record<string, OperatorCommand> = {
  'keys rotate': {
    description:
      'Make a new encryption key, or take the first of HOLDFAST_ENCRYPTION_KEYS, and seal all secrets under it.',
    flags: { 'dry-run': 'only count' },
    run: async ({ config, database, say }, flags) => {
      const dryRun = flags.has('dry-run');
      const rotation = await rotateKeys({ ...openKeys(config), database, dryRun });
      for (const line of describeRotation(rotation, dryRun)) say(line);
      return rotation.unreadable === 0 ? 0 : 1;
    },
  },
  'audit verify': {
    description:
      'Compute the hashes of every workspace’s audit log again, and say what was changed, deleted or moved.',
    flags: {},
    run: async ({ database, say }) => {
      const { isWhole, lines } = await verifyAudit(database);
      for (const line of lines) say(line);
      return isWhole ? 0 : 1;
    },
  },
};

/** Keys in a file get a new one; of those in the environment the first is the current one. */
function openKeys({ encryption }: Config) {
  const keyRing = createKeyRing(encryption);
  return encryption.keys === undefined
    ? { keyRing, addKey: () => void addKeyToFile(encryption.file) }
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

const help = [
  'holdfast keys|audit … works on the database itself, beside a running "npm start" or with DATABASE_URL.',
  ...Object.entries(commands).flatMap(([words, { description, flags }]) => [
    `  holdfast ${words}: ${description}`,
    ...Object.entries(flags).map(([flag, meaning]) => `    --${flag}  ${meaning}`),
  ]),
].join('\n');

async function main(commandArguments: string[]): Promise<number> {
  const words = commandArguments.filter((word) => !word.startsWith('-')).join(' ');
  const command = commands[words];
  const wantsHelp = commandArguments.includes('--help');
  if (!command || wantsHelp) {
    console.log(help);
    return wantsHelp ? 0 : 1;
  }
  const options = Object.fromEntries(
    Object.keys(command.flags).map((flag) => [flag, { type: 'boolean' as const }]),
  );
  const { values } = parseArgs({ args: commandArguments, options, allowPositionals: true });
  return runCommand(command, new Set(Object.keys(values)));
}

async function runCommand(command: OperatorCommand, flags: ReadonlySet<string>): Promise<number> {
  const config = joinRunning(loadConfig());
  const url = requireDatabaseUrl(config);
  await migrateDatabase(url);
  const database = connectDatabase({ url, poolSize: 2 });
  try {
    return await command.run({ config, database, say: (line) => console.log(line) }, flags);
  } finally {
    await database.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isTold = error instanceof HoldfastError || (error instanceof TypeError && 'code' in error);
  console.error(isTold ? error.message : error);
  process.exitCode = 1;
}
