import {
  Client,
  type FetchLike,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Redact } from '../domain/redact.ts';
import type { HttpServer, McpServer, StdioServer } from './catalogue.ts';
import { createHttpTransport } from './http-transport.ts';
import type { McpEndpoint } from './target.ts';

/** How connections to MCP servers are made. */
export interface ConnectionOptions {
  clientName: string;
  clientVersion: string;
  connectTimeoutMs: number;
  /** Gives up the connecting. */
  signal: AbortSignal;
  /** Of a message over HTTP; over stdio, where the whole connection ends with a message too long, ten times it. */
  maxMessageBytes: number;
}

/** A live connection to one MCP server. */
export interface McpConnection {
  client: Client;
  /** Takes out what its own fetch has sent: credentials that were refreshed since, which a later caller does not know. */
  redact: Redact;
  /** What made it unusable, if anything has: an error, or that it was closed. */
  brokenBy: () => Error | null;
  /** False when it is broken, or has been silent so often in a row that a new one is the better bet. */
  isHealthy: () => boolean;
  /** Notes whether a request over it was answered in time. */
  noteAnswer: (answered: boolean) => void;
  /** Notes what the server says of its tools, for the headers that some calls must carry (SEP-2243). */
  noteTools: (tools: Tool[]) => void;
  /**
   * What the server said of a tool, without its output schema: the client would fail a call that took effect when
   * its result does not fit. The tools room checks results, and keeps them.
   */
  findTool: (name: string) => Tool | undefined;
  /** A number that changes when the server says that its tools have changed. */
  toolsRevision: () => number;
  close: () => Promise<void>;
}

const maxLastWords = 2_000;

/** So many requests in a row without an answer are taken for the end of a connection. */
const maxSilences = 2;

/** Servers of stdio that do not answer an unknown request are taken for old ones after this long. */
const stdioProbeTimeoutMs = 5_000;

/** The most pages that a list of tools is read over. */
const listMaxPages = 200;

/**
 * Results are not checked here against the schema that their server declared: a call that took effect must not fail
 * over it, and a schema of a stranger can hold a regular expression that blocks. The tools room checks them.
 */
const acceptingValidator: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
  },
};

function createStdioTransport(server: StdioServer, maxBufferSize: number): StdioClientTransport {
  const { command, args, env, cwd } = server;
  return new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe', maxBufferSize });
}

/** Reads the standard error of a child, which would block when its pipe is full, and keeps the end of it. */
function collectLastWords(transport: StdioClientTransport): () => string {
  let words = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-maxLastWords);
  });
  return () => words.trim();
}

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, 1_000).unref();
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), patience]);
}

interface OpenedTransport {
  transport: Transport;
  endSession: () => Promise<void>;
  stderrTail: () => string;
  onConnected: () => void;
}

function openHttp(server: HttpServer, fetch: FetchLike, options: ConnectionOptions): OpenedTransport {
  const transport = createHttpTransport(server, { fetch, maxMessageBytes: options.maxMessageBytes });
  const onConnected = () => transport.watchAnswers();
  return { transport, endSession: () => endSession(transport), stderrTail: () => '', onConnected };
}

function openStdio(server: StdioServer, options: ConnectionOptions): OpenedTransport {
  const transport = createStdioTransport(server, options.maxMessageBytes * 10);
  const stderrTail = collectLastWords(transport);
  return { transport, endSession: () => Promise.resolve(), stderrTail, onConnected: () => undefined };
}

interface ClientParts extends ConnectionOptions {
  kind: McpServer['kind'];
  onToolsChanged: () => void;
}

function createClient({ kind, onToolsChanged, connectTimeoutMs, ...options }: ClientParts): Client {
  const { clientName: name, clientVersion: version } = options;
  const timeoutMs = kind === 'stdio' ? Math.min(connectTimeoutMs, stdioProbeTimeoutMs) : connectTimeoutMs;
  return new Client(
    { name, version },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      jsonSchemaValidator: acceptingValidator,
      listMaxPages,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    },
  );
}

/** Notes why a connection ended: its last error, and what the child process had to say. */
function trackEnd(client: Client, stderrTail: () => string): { brokenBy: Error | null } {
  const state: { brokenBy: Error | null } = { brokenBy: null };
  let lastError: Error | null = null;
  client.onerror = (error) => {
    lastError = error;
  };
  client.onclose = () => {
    const words = stderrTail();
    state.brokenBy ??=
      lastError ?? new Error(words === '' ? 'it was closed' : `it was closed after: ${words}`);
  };
  return state;
}

async function connect(client: Client, opened: OpenedTransport, options: ConnectionOptions): Promise<void> {
  const { connectTimeoutMs: timeout, signal } = options;
  const giveUp = () => void opened.transport.close();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(opened.transport, { timeout, maxTotalTimeout: timeout, signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    const words = opened.stderrTail();
    throw words === '' ? error : new Error(`it said: ${words}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** What a connection has been told so far, of itself and of its server's tools. */
function createRecord() {
  let silences = 0;
  let revision = 0;
  let tools: ReadonlyMap<string, Tool> = new Map();
  return {
    noteTools: (listed: Tool[]) => void (tools = new Map(listed.map((tool) => [tool.name, tool]))),
    findTool: (name: string): Tool | undefined => {
      const tool = tools.get(name);
      return tool && { name, inputSchema: tool.inputSchema };
    },
    isSilent: () => silences >= maxSilences,
    noteAnswer: (answered: boolean) => void (silences = answered ? 0 : silences + 1),
    toolsRevision: () => revision,
    onToolsChanged: () => void (revision += 1),
  };
}

/** Connects to a server, in whichever revision of the protocol it speaks. */
export async function openMcpConnection(
  { server, fetch, redact }: McpEndpoint,
  options: ConnectionOptions,
): Promise<McpConnection> {
  const opened = server.kind === 'stdio' ? openStdio(server, options) : openHttp(server, fetch, options);
  const { isSilent, onToolsChanged, ...record } = createRecord();
  const client = createClient({ ...options, kind: server.kind, onToolsChanged });
  const end = trackEnd(client, opened.stderrTail);
  await connect(client, opened, options);
  opened.onConnected();
  return {
    client,
    redact,
    brokenBy: () => end.brokenBy,
    isHealthy: () => end.brokenBy === null && !isSilent(),
    ...record,
    async close() {
      end.brokenBy ??= new Error('it was closed here');
      await opened.endSession();
      await client.close();
    },
  };
}
