import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Config, loadConfig } from './config.ts';

const pid = z.int().positive();

/** The programs that can join a running `npm start`. */
const programNames = ['api', 'worker'] as const;
export type ProgramName = (typeof programNames)[number];

const runningSchema = z.object({
  /** The address of the API, without a path and without a slash at its end. */
  api: z.url(),
  console: z.url(),
  temporal: z.object({ address: z.string(), namespace: z.string(), ui: z.url().optional() }),
  postgres: z.object({ url: z.string() }),
  /** The file of the operator's MCP catalogue. */
  mcpConfig: z.string(),
  /** The file of the keys that encrypt credentials. */
  encryptionKeysFile: z.string().optional(),
  /** Whether the payloads in Temporal are encrypted. */
  encryptPayloads: z.boolean().optional(),
  /** The value of `HOLDFAST_ALLOW_LOOPBACK`. */
  allowLoopback: z.string().optional(),
  /** The processes that run now. Of several workers it is that of `npm start`, else the newest. */
  pids: z.object({
    dev: pid,
    api: pid.optional(),
    worker: pid.optional(),
    temporal: pid.optional(),
    postgres: pid.optional(),
    mcp: pid.optional(),
  }),
  /** The processes that were started by hand and use these services, oldest first. */
  joined: z.array(z.object({ name: z.enum(programNames), pid })).default([]),
  startedAt: z.iso.datetime(),
});

/** The addresses, files and processes of a running `npm start`. Holds the database's password. */
export type Running = z.infer<typeof runningSchema>;

/** Reads `running.json`; undefined when no `npm start` runs over the folder, or it was killed. */
export function findRunning(dataDir: string): Running | undefined {
  let text: string;
  try {
    text = readFileSync(toRunningFile(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const parsed = runningSchema.safeParse(JSON.parse(text));
  return parsed.success && isAlive(parsed.data.pids.dev) ? parsed.data : undefined;
}

/**
 * Completes the configuration of a program that is started by hand: variables that are not set are taken from the
 * `npm start` that runs over the same data folder, whose `running.json` then names the program until it ends. A program
 * with its own database takes nothing from the data folder, not even the file of the encryption keys.
 */
export function joinRunning(config: Config, program?: ProgramName): Config {
  const running = findRunning(config.dataDir);
  if (running === undefined || !isSameDatabase(config.database.url, running.postgres.url)) {
    return leaveDataFolder(config);
  }
  if (program !== undefined) writeJoinNote(config.dataDir, program);
  return loadConfig({ ...toEnvironment(running), ...config.environment });
}

/** Compares server and database, since several users may work on one database. */
function isSameDatabase(own: string | undefined, running: string): boolean {
  if (own === undefined) return true;
  const [first, second] = [new URL(own), new URL(running)];
  return first.host === second.host && first.pathname === second.pathname;
}

function leaveDataFolder(config: Config): Config {
  const hasOwnKeys = Boolean(config.environment['HOLDFAST_ENCRYPTION_KEYS_FILE']);
  if (config.database.url === undefined || hasOwnKeys) return config;
  return { ...config, encryption: { ...config.encryption, file: undefined } };
}

function writeJoinNote(dataDir: string, program: ProgramName): void {
  const folder = toJoinFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${Date.now()}-${program}-${process.pid}`);
  writeFileSync(file, '');
  process.once('exit', () => rmSync(file, { force: true }));
}

/** Lists the living processes that joined the `npm start` of a data folder, and removes the notes of those that died. */
export function listJoined(dataDir: string): Running['joined'] {
  const folder = toJoinFolder(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, name, processId] = /^\d+-(api|worker)-(\d+)$/.exec(file) ?? [];
      if (name !== undefined && isAlive(Number(processId))) {
        return [{ name: name as ProgramName, pid: Number(processId) }];
      }
      rmSync(path.join(folder, file), { force: true });
      return [];
    });
}

/** The folder of the notes of programs that joined. */
export function toJoinFolder(dataDir: string): string {
  return path.join(dataDir, 'joined');
}

function toEnvironment({
  api,
  postgres,
  temporal,
  mcpConfig,
  encryptionKeysFile,
  encryptPayloads,
  allowLoopback,
}: Running): Record<string, string> {
  return {
    PORT: new URL(api).port,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ...(temporal.ui === undefined ? {} : { HOLDFAST_TEMPORAL_UI_URL: temporal.ui }),
    HOLDFAST_MCP_CONFIG: mcpConfig,
    ...(encryptionKeysFile === undefined ? {} : { HOLDFAST_ENCRYPTION_KEYS_FILE: encryptionKeysFile }),
    ...(encryptPayloads ? { HOLDFAST_ENCRYPT_PAYLOADS: 'true' } : {}),
    ...(allowLoopback === undefined ? {} : { HOLDFAST_ALLOW_LOOPBACK: allowLoopback }),
  };
}

/** The path of `running.json` in a data folder. */
export function toRunningFile(dataDir: string): string {
  return path.join(dataDir, 'running.json');
}

/** Returns whether a process with this id runs. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
