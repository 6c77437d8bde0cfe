import { dirname, resolve, delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { plainName } from '../../domain/text.ts';
import {
  failCatalogue,
  parseCatalogueEntry,
  parseCatalogueFile,
  readCatalogueFile,
  type CatalogueFile,
} from '../../platform/lib/catalogue-file.ts';
import { accessSync, constants, statSync } from 'node:fs';

/** An MCP server that runs as a child process and is called over its standard input and output. */
export interface StdioServer {
  kind: 'stdio';
  command: string;
  args: string[];
  /** Variables of its environment beside PATH, HOME and the like. */
  env: Record<string, string>;
  cwd: string;
}

/** An MCP server that is reached over Streamable HTTP. */
export interface HttpServer {
  kind: 'http';
  url: string;
  headers: Record<string, string>;
}

/** How an MCP server is reached. */
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

/** Rules name the tools of a server as `name:tool`. */
const serverName = z
  .string()
  .regex(plainName, 'expected a name without ":" and without invisible characters');
const fileSchema = z.strictObject({ mcpServers: z.record(serverName, z.looseObject({})) });

interface ParseOptions {
  /** The path of the file; relative working directories start from its folder. */
  path: string;
  /** The environment with the values of `${VARIABLE}` and PATH. */
  env: Readonly<Record<string, string | undefined>>;
}

function toFile(path: string): CatalogueFile {
  return { kind: 'MCP', path };
}

function fail(path: string, reason: string): never {
  return failCatalogue(toFile(path), reason);
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
  const schema = stdioEntrySchema;
  const entry = parseCatalogueEntry(toFile(options.path), raw, { schema, field: ['mcpServers', name] });
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
  const schema = httpEntrySchema;
  const entry = parseCatalogueEntry(toFile(options.path), raw, { schema, field: ['mcpServers', name] });
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

/**
 * Reads the text of a catalogue in the `mcpServers` form that other MCP clients use. Entries that are
 * `disabled` are left out.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseMcpCatalogue(text: string, options: ParseOptions): McpCatalogue {
  const { mcpServers } = parseCatalogueFile(toFile(options.path), text, fileSchema);
  const enabled = Object.entries(mcpServers).filter(([, entry]) => entry.disabled !== true);
  return new Map(enabled.map(([name, entry]) => [name, toServer(name, entry, options)]));
}

/**
 * Reads the operator's catalogue of MCP servers from a file.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export async function loadMcpCatalogue(options: ParseOptions): Promise<McpCatalogue> {
  const text = await readCatalogueFile(toFile(options.path));
  return parseMcpCatalogue(text, { ...options, path: resolve(options.path) });
}

interface Expanded {
  value: string;
  /** The names of variables that are not set. */
  missing: string[];
}

/** Replaces each `${NAME}` by the value of the variable. */
function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const value = text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_reference, name: string) => {
    if (env[name] === undefined) missing.push(name);
    return env[name] ?? '';
  });
  return { value, missing };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds the absolute path of a program, which is given as an absolute path or as a name on the search path. Null when
 * there is no such program, and for relative paths, whose meaning depends on the working directory.
 */
function findCommand(command: string, searchPath: string): string | null {
  if (isAbsolute(command)) return isProgram(command) ? command : null;
  if (command.includes('/')) return null;
  const candidates = searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, command));
  return candidates.find(isProgram) ?? null;
}
