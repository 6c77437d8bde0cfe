import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenConnection } from '../../src/domain/connection.ts';
import type { ToolOutcome } from '../../src/domain/tool.ts';
import { ToolInterruptedError } from '../../src/domain/tool-interrupted.ts';
import type { McpToolCall } from '../../src/engines/mcp/call-tool.ts';
import type { McpServer } from '../../src/engines/mcp/mcp-catalogue.ts';
import {
  createMcpClientManager,
  type McpClientManager,
  type McpClientManagerOptions,
} from '../../src/engines/mcp/mcp-client-manager.ts';
import {
  httpEntry,
  startScriptedServer,
  type ScriptedServer,
  type ScriptedServerOptions,
  type ScriptedTool,
} from '../servers/mcp-servers.ts';
import { createCleanups } from './cleanups.ts';
import { createLoopbackFetch, openConnectionTo, type ConnectionParts } from './open-connections.ts';

/** The resources that a test opened; they are closed after it in reverse order. */
export const cleanups = createCleanups();

/** A manager of some servers, closed after the test. */
export function openManager(
  servers: Record<string, McpServer>,
  options: Partial<Omit<McpClientManagerOptions, 'catalogue'>> = {},
): McpClientManager {
  const catalogue = new Map(Object.entries(servers));
  const manager = createMcpClientManager({ catalogue, clientVersion: '1.2.3', ...options });
  cleanups.push(() => manager.close());
  return manager;
}

/** A scripted server, closed after the test. */
export async function openScriptedServer(
  tools: Record<string, ScriptedTool>,
  options: ScriptedServerOptions = {},
) {
  const server = await startScriptedServer(tools, options);
  cleanups.push(() => server.close());
  return server;
}

/** Starts a scripted server and a manager whose catalogue lists it as "own". */
export async function openScriptedManager(
  tools: Record<string, ScriptedTool>,
  {
    json,
    definitions,
    pageSize,
    ...options
  }: Partial<Omit<McpClientManagerOptions, 'catalogue'>> & ScriptedServerOptions = {},
): Promise<{
  server: ScriptedServer;
  call: (tool: string, more?: Partial<McpToolCall>) => Promise<ToolOutcome>;
  manager: McpClientManager;
}> {
  const server = await openScriptedServer(tools, {
    json: json ?? false,
    ...(definitions ? { definitions } : {}),
    ...(pageSize ? { pageSize } : {}),
  });
  const manager = openManager({ own: httpEntry(server.url) }, options);
  const call = (tool: string, more: Partial<McpToolCall> = {}) =>
    manager.callTool({ target: { server: 'own' }, tool, arguments: {}, ...more });
  return { server, call, manager };
}

/** The interruption that a call ends with. */
export async function catchInterruption(promise: Promise<unknown>): Promise<ToolInterruptedError> {
  const error = await promise.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolInterruptedError);
  return error as ToolInterruptedError;
}

/** Waits until a condition is true. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Returns an open connection to an address of this machine. Its sockets are closed after the test. */
export function openLoopbackConnection(parts: ConnectionParts): OpenConnection {
  const fetch = createLoopbackFetch();
  cleanups.push(() => fetch.close());
  return openConnectionTo(fetch, parts);
}

/** A folder that is removed after the test. */
export async function openTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mcp-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the child processes of this process whose command line contains a text. */
export async function listChildProcesses(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map(async (id) => {
      const [status, line] = await Promise.all([
        readFile(`/proc/${id}/status`, 'utf8').catch(() => ''),
        readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
      ]);
      return status.includes(`PPid:\t${process.pid}\n`) && line.includes(text) ? id : null;
    }),
  );
  return lines.filter((id) => id !== null);
}
