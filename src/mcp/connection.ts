import {
  Client,
  type FetchLike,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { HttpServer, McpServer, StdioServer } from './catalogue.ts';
import { createHttpTransport } from './http-transport.ts';

/** How connections to MCP servers are made. */
export interface ConnectionOptions {
  clientName: string;
  clientVersion: string;
  fetch: FetchLike;
  connectTimeoutMs: number;
  /** Gives up the connecting. */
  signal: AbortSignal;
  /** Of a message over HTTP; over stdio, where the whole connection ends with a message too long, ten times it. */
  maxMessageBytes: number;
}

/** A live connection to one MCP server. */
export interface McpConnection {
  client: Client;
  /** What made it unusable, if anything has: an error, or that it was closed. */
  brokenBy: () => Error | null;
  close: () => Promise<void>;
}

const maxLastWords = 2_000;

/** Servers of stdio that do not answer an unknown request are taken for old ones after this long. */
const stdioProbeTimeoutMs = 5_000;

/**
 * Results are not checked against the schema that their server declared: they reach the model as text, a call
 * that took effect must not fail over it, and a schema of a stranger can hold a regular expression that blocks.
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
  lastWords: () => string;
}

function openHttp(server: HttpServer, options: ConnectionOptions): OpenedTransport {
  const transport = createHttpTransport(server, options);
  return { transport, endSession: () => endSession(transport), lastWords: () => '' };
}

function openStdio(server: StdioServer, options: ConnectionOptions): OpenedTransport {
  const transport = createStdioTransport(server, options.maxMessageBytes * 10);
  return { transport, endSession: () => Promise.resolve(), lastWords: collectLastWords(transport) };
}

function createClient(kind: McpServer['kind'], options: ConnectionOptions): Client {
  const { clientName: name, clientVersion: version, connectTimeoutMs } = options;
  const timeoutMs = kind === 'stdio' ? Math.min(connectTimeoutMs, stdioProbeTimeoutMs) : connectTimeoutMs;
  return new Client(
    { name, version },
    { versionNegotiation: { mode: 'auto', probe: { timeoutMs } }, jsonSchemaValidator: acceptingValidator },
  );
}

/** Notes why a connection ended: its last error, and what the child process had to say. */
function trackEnd(client: Client, lastWords: () => string): { brokenBy: Error | null } {
  const state: { brokenBy: Error | null } = { brokenBy: null };
  let lastError: Error | null = null;
  client.onerror = (error) => {
    lastError = error;
  };
  client.onclose = () => {
    const words = lastWords();
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
    const words = opened.lastWords();
    throw words === '' ? error : new Error(`it said: ${words}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Connects to a server of the catalogue, in whichever revision of the protocol it speaks. */
export async function openMcpConnection(
  server: McpServer,
  options: ConnectionOptions,
): Promise<McpConnection> {
  const opened = server.kind === 'stdio' ? openStdio(server, options) : openHttp(server, options);
  const client = createClient(server.kind, options);
  const end = trackEnd(client, opened.lastWords);
  await connect(client, opened, options);
  return {
    client,
    brokenBy: () => end.brokenBy,
    async close() {
      end.brokenBy ??= new Error('it was closed here');
      await opened.endSession();
      await client.close();
    },
  };
}
