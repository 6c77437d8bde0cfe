import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Config, loadConfig } from './config.ts';

const pid = z.int().positive();

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
 * `npm start` that runs over the same data folder.
 */
export function joinRunning(config: Config): Config {
  const running = findRunning(config.dataDir);
  return running === undefined ? config : loadConfig({ ...toEnvironment(running), ...config.environment });
}

function toEnvironment({
  postgres,
  temporal,
  mcpConfig,
  encryptionKeysFile,
  encryptPayloads,
}: Running): Record<string, string> {
  return {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    HOLDFAST_MCP_CONFIG: mcpConfig,
    ...(encryptionKeysFile === undefined ? {} : { HOLDFAST_ENCRYPTION_KEYS_FILE: encryptionKeysFile }),
    ...(encryptPayloads ? { HOLDFAST_ENCRYPT_PAYLOADS: 'true' } : {}),
  };
}

/** The path of `running.json` in a data folder. */
export function toRunningFile(dataDir: string): string {
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
