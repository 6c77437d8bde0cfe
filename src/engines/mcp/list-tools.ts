import { redactJson, type Redact } from '../../domain/redact.ts';
import type { LeftOutTool, ToolDefinition } from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import {
  defaultCallTimeoutMs,
  isForgottenSession,
  toCallFailure,
  toConnectFailure,
  toConnectTimeout,
  toOpenCircuit,
} from './call-errors.ts';
import { isTransportFailure, type CircuitBreaker } from './circuit-breaker.ts';
import type { McpSession, StartErrors } from './mcp-session.ts';
import type { SessionPool, Lease } from './session-pool.ts';
import { runRequest } from './pending-request.ts';
import { bothRedact, redactError } from './redact-result.ts';
import type { McpEndpoint, McpTarget } from './target.ts';
import { toToolListing, type ToolListing } from './to-tool-definition.ts';

/** A tool as its MCP server describes it. */
export type ListedTool = ToolDefinition;

/** How long to wait for a list of tools, and how old a remembered list may be. */
export interface ListToolsOptions {
  signal?: AbortSignal;
  /** Limit for connecting and all pages. @default 25 000 */
  timeoutMs?: number;
  /**
   * A list that was read over the same session is returned again for this long, unless the server has said since
   * that its tools changed. @default 0, which always asks the server
   */
  maxAgeMs?: number;
  /** Receives the tools of the list that cannot be used; called once, and before the list is returned. */
  onLeftOut?: (leftOut: LeftOutTool[]) => void;
}

/** Lists the tools of one server. */
export type ListTools = (target: McpTarget, options?: ListToolsOptions) => Promise<ListedTool[]>;

interface ToolListerOptions {
  pool: SessionPool;
  breaker: CircuitBreaker;
  toEndpoint: (target: McpTarget) => McpEndpoint;
  /** The most bytes that all pages of a list together may have. */
  maxListBytes: number;
  startErrors: StartErrors;
}

interface Listing {
  endpoint: McpEndpoint;
  signal: AbortSignal;
  callerSignal: AbortSignal | undefined;
  timeoutMs: number;
}

interface RememberedList extends ToolListing {
  revision: number;
  readAt: number;
}

/** Throws an error that is not retried: the server answered, and refused to list its tools. */
function throwRefusal(message = 'The MCP server gave no list of tools.'): never {
  throw new HoldfastError('TOOL_UNREACHABLE', message, { retryable: false });
}

/** Throws the failure of a list: as TOOL_UNREACHABLE, except a timeout, a full pool and a refused address. */
function throwUnreachable(toFailure: () => ToolResult): never {
  let refusal: ToolResult;
  try {
    refusal = toFailure();
  } catch (error) {
    if (!(error instanceof ToolInterruptedError) || error.code === 'EGRESS_REFUSED') throw error;
    if (!error.retryable && error.code !== 'TOOL_TIMED_OUT') return throwRefusal(error.message);
    const isBusy = error.code === 'TOOL_UNAVAILABLE' && !error.sent;
    const code = isBusy || error.code === 'TOOL_TIMED_OUT' ? error.code : 'TOOL_UNREACHABLE';
    const { message, details, cause } = error;
    throw new ToolInterruptedError(code, message, {
      sent: false,
      cause,
      ...(details === undefined ? {} : { details }),
    });
  }
  return throwRefusal(refusal.status === 'failed' ? refusal.error.message : undefined);
}

/** Remembers the last list of each open session. */
function createListMemory(pool: SessionPool) {
  const remembered = new WeakMap<McpSession, RememberedList>();
  return {
    recall: (endpoint: McpEndpoint, maxAgeMs: number): ToolListing | null => {
      const session = pool.find(endpoint);
      const list = session && remembered.get(session);
      if (!list || list.revision !== session.toolsRevision()) return null;
      return Date.now() - list.readAt < maxAgeMs ? list : null;
    },
    remember: (session: McpSession, list: Omit<RememberedList, 'readAt'>) =>
      void remembered.set(session, { ...list, readAt: Date.now() }),
  };
}

type ListMemory = ReturnType<typeof createListMemory>;

function createListReader({
  pool,
  maxListBytes,
  startErrors,
  remember,
}: ToolListerOptions & Pick<ListMemory, 'remember'>) {
  const read = async (session: McpSession, listing: Listing): Promise<ToolListing> => {
    const { endpoint, callerSignal, timeoutMs, signal } = listing;
    const revision = session.toolsRevision();
    const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, cacheMode: 'refresh' } as const;
    const { tools } = await runRequest({ signal, maxBytes: maxListBytes }, (pending) =>
      session.client.listTools(undefined, { signal: pending.signal, ...limits }),
    ).catch((error: unknown) => {
      callerSignal?.throwIfAborted();
      if (signal.aborted) {
        const message = `The MCP server "${endpoint.label}" did not list its tools within ${timeoutMs} ms.`;
        throw new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: false, cause: error });
      }
      throw error;
    });
    session.noteTools(tools);
    const redact = bothRedact(endpoint, session);
    const list = redactListing(toToolListing(tools), redact);
    remember(session, { ...list, revision });
    return list;
  };

  const readOver = async ({ session, release }: Lease, listing: Listing) => {
    const { endpoint, timeoutMs, callerSignal } = listing;
    try {
      return await read(session, listing);
    } catch (error) {
      callerSignal?.throwIfAborted();
      if (isForgottenSession(error, { hasId: session.hasId() })) {
        pool.retire(endpoint, session);
        return 'forgotten';
      }
      const brokenBy = session.brokenBy();
      const redact = bothRedact(endpoint, session);
      const failure = { server: endpoint.label, timeoutMs, error, brokenBy, redact };
      return throwUnreachable(() => toCallFailure(failure));
    } finally {
      release();
    }
  };

  return async (listing: Listing): Promise<ToolListing | 'forgotten'> => {
    let lease: Lease;
    try {
      lease = await pool.lend(listing.endpoint, listing.signal);
    } catch (error) {
      listing.callerSignal?.throwIfAborted();
      const { endpoint, timeoutMs, signal } = listing;
      const { label, key, redact } = endpoint;
      if (signal.aborted)
        throw toConnectTimeout({ label, timeoutMs, startError: startErrors.get(key), cause: error });
      return throwUnreachable(() => toConnectFailure(label, error, redact));
    }
    return readOver(lease, listing);
  };
}

function redactListing({ tools, leftOut }: ToolListing, redact: Redact): ToolListing {
  return {
    tools: tools.map((tool) => redactJson({ ...tool }, redact) as unknown as ListedTool),
    leftOut: leftOut.map(({ name, reason }) => ({ name: redact(name), reason: redact(reason) })),
  };
}

/** Creates the function that lists the tools of a server. */
export function createToolLister(options: ToolListerOptions): ListTools {
  const { breaker, toEndpoint } = options;
  const { recall, remember } = createListMemory(options.pool);
  const readList = createListReader({ ...options, remember });

  /** Reads once more when the server has forgotten the session. */
  const readTwice = async (listing: Listing): Promise<ToolListing> => {
    const first = await readList(listing);
    const list = first === 'forgotten' ? await readList(listing) : first;
    if (list !== 'forgotten') return list;
    const message = `The MCP server "${listing.endpoint.label}" does not keep its sessions.`;
    throw new ToolInterruptedError('TOOL_UNREACHABLE', message, { sent: false });
  };

  const findList = async (target: McpTarget, options: ListToolsOptions): Promise<ToolListing> => {
    const { signal: callerSignal, timeoutMs = defaultCallTimeoutMs, maxAgeMs = 0 } = options;
    callerSignal?.throwIfAborted();
    const endpoint = toEndpoint(target);
    const known = recall(endpoint, maxAgeMs);
    if (known) return known;
    const refusedUntil = breaker.refusedUntil(endpoint.key);
    if (refusedUntil !== null) throw toOpenCircuit(endpoint.label, refusedUntil);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
    try {
      const list = await readTwice({ endpoint, signal, callerSignal, timeoutMs });
      breaker.noteSuccess(endpoint.key);
      return list;
    } catch (error) {
      if (error instanceof ToolInterruptedError && isTransportFailure(error))
        breaker.noteFailure(endpoint.key);
      throw redactError(error, endpoint.redact);
    }
  };

  return async (target, options = {}) => {
    const { tools, leftOut } = await findList(target, options);
    options.onLeftOut?.(leftOut);
    return tools;
  };
}
