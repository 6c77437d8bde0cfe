import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Config, loadConfig } from './config.ts';

const pid = z.int().positive();

const runningSchema = z.object({
  /** The address that all paths of the API start after, without a slash at its end. */
  api: z.url(),
  console: z.url(),
  temporal: z.object({ address: z.string(), namespace: z.string(), ui: z.url().optional() }),
  postgres: z.object({ url: z.string() }),
  /** The operator's MCP catalogue in force. */
  mcpConfig: z.string(),
  /** The file of the keys that seal credentials. */
  encryptionKeysFile: z.string().optional(),
  /** Whether what goes through Temporal is sealed. */
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

/** Where everything of a running `npm start` is to be found; holds the database's password. */
export type Running = z.infer<typeof runningSchema>;

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
 * The configuration of a worker or an API that is started by hand: what is not set, it shares with what
 * `npm start` runs over the same data folder.
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

/** The file in a data folder that says where everything is. */
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
