import type { OpenConnection } from '../../domain/connection.ts';
import { HoldfastError, type ErrorCode } from '../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { RateLimiter } from '../../domain/rate-limiter.ts';
import { listMissingScopes } from '../../domain/scopes.ts';
import type { ResultFileStore, FailedResult, ToolResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import type { RequestInput } from './build-request.ts';
import type { WebSearchResult } from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { followPages, isPaged } from './follow-pages.ts';
import { loadFiles, storeAnswer, type OperationFiles } from './operation-files.ts';
import { checkInput } from './operation-tools.ts';
import { pollJob } from './poll-job.ts';
import type { FindProviderEntry, NamedOperation } from './provider-entry.ts';
import type { ProviderRegistry } from './registry.ts';
import { sendCall, toRequest, type OperationCall } from './send-call.ts';
import { startTime } from './send-request.ts';
import { toSuccess } from './vendor-result.ts';
import { verifyConnection, type Verdict } from './verify-connection.ts';

const defaultTimeoutMs = 30_000;

/** The limits of a run; the fields are those of a `ToolRun`. */
export interface ProviderRun {
  /** Limit of the whole run, waiting for a rate limit included. @default 30 000 */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Sent to vendors that accept an idempotency key. */
  idempotencyKey?: string;
  /** The turn that stored files belong to. */
  turnId?: string;
}

/** The parameters of `executeMCPTool`, in the order of the contract with front ends. */
type ProviderCall = [
  provider: string,
  toolName: string,
  toolArguments: JsonObject,
  connection: OpenConnection,
  run?: ProviderRun,
];

/** The results of a web search, or its failure. */
export type WebSearchAnswer = { status: 'succeeded'; results: WebSearchResult[] } | FailedResult;

/** Runs operations of the catalogue over connections. */
export interface ExecutionRouter {
  /**
   * Runs an operation by the name of its tool (`slack_sendMessage`) or its own. An answer of the vendor is a result,
   * also when it is an error.
   * @throws ToolInterruptedError when the outcome is unknown or a retry may help; the signal's reason when aborted
   */
  executeMCPTool: (...call: ProviderCall) => Promise<ToolResult>;
  /** Searches the web with the operation that the connection's provider has for it. @throws as `executeMCPTool` */
  searchWeb: (
    connection: OpenConnection,
    search: { query: string; count?: number },
    run?: ProviderRun,
  ) => Promise<WebSearchAnswer>;
  /** Tests a connection with a request to the vendor. @throws only the signal's reason when aborted */
  verifyConnection: (connection: OpenConnection, run?: ProviderRun) => Promise<Verdict>;
}

interface RouterOptions {
  registry: ProviderRegistry;
  /** Finds the providers that workspaces have imported. @default none */
  findImported?: FindProviderEntry;
  limiter: RateLimiter;
  /** Where files of requests and answers are. Without it, operations with files are refused. */
  resultFiles?: ResultFileStore;
  /** Fetches files that an answer points to, without credentials. Without it, such an answer is a failure. */
  fetchFile?: GuardedFetch;
}

interface Call {
  provider: Provider;
  found: NamedOperation;
  toolArguments: JsonObject;
  connection: OpenConnection;
  run: ProviderRun;
}

/** Creates the router of a catalogue. */
export function createExecutionRouter(options: RouterOptions): ExecutionRouter {
  const { registry, findImported } = options;
  const find = async (name: string, { workspaceId }: OpenConnection) =>
    (await registry.findEntry(name)) ?? (await findImported?.({ workspaceId, name }));
  return {
    executeMCPTool: async (...[name, toolName, toolArguments, connection, run = {}]) => {
      const entry = await find(name, connection);
      if (!entry) return failed('TOOL_MISCONFIGURED', `There is no provider "${name}".`);
      const { provider } = entry;
      const found = entry.findOperation(toolName);
      if (!found) return unknownOperation(provider, toolName);
      return runCall(options, { provider, found, toolArguments, connection, run });
    },
    searchWeb: async (connection, search, run = {}) => {
      const { name, provider: providerName } = connection.connection;
      const entry = await registry.findEntry(providerName);
      const found = entry?.findOperationFor('web_search');
      if (!entry || !found)
        return failed('TOOL_NOT_CONFIGURED', `The connection ${name} is not one to a web search.`);
      const { provider } = entry;
      const toolArguments = { ...search };
      return runSearch(options, { provider, found, toolArguments, connection, run });
    },
    verifyConnection: async (connection, { timeoutMs = defaultTimeoutMs, signal } = {}) => {
      const entry = await find(connection.connection.provider, connection);
      if (!entry) return { ok: false, message: 'There is no such provider.' };
      return verifyConnection(entry.provider, connection, startTime(timeoutMs, signal));
    },
  };
}

function failed(code: ErrorCode, message: string, details?: JsonValue): FailedResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}

function unknownOperation({ title, operations }: Provider, toolName: string): FailedResult {
  const known = Object.keys(operations).join(', ');
  return failed('UNKNOWN_TOOL', `${title} has no operation "${toolName}". It has: ${known}.`);
}

/** Checks the arguments, finds missing scopes, and loads files before anything is sent. */
async function prepare(
  { limiter, resultFiles, fetchFile }: RouterOptions,
  { provider, found, toolArguments, connection, run }: Call,
): Promise<Prepared | FailedResult> {
  run.signal?.throwIfAborted();
  const { operation } = found;
  const checked = await checkInput(operation, toolArguments);
  if (!checked.ok) {
    const message = `The arguments of ${found.name} are not what ${provider.title} takes. Correct them and call it again.`;
    return failed('INVALID_TOOL_ARGUMENTS', message, checked.fields);
  }
  const missing = listMissingScopes(operation.scopes, connection.scopes);
  if (missing.length > 0) return missingScopes(provider, found, { missing, connection });
  const { workspaceId } = connection;
  const place = resultFiles && { resultFiles, workspaceId, turnId: run.turnId };
  if (!place && (operation.files !== undefined || operation.answer === 'file'))
    return failed('TOOL_NOT_CONFIGURED', `${found.name} needs a store for files.`);
  const input = place ? await loadFiles(operation, checked.input, place) : checked.input;
  const time = startTime(run.timeoutMs ?? defaultTimeoutMs, run.signal);
  const { idempotencyKey } = run;
  const call = { provider, found, connection, limiter, time, idempotencyKey, fetchFile };
  return { status: 'prepared', input, place, call };
}

interface Prepared {
  status: 'prepared';
  input: RequestInput;
  place: OperationFiles | undefined;
  call: OperationCall;
}

function missingScopes(
  { title }: Provider,
  { name }: NamedOperation,
  { missing, connection }: { missing: string[]; connection: OpenConnection },
): FailedResult {
  const [noun, them] = missing.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  const message =
    `${title}: ${name} needs the ${noun} ${missing.join(', ')}, and the connection ${connection.connection.name} does ` +
    `not have ${them}. Nothing was sent. Authorize the connection again with ${them}.`;
  return failed('CONNECTION_SCOPE_MISSING', message, { missing });
}

/** Sends a call and returns its result. */
async function runCall(options: RouterOptions, call: Call): Promise<ToolResult> {
  try {
    const prepared = await prepare(options, call);
    if (prepared.status === 'failed') return prepared;
    return await runPrepared(prepared);
  } catch (error) {
    return toFailure(error);
  }
}

async function runPrepared({ call, input, place }: Prepared): Promise<ToolResult> {
  const { provider, found, connection } = call;
  const { operation } = found;
  if (isPaged(operation)) return followPages(call, operation.paging, input);
  const outcome = await sendCall(call, toRequest(call, input));
  if (outcome.status === 'failed') return outcome;
  const { answer } = outcome;
  if (operation.poll) return pollJob(call, { poll: operation.poll, input, started: answer });
  if (operation.answer === 'file' && place) return storeAnswer(provider, answer, place);
  return toSuccess(operation, answer, connection.redact);
}

/** Sends a call of a search and returns its results. */
async function runSearch(options: RouterOptions, call: Call): Promise<WebSearchAnswer> {
  try {
    const prepared = await prepare(options, call);
    if (prepared.status === 'failed') return prepared;
    const outcome = await sendCall(prepared.call, toRequest(prepared.call, prepared.input));
    if (outcome.status === 'failed') return outcome;
    return { status: 'succeeded', results: call.found.operation.toResults?.(outcome.answer.body) ?? [] };
  } catch (error) {
    return toFailure(error);
  }
}

/**
 * Translates an error from before the request was sent: a failed result, which the model gets.
 * @throws ToolInterruptedError when a retry may help
 */
function toFailure(error: unknown): FailedResult {
  if (!(error instanceof HoldfastError) || error instanceof ToolInterruptedError) throw error;
  if (!error.retryable) return { status: 'failed', error: error.toInfo() };
  const { code, message, retryAfterMs } = error;
  throw new ToolInterruptedError(code, message, {
    sent: false,
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
