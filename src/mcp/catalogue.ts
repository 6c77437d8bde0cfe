import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { expandVariables } from './expand-variables.ts';
import { findCommand } from './find-command.ts';

/** An MCP server that is started as a child process and spoken to over its standard input and output. */
export interface StdioServer {
  kind: 'stdio';
  command: string;
  args: string[];
  /** What its environment holds beside PATH, HOME and the like. */
  env: Record<string, string>;
  cwd: string;
}

/** An MCP server that is reached over Streamable HTTP. */
export interface HttpServer {
  kind: 'http';
  url: string;
  headers: Record<string, string>;
}

export type McpServer = StdioServer | HttpServer;

/** The MCP servers that the operator offers to agents, by name. */
export type McpCatalogue = ReadonlyMap<string, McpServer>;

const texts = z.record(z.string(), z.string());

const stdioEntrySchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().min(1).optional(),
  disabled: z.boolean().optional(),
});

const httpEntrySchema = z.strictObject({
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }),
  headers: texts.default({}),
  disabled: z.boolean().optional(),
});

const fileSchema = z.strictObject({ mcpServers: z.record(z.string(), z.looseObject({})) });

interface ParseOptions {
  /** The file's path: for messages, and the folder that relative working directories start from. */
  path: string;
  /** The environment that `${VARIABLE}` and PATH are looked up in. */
  env: Readonly<Record<string, string | undefined>>;
}

function fail(path: string, reason: string): never {
  throw new HoldfastError('INVALID_INPUT', `The MCP catalogue ${path} cannot be used: ${reason}.`);
}

function describeIssues(error: z.ZodError, prefix: (string | number)[]): string {
  return error.issues
    .map((issue) => `${[...prefix, ...issue.path].map(String).join('.')}: ${issue.message}`)
    .join('; ');
}

function readEntry<Entry>(
  schema: z.ZodType<Entry>,
  entry: unknown,
  place: { path: string; name: string },
): Entry {
  const parsed = schema.safeParse(entry);
  if (parsed.success) return parsed.data;
  return fail(place.path, describeIssues(parsed.error, ['mcpServers', place.name]));
}

function expandAll(
  values: Record<string, string>,
  field: string,
  options: ParseOptions,
): Record<string, string> {
  const expand = (name: string, text: string): string => {
    const { value, missing } = expandVariables(text, options.env);
    if (missing.length > 0) fail(options.path, `${field}.${name}: ${missing.join(', ')} is not set`);
    return value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, expand(name, text)]));
}

function toStdioServer(name: string, raw: unknown, options: ParseOptions): StdioServer {
  const entry = readEntry(stdioEntrySchema, raw, { path: options.path, name });
  const field = `mcpServers.${name}`;
  const command = findCommand(entry.command, options.env.PATH ?? '');
  if (command === null) {
    const hint = 'expected an absolute path of a program, or a name that is found on PATH';
    fail(options.path, `${field}.command: "${entry.command}" is not there; ${hint}`);
  }
  const cwd = resolve(dirname(options.path), entry.cwd ?? '.');
  return {
    kind: 'stdio',
    command,
    args: entry.args,
    env: expandAll(entry.env, `${field}.env`, options),
    cwd,
  };
}

function toHttpServer(name: string, raw: unknown, options: ParseOptions): HttpServer {
  const entry = readEntry(httpEntrySchema, raw, { path: options.path, name });
  const field = `mcpServers.${name}`;
  const url = new URL(entry.url);
  if (url.username !== '' || url.password !== '') {
    fail(options.path, `${field}.url: must not carry a password; use "headers"`);
  }
  return { kind: 'http', url: url.href, headers: expandAll(entry.headers, `${field}.headers`, options) };
}

function toServer(name: string, raw: Record<string, unknown>, options: ParseOptions): McpServer {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    fail(options.path, `mcpServers: the name "${name}" may hold letters, digits, "_", "." and "-" only`);
  }
  const { type } = raw;
  if (type !== undefined && type !== 'stdio' && type !== 'http' && type !== 'streamable-http') {
    fail(options.path, `mcpServers.${name}.type: expected "stdio" or "http", found ${JSON.stringify(type)}`);
  }
  if (type === 'stdio' || 'command' in raw) return toStdioServer(name, raw, options);
  if (type !== undefined || 'url' in raw) return toHttpServer(name, raw, options);
  return fail(options.path, `mcpServers.${name}: expected a "command" or a "url"`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error of the parser quotes the text, and with it whatever secret stands there.
    return fail(path, 'it is not JSON');
  }
}

/**
 * Reads the text of a catalogue in the `mcpServers` form that other MCP clients use. Entries that are
 * `disabled` are left out.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseMcpCatalogue(text: string, options: ParseOptions): McpCatalogue {
  const parsed = fileSchema.safeParse(parseJson(text, options.path));
  if (!parsed.success) return fail(options.path, describeIssues(parsed.error, []));
  const enabled = Object.entries(parsed.data.mcpServers).filter(([, entry]) => entry.disabled !== true);
  return new Map(enabled.map(([name, entry]) => [name, toServer(name, entry, options)]));
}

/**
 * Reads the operator's catalogue of MCP servers from a file.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export async function loadMcpCatalogue(options: ParseOptions): Promise<McpCatalogue> {
  const text = await readFile(options.path, 'utf8').catch((error: unknown) =>
    fail(options.path, `it cannot be read (${(error as Error).message})`),
  );
  return parseMcpCatalogue(text, { ...options, path: resolve(options.path) });
}
