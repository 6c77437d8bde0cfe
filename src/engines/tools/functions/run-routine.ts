import { z } from 'zod';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { jsonValueSchema } from '../../../domain/json-value.ts';
import type { RoutineRunDetails } from '../../../domain/routine.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { failedResult } from '../failed-result.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import type { FunctionRun } from './tool-function.ts';

/** The calls that `run_routine` makes; all of them throw HoldfastError `NOT_FOUND` and `CONFLICT`. */
export interface RoutineToolService {
  /** Starts a run once for each key, and waits for its end for so long at most. */
  start: (run: {
    workspaceId: string;
    routineId: string;
    input: JsonValue;
    idempotencyKey: string;
    /** The turn of the call: a routine that names no agent acts as the agent of this turn. */
    callerTurnId: string;
    /** Whether the allowlist and the policies of that agent hold in the run too. */
    inheritsRules: boolean;
    waitMs: number;
    signal: AbortSignal;
  }) => Promise<RoutineRunDetails>;
  /** Of runs that act for the person of the turn, as `read`. */
  control: (run: {
    workspaceId: string;
    runId: string;
    callerTurnId: string;
    command: { name: 'pause' } | { name: 'resume' } | { name: 'stop'; mode: 'graceful' | 'now' };
  }) => Promise<RoutineRunDetails>;
  read: (run: { workspaceId: string; runId: string; callerTurnId: string }) => Promise<RoutineRunDetails>;
}

declare module '../tool-services.ts' {
  interface ToolServices {
    routines: RoutineToolService;
  }
}

/** The part of a step's time that is left for its answer, in milliseconds. */
const reserveMs = 3_000;

/** How many of the newest steps the answer names. */
const shownSteps = 20;

const input = z.strictObject({
  action: z.enum(['start', 'pause', 'resume', 'stop', 'status']),
  routineId: z.uuid().optional().describe('The routine to start'),
  runId: z.uuid().optional().describe('The run to pause, resume or stop, or whose status is wanted'),
  input: jsonValueSchema.optional().describe('The input of the routine'),
  wait: z.boolean().default(true).describe('Whether start waits for the end of a run that ends soon'),
  mode: z.enum(['graceful', 'now']).default('graceful').describe('How stop treats the steps that run'),
});

const schema: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['start', 'pause', 'resume', 'stop', 'status'] },
    routineId: { type: 'string', description: 'The routine to start' },
    runId: { type: 'string', description: 'The run to pause, resume or stop, or whose status is wanted' },
    input: { type: 'object', description: 'The input of the routine' },
    wait: {
      type: 'boolean',
      description: 'Whether start waits for the end of a run that ends soon; true by default',
    },
    mode: { type: 'string', enum: ['graceful', 'now'], description: 'How stop treats the steps that run' },
  },
  required: ['action'],
  additionalProperties: false,
};

async function run(asked: z.output<typeof input>, call: FunctionRun): Promise<ToolResult> {
  try {
    const found = await act(asked, call);
    return typeof found === 'string'
      ? failedResult('INVALID_TOOL_ARGUMENTS', found)
      : { status: 'succeeded', text: JSON.stringify(toAnswer(found)) };
  } catch (error) {
    if (error instanceof HoldfastError && !error.retryable)
      return { status: 'failed', error: error.toInfo() };
    throw error;
  }
}

/** Answers the run, or which argument is missing. */
function act(
  { action, routineId, runId, input: given, wait, mode }: z.output<typeof input>,
  { workspaceId, turnId: callerTurnId, idempotencyKey, timeoutMs, signal, services, tool }: FunctionRun,
): Promise<RoutineRunDetails> | string {
  const routines = getToolService(services, 'routines');
  if (action === 'start') {
    if (routineId === undefined) return 'start needs a routineId.';
    const waitMs = wait ? Math.max(0, timeoutMs - reserveMs) : 0;
    const inheritsRules = tool.config.inheritRules === true;
    const called = { workspaceId, idempotencyKey, callerTurnId, inheritsRules, waitMs, signal };
    return routines.start({ ...called, routineId, input: given ?? {} });
  }
  if (runId === undefined) return `${action} needs a runId.`;
  const called = { workspaceId, runId, callerTurnId };
  if (action === 'status') return routines.read(called);
  const command = action === 'stop' ? { name: action, mode } : { name: action };
  return routines.control({ ...called, command });
}

function toAnswer({ id, status, output, error, steps }: RoutineRunDetails): JsonObject {
  const isOver = !['running', 'paused'].includes(status);
  return {
    runId: id,
    status,
    ...(isOver ? { output, error } : { hint: 'Ask later with the action "status" and this runId.' }),
    steps: steps
      .slice(-shownSteps)
      .map(({ number, name, state, startedAt, endedAt, outputPreview, waitsFor }) => ({
        ...{ number, name, state, startedAt, endedAt, outputPreview, waitsFor },
      })),
  };
}

/** Starts routines and controls their runs. */
export const runRoutine = defineCoreFunction({
  name: 'run_routine',
  description:
    'Starts a routine, which is a stored procedure of many steps, and controls its runs: start, pause (after the running ' +
    'step), resume, stop, status. A run that takes long goes on; ask for its status later by its runId.',
  input,
  schema,
  effect: (given) => (given?.action === 'status' ? 'read_only' : 'keyed'),
  run,
});
