import type { StoredRoutineCall } from './routine-call-repository.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import {
  createRoutineError,
  toProblemJson,
  type RoutineError,
  type RoutineErrorType,
} from '../../../domain/routine-error.ts';
import type { ErrorCode, ErrorInfo } from '../../../domain/errors.ts';
import type { ToolCallStatus } from '../../../domain/turn.ts';
import type { ReadRoutineCallInput, RoutineCallEnd, RoutineSteps } from '../routine-contract.ts';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.ts';
import type { RoutineRepositories } from '../routine-activity-dependencies.ts';
import { runRoutineStep } from '../run-routine-step.ts';
import { toHttpEnd } from './to-http-end.ts';

/** The maximum number of characters of a result that a routine takes into its data. */
const mostCharacters = 200_000;

interface CallReader {
  pipelined: UnitOfWork<Pick<RoutineRepositories, 'routineCalls'>>;
}

/** Reads how a call of a routine has ended, from the ledger. */
export function createReadRoutineCall(dependencies: CallReader): RoutineSteps['readRoutineCall'] {
  return (input) => runRoutineStep(() => readCallEnd(dependencies, input));
}

/** Reads the end of a call as its output, or as the problem that it raises. */
export async function readCallEnd(
  { pipelined }: CallReader,
  input: ReadRoutineCallInput,
): Promise<RoutineCallEnd> {
  const { workspaceId, runId, step } = input;
  const stored = await pipelined(workspaceId, ({ routineCalls }) => routineCalls.findCall(runId, step));
  if (!stored) return problem(createRoutineError('runtime', 'the call is not recorded'));
  return toCallEnd(input, stored);
}

type CallEnd = Partial<Omit<StoredRoutineCall, 'result'>> & {
  status: ToolCallStatus;
  result?: string | null;
};

/** Returns the end of a call as its output, or as the problem that it raises. */
export function toCallEnd(
  input: Pick<ReadRoutineCallInput, 'call' | 'arguments'>,
  stored: CallEnd,
): RoutineCallEnd {
  if (stored.status !== 'succeeded') return problem(toCallError(stored));
  const text = stored.result ?? '';
  if (stored.resultTruncated === true || text.length > mostCharacters)
    return problem(
      createRoutineError('runtime', `the result is too large: a routine takes ${mostCharacters} characters`),
    );
  if (input.call !== 'http' && input.call !== 'openapi') return { output: toOutput(text) };
  return toHttpEnd(text, { ...input.arguments, request: stored.arguments ?? null });
}

/** A result that is JSON is data; any other is a text. */
function toOutput(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Returns an error as the end of a call. */
export function problem(error: RoutineError): { problem: JsonObject } {
  return { problem: toProblemJson(error.problem) };
}

const types: Partial<Record<ErrorCode, RoutineErrorType>> = {
  UNKNOWN_TOOL: 'configuration',
  UNKNOWN_MODEL: 'configuration',
  PRICE_UNKNOWN: 'configuration',
  BUDGET_EXCEEDED: 'authorization',
  TOOL_TYPE_NOT_AVAILABLE: 'configuration',
  TOOL_NOT_CONFIGURED: 'configuration',
  TOOL_MISCONFIGURED: 'configuration',
  INVALID_TOOL_ARGUMENTS: 'validation',
  TOOL_BLOCKED: 'authorization',
  TOOL_DISABLED: 'authorization',
  TOOL_QUARANTINED: 'authorization',
  APPROVAL_REJECTED: 'authorization',
  APPROVAL_MISMATCH: 'authorization',
  EGRESS_REFUSED: 'authorization',
  CONNECTION_ACCESS_DENIED: 'authorization',
  CONNECTION_NOT_ACTIVE: 'authentication',
  AUTHORIZATION_FAILED: 'authentication',
  TOOL_TIMED_OUT: 'timeout',
  APPROVAL_EXPIRED: 'timeout',
  ANSWER_EXPIRED: 'timeout',
  TURN_TIMED_OUT: 'timeout',
};

function toCallError({ status, error }: CallEnd): RoutineError {
  const info: ErrorInfo = error ?? { code: 'TOOL_FAILED', message: `the call is ${status}` };
  return createRoutineError(types[info.code] ?? 'communication', info.message, { title: info.code });
}
