import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { identityProvidersSchema } from '../modules/workspaces/people/identity-provider.ts';
import { modelsEnvironmentSchema, modelVariables } from '../engines/models/models-config.ts';
import { fileVariables, readFileSettings } from './file-settings.ts';
import { dataDirSchema, optionalUrl, parseEnvironment } from '../platform/lib/parse-environment.ts';

const flag = z.stringbool().default(false);
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** `connections` is the default of `npm start`: connections reach this machine, tools such as `http_request` do not. */
const loopback = z
  .union([z.literal('connections'), z.stringbool()], { error: 'expected true, false or connections' })
  .default(false)
  .transform((value) => ({ connections: value !== false, tools: value === true }));

/** Seconds, separated by commas. */
const secondsList = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,49}$/, 'expected up to 50 numbers of seconds, such as 5,300,1800')
  .transform((text) => text.split(',').map((seconds) => Number(seconds) * 1000));

/** Origins exactly as browsers send them, separated by commas. */
const originList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .refine((origins) => origins.every(isOrigin), {
    error: 'expected origins such as https://temporal.example.com, without a path and separated by commas',
  });

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** A JSON array of identity providers. */
const identityProviders = z
  .string()
  .default('[]')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('expected a JSON array');
      return z.NEVER;
    }
  })
  .pipe(identityProvidersSchema);

/** The work that a worker takes: everything, replays alone, or everything but replays. */
const workerRoles = ['all', 'turns', 'replays'] as const;

const environmentSchema = z.object({
  ...fileVariables,
  PORT: z.coerce.number().int().min(0).max(65_535).default(3400),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  HOLDFAST_DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  HOLDFAST_STREAMS_PER_KEY: z.coerce.number().int().min(1).max(100_000).default(1_000),
  HOLDFAST_STREAMS_PER_WORKSPACE: z.coerce.number().int().min(1).max(100_000).default(2_000),
  HOLDFAST_API_KEYS_PER_WORKSPACE: z.coerce.number().int().min(1).max(100_000).default(500),
  HOLDFAST_TASK_QUEUE: z.string().min(1).optional(),
  HOLDFAST_BUILD_ID: z.string().min(1).max(255).optional(),
  HOLDFAST_WORKER_ROLE: z.enum(workerRoles).default('all'),
  HOLDFAST_DIRECT_TURNS: z.coerce.number().int().min(0).max(1_000).default(100),
  // The SDK refuses one: it serves workflows that are in memory and new ones by separate polls.
  HOLDFAST_WORKFLOW_TASK_SLOTS: z.coerce.number().int().min(2).max(10_000).default(100),
  HOLDFAST_ACTIVITY_SLOTS: z.coerce.number().int().min(1).max(10_000).default(100),
  HOLDFAST_DATA_DIR: dataDirSchema,
  HOLDFAST_CACHE_DIR: z.string().min(1).optional(),
  XDG_CACHE_HOME: z.string().min(1).optional(),
  HOLDFAST_TEMPORAL_CLI: z.string().min(1).optional(),
  HOLDFAST_MCP_CONFIG: z.string().min(1).optional(),
  HOLDFAST_WORKFLOWS_CONFIG: z.string().min(1).optional(),
  HOLDFAST_FUNCTIONS: z.string().min(1).optional(),
  HOLDFAST_ALLOW_LOOPBACK: loopback,
  HOLDFAST_PUBLIC_URL: optionalUrl,
  HOLDFAST_CLIENT_METADATA_URL: optionalUrl,
  HOLDFAST_ENCRYPTION_KEYS: z.string().min(1).optional(),
  HOLDFAST_ENCRYPTION_KEYS_FILE: z.string().min(1).optional(),
  HOLDFAST_TEMPORAL_UI_URL: optionalUrl,
  HOLDFAST_ENCRYPT_PAYLOADS: flag,
  HOLDFAST_CODEC_ORIGINS: originList,
  HOLDFAST_API_ORIGINS: originList,
  HOLDFAST_IDENTITY_PROVIDERS: identityProviders,
  HOLDFAST_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HOLDFAST_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  HOLDFAST_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  HOLDFAST_WEBHOOK_PAUSES: secondsList.optional(),
  HOLDFAST_SWEEP_INTERVAL_MS: z.coerce.number().int().min(1000).default(20_000),
  HOLDFAST_STUCK_AFTER_MS: z.coerce.number().int().min(0).default(60_000),
});

/** The names of all variables that the server reads itself; `TEMPORAL_…` are read by `@temporalio/envconfig`. */
export const environmentNames = [...Object.keys(environmentSchema.shape), ...modelVariables];

/** The settings of the environment variables, validated and with defaults. */
export type Config = ReturnType<typeof loadConfig>;

/**
 * Reads the configuration from environment variables. An empty variable counts as not set.
 * @throws HoldfastError `INVALID_INPUT` that names each wrong variable and what it should be
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env) {
  const values = parseEnvironment(environmentSchema.and(modelsEnvironmentSchema), environment);
  return {
    http: { host: values.HOST, port: values.PORT },
    /** Where a worker answers health checks; without it nowhere. */
    healthPort: values.HOLDFAST_HEALTH_PORT,
    database: {
      url: values.DATABASE_URL,
      /** Only `holdfast migrate` logs in with it; without it with `url`. */
      ownerUrl: values.DATABASE_OWNER_URL,
      poolSize: values.HOLDFAST_DATABASE_POOL,
    },
    /** The most open streams of events and waiting requests of one API key in one process. */
    streamsPerKey: values.HOLDFAST_STREAMS_PER_KEY,
    /** The same for all API keys of one workspace together. */
    streamsPerWorkspace: values.HOLDFAST_STREAMS_PER_WORKSPACE,
    /** The most API keys of one workspace that are neither revoked nor expired. */
    apiKeysPerWorkspace: values.HOLDFAST_API_KEYS_PER_WORKSPACE,
    /** Without it the task queue is named after the installation. */
    taskQueue: values.HOLDFAST_TASK_QUEUE,
    /** The version of this worker at Temporal; without it workers have none. */
    buildId: values.HOLDFAST_BUILD_ID,
    /** The work that a worker takes: everything, `turns` for everything but replays, or `replays` alone. */
    workerRole: values.HOLDFAST_WORKER_ROLE,
    /** How many turns a worker runs without a workflow at the same time, at most half of them of one workspace. */
    directTurns: values.HOLDFAST_DIRECT_TURNS,
    /** How many tasks of turns a worker runs at once: those of workflows, and activities. */
    workerSlots: {
      workflowTasks: values.HOLDFAST_WORKFLOW_TASK_SLOTS,
      activities: values.HOLDFAST_ACTIVITY_SLOTS,
    },
    dataDir: path.resolve(values.HOLDFAST_DATA_DIR),
    cacheDir:
      values.HOLDFAST_CACHE_DIR ??
      path.join(values.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'holdfast'),
    temporalCli: values.HOLDFAST_TEMPORAL_CLI,
    mcpConfigPath: values.HOLDFAST_MCP_CONFIG,
    workflowsConfigPath: values.HOLDFAST_WORKFLOWS_CONFIG,
    functions: { source: values.HOLDFAST_FUNCTIONS, secrets: listFunctionSecrets(environment) },
    allowLoopback: values.HOLDFAST_ALLOW_LOOPBACK,
    /** Where browsers reach the API, without a slash at the end; without it the API's own address. */
    publicUrl: values.HOLDFAST_PUBLIC_URL?.replace(/\/+$/, ''),
    /** The client id of Holdfast at authorization servers that read client metadata; without it the API's document. */
    clientMetadataUrl: values.HOLDFAST_CLIENT_METADATA_URL,
    /** Where people find the Temporal Web UI, without a slash at the end. */
    temporalUiUrl: values.HOLDFAST_TEMPORAL_UI_URL?.replace(/\/+$/, ''),
    encryption: {
      keys: values.HOLDFAST_ENCRYPTION_KEYS,
      /** Undefined for a program that takes nothing from the data folder; see `joinRunning`. */
      file: path.resolve(
        values.HOLDFAST_ENCRYPTION_KEYS_FILE ?? path.join(values.HOLDFAST_DATA_DIR, 'encryption-keys'),
      ) as string | undefined,
    },
    /** Whether the payloads in Temporal are encrypted with these keys. */
    encryptPayloads: values.HOLDFAST_ENCRYPT_PAYLOADS,
    /** The origins from which browsers may ask to decrypt payloads. */
    codecOrigins: values.HOLDFAST_CODEC_ORIGINS,
    /** The origins of pages that may use the API. */
    apiOrigins: values.HOLDFAST_API_ORIGINS,
    /** The OpenID providers whose tokens let people in. */
    identityProviders: values.HOLDFAST_IDENTITY_PROVIDERS,
    logLevel: values.HOLDFAST_LOG_LEVEL,
    /** The age in days at which turns and what belongs to them are removed; undefined keeps them. */
    retentionDays: values.HOLDFAST_RETENTION_DAYS,
    files: readFileSettings(values),
    /** The pauses after failed attempts to deliver to a webhook; undefined for those of Standard Webhooks. */
    webhookPausesMs: values.HOLDFAST_WEBHOOK_PAUSES,
    sweepIntervalMs: values.HOLDFAST_SWEEP_INTERVAL_MS,
    /** The time after which a workflow whose tasks fail counts as stuck, in milliseconds. */
    stuckAfterMs: values.HOLDFAST_STUCK_AFTER_MS,
    models: values.models,
    /** The whole environment: for the SDK of Temporal, the MCP catalogue, and programs that this one starts. */
    environment,
  };
}

/**
 * Returns the address of the database, for programs that do not start one.
 * @throws HoldfastError `INVALID_INPUT` when it is not set
 */
export function requireDatabaseUrl({ database }: Config): string {
  if (database.url) return database.url;
  throw new HoldfastError(
    'INVALID_INPUT',
    'DATABASE_URL is not set. Give the address of a Postgres, such as postgres://user:password@host:5432/holdfast; ' +
      'npm start brings one of its own.',
  );
}

/** Lists the secrets for the operator's functions by the part of their variable's name after the prefix. */
function listFunctionSecrets(environment: NodeJS.ProcessEnv): Record<string, string> {
  const prefix = 'HOLDFAST_SECRET_';
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(prefix) && value ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}
