import {
  Client,
  type FetchLike,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  SdkError,
  SdkErrorCode,
  type StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { LRUCache } from 'lru-cache';
import type { Redact } from '../../domain/redact.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import { noteUse } from '../../platform/lib/meter.ts';
import type { HttpServer, McpServer, StdioServer } from './mcp-catalogue.ts';
import { takeElicitations, type OpenElicitations } from './elicitation.ts';
import { createHttpTransport } from './http-transport.ts';
import { makeAnswersReadable } from './readable-answers.ts';
import type { McpEndpoint } from './target.ts';

/** How sessions with MCP servers are opened. */
export interface SessionOptions {
  clientName: string;
  clientVersion: string;
  connectTimeoutMs: number;
  /** Aborts the connecting. */
  signal: AbortSignal;
  /** The limit of a message over HTTP. Over stdio, where a longer message ends the session, it is ten times this. */
  maxMessageBytes: number;
  startErrors: StartErrors;
}

/**
 * The ends of what servers wrote to their standard error when they did not start, by the keys of their endpoints: a
 * server that writes its reason once, and then waits without a word, has it shown each time.
 */
export type StartErrors = Pick<LRUCache<string, string>, 'get' | 'set' | 'delete'>;

/** An open session with one MCP server. */
export interface McpSession {
  client: Client;
  /** Redacts the credentials that this session was opened with; a later caller may have newer ones. */
  redact: Redact;
  /** Returns whether the server issued an id for the session, which it may then forget. */
  hasId: () => boolean;
  /** Returns the error that ended the session, or null while it is open. */
  brokenBy: () => Error | null;
  /** Returns false when the session has ended, or when several requests in a row were not answered in time. */
  isHealthy: () => boolean;
  /** Notes whether a request was answered in time. */
  noteAnswer: (answered: boolean) => void;
  /** Notes the tools of the server, for the headers that some calls must carry (SEP-2243). */
  noteTools: (tools: Tool[]) => void;
  /**
   * Returns the server's definition of a tool without its output schema. With that schema the client would fail a
   * call that took effect but whose result does not fit; `src/engines/tools` checks results instead.
   */
  findTool: (name: string) => Tool | undefined;
  /** Returns whether the server requires that calls of a tool run as tasks; null when its tools are not known. */
  needsTask: (name: string) => boolean | null;
  /** Returns a number that changes when the server says that its tools have changed. */
  toolsRevision: () => number;
  /** The calls during which the server may ask people. */
  elicitations: OpenElicitations;
  close: () => Promise<void>;
}

const maxStderrCharacters = 2_000;

/** More than is shown, so that a secret is still whole when the text is redacted. */
const keptStderrCharacters = 32_000;

/** After this many unanswered requests in a row a session is no longer healthy. */
const maxSilences = 2;

/** A stdio server that does not answer the version probe within this time is treated as one of an old revision. */
const stdioProbeTimeoutMs = 5_000;

/** The most pages of a list of tools that are read. */
const listMaxPages = 200;

/**
 * Accepts every result. A call that took effect must not fail because its result does not fit the schema, and a
 * server's schema can hold a regular expression that blocks the event loop. `src/engines/tools` checks results.
 */
const acceptingValidator: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
  },
};

function createStdioTransport(server: StdioServer, maxBufferSize: number): StdioClientTransport {
  noteUse('connectionsOpened');
  const { command, args, env, cwd } = server;
  return new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe', maxBufferSize });
}

/** Reads the standard error of a child, which blocks when its pipe is full, and returns the end of it, redacted. */
function collectStderrTail(transport: StdioClientTransport, redact: Redact): () => string {
  let tail = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-keptStderrCharacters);
  });
  return () => redact(tail).slice(-maxStderrCharacters).trim();
}

/** Ends the session at the server, and waits at most a second for the response. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, 1_000).unref();
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), timeout]);
}

interface OpenedTransport {
  transport: Transport;
  endSession: () => Promise<void>;
  stderrTail: () => string;
  onConnected: () => void;
}

function openHttp(server: HttpServer, fetch: FetchLike, options: SessionOptions): OpenedTransport {
  const transport = createHttpTransport(server, { fetch, maxMessageBytes: options.maxMessageBytes });
  const onConnected = () => transport.watchAnswers();
  return { transport, endSession: () => endSession(transport), stderrTail: () => '', onConnected };
}

function openStdio(server: StdioServer, redact: Redact, options: SessionOptions): OpenedTransport {
  const transport = createStdioTransport(server, options.maxMessageBytes * 10);
  const stderrTail = collectStderrTail(transport, redact);
  return { transport, endSession: () => Promise.resolve(), stderrTail, onConnected: () => undefined };
}

interface ClientParts extends SessionOptions {
  kind: McpServer['kind'];
  onToolsChanged: () => void;
  elicitations: OpenElicitations;
}

const toolsChanged = 'notifications/tools/list_changed';

/**
 * Subscribes to changes of the tools where the revision has subscriptions, and does not wait for the server: some never
 * acknowledge a subscription, and lists are read again after a while anyway.
 */
function subscribeToTools(client: Client, timeout: number): void {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  // Rejects for servers of older revisions, which send the notification unasked.
  client.listen({ toolsListChanged: true }, { timeout }).catch(() => undefined);
}

function createClient({
  kind,
  onToolsChanged,
  elicitations,
  connectTimeoutMs,
  ...options
}: ClientParts): Client {
  const { clientName: name, clientVersion: version } = options;
  const timeoutMs = kind === 'stdio' ? Math.min(connectTimeoutMs, stdioProbeTimeoutMs) : connectTimeoutMs;
  const client = new Client(
    { name, version },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      capabilities: { elicitation: { form: {}, url: {} } },
      jsonSchemaValidator: acceptingValidator,
      listMaxPages,
    },
  );
  // Not by the option `listChanged`, with which connecting waits until the server acknowledges a subscription.
  client.setNotificationHandler(toolsChanged, onToolsChanged);
  takeElicitations(client, elicitations);
  return client;
}

/** Notes why a session ended: its last error, or the end of the child's standard error. */
function trackEnd(client: Client, stderrTail: () => string): { brokenBy: Error | null } {
  const state: { brokenBy: Error | null } = { brokenBy: null };
  let lastError: Error | null = null;
  client.onerror = (error) => {
    lastError = error;
  };
  client.onclose = () => {
    const tail = stderrTail();
    state.brokenBy ??= lastError ?? new Error(tail === '' ? 'it was closed' : `it was closed after: ${tail}`);
  };
  return state;
}

/** Translates the error of a server that was started, or connected to, and did not answer as one. */
function toStartError(error: unknown, { endpoint, opened, options }: Connecting) {
  const { startErrors, connectTimeoutMs } = options;
  const stderrTail = opened.stderrTail();
  const isSilent = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  const silence = `it did not answer within ${connectTimeoutMs} ms`;
  if (stderrTail !== '') startErrors.set(endpoint.key, stderrTail);
  const said = stderrTail || startErrors.get(endpoint.key);
  if (said === undefined) return isSilent ? new Error(silence, { cause: error }) : error;
  const reason = `${isSilent ? `${silence}; ` : ''}${stderrTail === '' ? 'at an earlier start ' : ''}it said: ${said}`;
  const message = `The MCP server "${endpoint.label}" cannot be started: ${reason}`;
  return new ToolInterruptedError('TOOL_UNREACHABLE', message, { sent: false, cause: error });
}

interface Connecting {
  endpoint: McpEndpoint;
  opened: OpenedTransport;
  options: SessionOptions;
}

async function connect(client: Client, { endpoint, opened, options }: Connecting): Promise<void> {
  const { connectTimeoutMs: timeout, signal } = options;
  const closeTransport = () => void opened.transport.close();
  signal.addEventListener('abort', closeTransport, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(opened.transport, { timeout, maxTotalTimeout: timeout, signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    throw toStartError(error, { endpoint, opened, options });
  } finally {
    signal.removeEventListener('abort', closeTransport);
  }
}

/** Holds the changing state of a session: unanswered requests, and the server's tools. */
function createSessionState() {
  let silences = 0;
  let revision = 0;
  let tools: ReadonlyMap<string, Tool> = new Map();
  return {
    noteTools: (listed: Tool[]) => void (tools = new Map(listed.map((tool) => [tool.name, tool]))),
    findTool: (name: string): Tool | undefined => {
      const tool = tools.get(name);
      return tool && { name, inputSchema: tool.inputSchema };
    },
    needsTask: (name: string): boolean | null => {
      const tool = tools.get(name);
      return tool ? tool.execution?.taskSupport === 'required' : null;
    },
    isSilent: () => silences >= maxSilences,
    noteAnswer: (answered: boolean) => void (silences = answered ? 0 : silences + 1),
    toolsRevision: () => revision,
    onToolsChanged: () => void (revision += 1),
  };
}

/** Connects to a server, in whichever revision of the protocol it speaks. */
export async function openMcpSession(endpoint: McpEndpoint, options: SessionOptions): Promise<McpSession> {
  const { server, fetch, redact } = endpoint;
  const opened =
    server.kind === 'stdio' ? openStdio(server, redact, options) : openHttp(server, fetch, options);
  const { isSilent, onToolsChanged, ...state } = createSessionState();
  const elicitations: OpenElicitations = new Set();
  const client = createClient({ ...options, kind: server.kind, onToolsChanged, elicitations });
  const end = trackEnd(client, opened.stderrTail);
  await connect(client, { endpoint, opened, options });
  options.startErrors.delete(endpoint.key);
  opened.onConnected();
  makeAnswersReadable(opened.transport, { isModern: client.getProtocolEra() === 'modern' });
  subscribeToTools(client, options.connectTimeoutMs);
  return {
    client,
    redact,
    hasId: () => opened.transport.sessionId !== undefined,
    brokenBy: () => end.brokenBy,
    isHealthy: () => end.brokenBy === null && !isSilent(),
    elicitations,
    ...state,
    async close() {
      end.brokenBy ??= new Error('it was closed here');
      await opened.endSession();
      await client.close();
    },
  };
}
