import type { ConnectionAccess } from '../../../domain/connection.ts';
import {
  whyLeftOut,
  type LeftOutTool,
  type ToolDefinition,
  type ToolPins,
} from '../../../domain/discovered-tool.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ResultFileStore, FailedResult, ToolOutcome, ToolRun } from '../../../domain/tool.ts';
import { ToolInterruptedError } from '../../../domain/tool-interrupted.ts';
import { defaultCallTimeoutMs } from '../../mcp/call-errors.ts';
import type { ListToolsOptions } from '../../mcp/list-tools.ts';
import type { McpClientManager } from '../../mcp/mcp-client-manager.ts';
import type { McpTarget } from '../../mcp/target.ts';
import type { ExecutionRouter } from '../../providers/execution-router.ts';
import type { FindProviderEntry } from '../../providers/provider-entry.ts';
import { schemaChecksOf } from '../json-schema/schema-checks.ts';
import { toCheckedOutput } from './checked-output.ts';
import { toCheckedDialogue, toCheckedQuestions } from './checked-questions.ts';
import { failedResult } from '../failed-result.ts';

/** Services that tools of type `mcp` need. */
export interface McpToolDependencies {
  mcp: Pick<McpClientManager, 'callTool' | 'listTools' | 'servers'>;
  connections: Pick<ConnectionAccess, 'open'>;
  /** Runs operations of the provider catalogue. */
  executeProviderTool: ExecutionRouter['executeMCPTool'];
  /** Finds the operations of a provider as tools. */
  findProviderEntry: FindProviderEntry;
  pins: ToolPins;
  resultFiles: ResultFileStore;
  /** The id of the connection of a workspace that has a name; null when there is none. */
  findConnectionByName: (workspaceId: string, name: string) => Promise<string | null>;
}

/** The greatest age of the list of a server's tools that a call is checked against, in milliseconds. */
const definitionsMaxAgeMs = 60_000;

/** One call of a tool of an MCP server on behalf of a run. */
export interface RemoteCall {
  run: ToolRun<'mcp'>;
  target: McpTarget;
  /** The name of the tool on its server. */
  tool: string;
  arguments: JsonObject;
  /** In epoch milliseconds. */
  deadline: number;
}

/**
 * When a call has to end, in epoch milliseconds. A timeout set by the operator is used in full. Otherwise the call ends
 * at most `defaultCallTimeoutMs` after it starts, before the activity times out.
 */
export function deadlineOf(run: ToolRun<'mcp'>): number {
  return Date.now() + callTimeOf(run);
}

function callTimeOf({ tool, timeoutMs }: ToolRun<'mcp'>): number {
  const hasOwnTime = tool.settings?.timeoutMs !== undefined;
  return hasOwnTime ? timeoutMs : Math.min(timeoutMs, defaultCallTimeoutMs);
}

/** The time from the end of storing files to the end of the step, in milliseconds. */
const restMs = 500;

/** The signal for storing the files of a result, which has to end before the step does. */
function toStoringSignal(run: ToolRun<'mcp'>, deadline: number): AbortSignal {
  const endOfStep = deadline + run.timeoutMs - callTimeOf(run);
  return AbortSignal.any([run.signal, AbortSignal.timeout(remainingMs(endOfStep - restMs))]);
}

function remainingMs(deadline: number): number {
  return Math.max(1, deadline - Date.now());
}

/**
 * Turns an error that a retry cannot mend, or `TOOL_UNAVAILABLE`, into a failed result with its code and message. Rethrows
 * errors that a retry may mend, interruptions and errors of other kinds.
 */
export async function orFailedResult<Result>(work: () => Promise<Result>): Promise<Result | FailedResult> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof HoldfastError && !(error instanceof ToolInterruptedError);
    if (!isRefusal || (error.retryable && error.code !== 'TOOL_UNAVAILABLE')) throw error;
    return failedResult(error.code, error.message, error.details);
  }
}

/** Lists the tools of a server, from a list that is less than a minute old if there is one. */
export function listDefinitions(
  mcp: McpToolDependencies['mcp'],
  { run, target, deadline }: Omit<RemoteCall, 'tool' | 'arguments'>,
  { maxAgeMs = definitionsMaxAgeMs, ...options }: Pick<ListToolsOptions, 'maxAgeMs' | 'onLeftOut'> = {},
): Promise<ToolDefinition[]> {
  const limits = { signal: run.signal, timeoutMs: remainingMs(deadline), maxAgeMs };
  return mcp.listTools(target, { ...limits, ...options });
}

/**
 * Finds the definition of one tool. The server is asked again before a tool counts as gone.
 * @throws HoldfastError TOOL_MISCONFIGURED for a definition that cannot be used
 */
export async function findDefinition(
  mcp: McpToolDependencies['mcp'],
  call: Omit<RemoteCall, 'arguments'>,
): Promise<ToolDefinition | undefined> {
  const isWanted = ({ name }: ToolDefinition) => name === call.tool;
  const known = (await listDefinitions(mcp, call)).find(isWanted);
  if (known) return known;
  let problem = '';
  const onLeftOut = (leftOut: LeftOutTool[]) => (problem = whyLeftOut(leftOut, call.tool));
  const found = (await listDefinitions(mcp, call, { maxAgeMs: 0, onLeftOut })).find(isWanted);
  if (found || problem === '') return found;
  throw new HoldfastError('TOOL_MISCONFIGURED', `The tool "${call.tool}" was not called${problem}.`);
}

function toReason(error: unknown): string | undefined {
  if (!(error instanceof HoldfastError)) return undefined;
  if (error.code === 'FILE_REFUSED') return error.message.replace(/^T/, 't');
  return error.code === 'SERVICE_UNAVAILABLE' ? 'it could not be scanned or stored' : undefined;
}

/** Calls a tool of an MCP server. Calls of tools by their own name and through the gateway all use this function. */
export async function callRemoteTool(
  { mcp, resultFiles }: Pick<McpToolDependencies, 'mcp' | 'resultFiles'>,
  call: RemoteCall,
  definition?: ToolDefinition,
): Promise<ToolOutcome> {
  const { run, target, tool, deadline } = call;
  const { workspaceId, turnId, dialogue } = run;
  const checks = schemaChecksOf(workspaceId);
  const outcome = await mcp.callTool({
    target,
    tool,
    arguments: call.arguments,
    idempotencyKey: run.idempotencyKey,
    timeoutMs: remainingMs(deadline),
    signal: run.signal,
    onProgress: run.onProgress,
    dialogue: dialogue && toCheckedDialogue(checks, dialogue),
    // The tool has taken effect: a file that cannot be stored, or not in time, must not turn that into a failure.
    keepBinary: (part) =>
      resultFiles
        .put({ ...part, workspaceId, turnId, signal: toStoringSignal(run, deadline) })
        .catch((error: unknown) => ({ id: null, reason: toReason(error) })),
  });
  const result = await toCheckedQuestions(checks, outcome);
  return toCheckedOutput(checks, result, definition?.outputSchema);
}
