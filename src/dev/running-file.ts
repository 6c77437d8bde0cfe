import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { takeLock } from '../../scripts/lock.mjs';

const pid = z.int().positive();

const runningSchema = z.object({
  /** The address that all paths of the API start after, without a slash at its end. */
  api: z.url(),
  console: z.url(),
  temporal: z.object({ address: z.string(), namespace: z.string(), ui: z.url().optional() }),
  postgres: z.object({ url: z.string() }),
  /** The operator's MCP catalogue in force. */
  mcpConfig: z.string(),
  pids: z.object({
    dev: pid,
    api: pid,
    worker: pid.optional(),
    temporal: pid.optional(),
    postgres: pid.optional(),
    mcp: pid.optional(),
  }),
  startedAt: z.iso.datetime(),
});

/** Where everything of a running `npm start` is to be found; holds the database's password. */
export type Running = z.infer<typeof runningSchema>;

/**
 * Makes this process the only one that runs over a data folder, until the function that it returns is called.
 * @throws Error that names the process that already does
 */
export function claimDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { release, owner } = takeLock(path.join(dataDir, 'running.lock'));
  if (release !== undefined) return release;
  throw new Error(
    `Holdfast is already running over ${dataDir} (process ${owner}). ` +
      'Stop it first, or choose another folder: npm start -- --data DIR',
  );
}

/** Writes `running.json`, readable by its owner only, in one step; returns what removes it. */
export function writeRunning(dataDir: string, running: Running): () => void {
  const file = toRunningFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/** Reads `running.json`; undefined when nothing runs over the folder, also when it was killed. */
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
 * The environment variables with which a worker or an API started by hand (`npm run worker`) joins what runs
 * over the data folder; empty when nothing does.
 */
export function toRunningEnvironment(dataDir: string): Record<string, string> {
  const running = findRunning(dataDir);
  if (running === undefined) return {};
  return {
    DATABASE_URL: running.postgres.url,
    TEMPORAL_ADDRESS: running.temporal.address,
    TEMPORAL_NAMESPACE: running.temporal.namespace,
    HOLDFAST_MCP_CONFIG: running.mcpConfig,
  };
}

function toRunningFile(dataDir: string): string {
  return path.join(dataDir, 'running.json');
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
