import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import getPort from 'get-port';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ElicitRequestParams,
  type ElicitResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../src/domain/json.ts';
import type { HttpServer, StdioServer } from '../../src/engines/mcp/mcp-catalogue.ts';
import { startStreamingServer } from './http-server.ts';

const require = createRequire(import.meta.url);

function entryOf(name: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), 'dist', 'index.js');
}

/** Returns a port on loopback that no program listens on. */
export function findFreePort(): Promise<number> {
  return getPort({ host: '127.0.0.1' });
}

/** A catalogue entry for a server over HTTP. */
export function httpEntry(url: string, headers: Record<string, string> = {}): HttpServer {
  return { kind: 'http', url, headers };
}

/** A catalogue entry for the reference filesystem server over stdio, limited to one folder. */
export function filesystemEntry(folder: string): StdioServer {
  const args = [entryOf('@modelcontextprotocol/server-filesystem'), folder];
  return { kind: 'stdio', command: process.execPath, args, env: {}, cwd: folder };
}

/** A catalogue entry for the reference everything server over stdio. */
export function everythingEntry(folder: string): StdioServer {
  const args = [entryOf('@modelcontextprotocol/server-everything'), 'stdio'];
  return { kind: 'stdio', command: process.execPath, args, env: {}, cwd: folder };
}

/** A catalogue entry for the reference memory server over stdio, which stores its memory in a file. */
export function memoryEntry(file: string): StdioServer {
  const args = [entryOf('@modelcontextprotocol/server-memory')];
  return {
    kind: 'stdio',
    command: process.execPath,
    args,
    env: { MEMORY_FILE_PATH: file },
    cwd: dirname(file),
  };
}

/** A server in a separate process that a test started. */
export interface StartedServer {
  url: string;
  /** Kills the process, as a crash would. */
  kill: () => Promise<void>;
}

async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const answered = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'DELETE' }).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Starts the reference everything server over Streamable HTTP in a separate process. */
export async function startEverything(): Promise<StartedServer> {
  const port = await findFreePort();
  const child = spawn(
    process.execPath,
    [entryOf('@modelcontextprotocol/server-everything'), 'streamableHttp'],
    {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: 'ignore',
    },
  );
  await waitForPort(child, port);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The input of a scripted tool. */
export interface ScriptedCall {
  arguments: Record<string, unknown>;
  idempotencyKey: string | undefined;
  /** Fires when the client cancelled the call. */
  signal: AbortSignal;
  reportProgress: (progress: number, total?: number, message?: string) => Promise<void>;
  /** Notifies the client, before the result, that the list of tools has changed. */
  announceTools: () => Promise<void>;
  /** Asks the user in the response to this call, and waits for the answer. */
  elicit: (params: ElicitRequestParams) => Promise<ElicitResult>;
  /** As `elicit`, on the stream that belongs to no call. */
  elicitAside: (params: ElicitRequestParams) => Promise<ElicitResult>;
}

export type ScriptedTool = (call: ScriptedCall) => CallToolResult | Promise<CallToolResult>;

/** An MCP server in this process whose tools a test writes. */
export interface ScriptedServer {
  url: string;
  /** The number of uses of each idempotency key, by `<tool> <key>`. */
  calls: Map<string, number>;
  /** The tools whose call was cancelled. */
  cancelled: string[];
  /** Sessions opened so far. */
  sessionsOpened: () => number;
  /** Sessions that are open now. */
  sessionsOpen: () => number;
  /** Sockets of clients that are open now. */
  sockets: () => Promise<number>;
  /** The headers of the last request. */
  lastHeaders: () => Record<string, string | string[] | undefined>;
  /** Forgets every session, as a restart would. */
  forgetSessions: () => void;
  /** Destroys every socket without an answer. */
  cutConnections: () => void;
  close: () => Promise<void>;
}

/** The options of a scripted server beside its tools. */
export interface ScriptedServerOptions {
  /** Answers with one JSON body each instead of a stream. */
  json?: boolean;
  /** The definitions of tools in the list, read for every list; schemas are JSON Schema. */
  definitions?: Record<
    string,
    {
      description?: string;
      inputSchema?: JsonObject;
      outputSchema?: JsonObject;
      annotations?: Tool['annotations'];
    }
  >;
  /** The number of tools on a page of the list. @default all of them */
  pageSize?: number;
}

/** Returns a tool result of one text. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A tool that never answers; it ends when its call is cancelled. */
export const hang: ScriptedTool = ({ signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(textResult('cancelled')), { once: true });
  });

const metaKey = 'holdfast/idempotencyKey';

type CallRecord = Pick<ScriptedServer, 'calls' | 'cancelled'>;

function listScripted(tools: Record<string, ScriptedTool>, options: ScriptedServerOptions, cursor = '0') {
  const names = Object.keys(tools);
  const start = Number(cursor);
  const end = start + (options.pageSize ?? names.length);
  const page = names.slice(start, end).map((name) => {
    const plain = { name, description: name, inputSchema: { type: 'object' } };
    return { ...plain, ...options.definitions?.[name] } as Tool;
  });
  return { tools: page, ...(end < names.length ? { nextCursor: String(end) } : {}) };
}

function createScripted(
  tools: Record<string, ScriptedTool>,
  options: ScriptedServerOptions,
  record: CallRecord,
) {
  const capabilities = { tools: { listChanged: true } };
  // The SDK's `registerTool` accepts only zod schemas.
  const { server } = new McpServer({ name: 'scripted', version: '1.0.0' }, { capabilities });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    listScripted(tools, options, params?.cursor),
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: input = {} } = params;
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Tool ${name} not found`);
    const key = params._meta?.[metaKey] as string | undefined;
    const counted = `${name} ${key ?? '-'}`;
    record.calls.set(counted, (record.calls.get(counted) ?? 0) + 1);
    extra.signal.addEventListener('abort', () => record.cancelled.push(name), { once: true });
    const progressToken = params._meta?.progressToken;
    return tool({
      arguments: input,
      idempotencyKey: key,
      signal: extra.signal,
      elicit: (asked) =>
        extra.sendRequest({ method: 'elicitation/create', params: asked }, ElicitResultSchema),
      elicitAside: (asked) => server.elicitInput(asked),
      announceTools: () => extra.sendNotification({ method: 'notifications/tools/list_changed' }),
      async reportProgress(progress, total, message) {
        if (progressToken === undefined) return;
        const optional = {
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        };
        const reported = { progressToken, progress, ...optional };
        await extra.sendNotification({ method: 'notifications/progress', params: reported });
      },
    });
  });
  return server;
}

/** Starts an MCP server over Streamable HTTP whose tools are the given functions. */
export async function startScriptedServer(
  tools: Record<string, ScriptedTool>,
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const record = { calls: new Map<string, number>(), cancelled: [] as string[] };
  let opened = 0;
  let lastHeaders: IncomingMessage['headers'] = {};

  const openSession = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.json ?? false,
      onsessioninitialized: (id) => {
        opened += 1;
        sessions.set(id, transport);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createScripted(tools, options, record).connect(transport);
    return transport;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    lastHeaders = request.headers;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && !known) {
      response.writeHead(404).end('Session not found');
      return;
    }
    await (known ?? (await openSession())).handleRequest(request, response);
  };

  const http = await startStreamingServer(handle);
  return {
    ...record,
    url: `${http.url}/mcp`,
    sessionsOpened: () => opened,
    sessionsOpen: () => sessions.size,
    sockets: http.sockets,
    lastHeaders: () => lastHeaders,
    forgetSessions: () => sessions.clear(),
    cutConnections: http.cutSockets,
    async close() {
      for (const session of sessions.values()) await session.close();
      await http.close();
    },
  };
}
