import { createHash } from 'node:crypto';
import type { AgentVersion } from '../../src/domain/agent.ts';
import { isRequestCall } from '../../src/domain/routine-call.ts';
import { createRoutineError, RoutineError, toProblemJson } from '../../src/domain/routine-error.ts';
import { defaultLimits } from '../../src/domain/limits.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { ReadOpenApi } from '../../src/engines/tools/openapi/read-document.ts';
import type { RoutineCallInput, RoutineSteps } from '../../src/modules/routines/routine-contract.ts';
import type { RoutinePort } from '../step-dependencies.ts';
import { toolMaximumAttempts } from '../../src/contract/retry-limits.ts';
import { startsChild } from '../model/call-model-result.ts';
import { runStep } from '../run-step.ts';
import { authorizeConnections } from '../../src/modules/routines/calls/authorize-connections.ts';
import { findStepDeadline } from '../../src/platform/activity/step-deadline.ts';
import { runToolCall } from '../tool/tool-call.ts';
import { toResolvedCall, toToolCallKey } from '../tool/new-tool-call.ts';
import { readCallEnd, toCallEnd } from '../../src/modules/routines/calls/read-routine-call.ts';
import { mayCall, rememberActors, type VersionedActor } from './run-actor.ts';
import {
  toRequestTool,
  toRoutineTool,
  type RoutineTool,
} from '../../src/modules/routines/calls/to-routine-tool.ts';

/** The dependencies of the activity that calls the tools of a routine. */
export interface RoutineToolDependencies extends RoutinePort {
  readOpenApi: ReadOpenApi;
}

/** How the log and errors call what a step does. */
const what = 'a routine was calling a tool';

/**
 * Makes a call of a routine under the ledger, the rules, the approvals and the audit of its agent. A call that is recorded
 * continues from there, so that an attempt after a crash sends nothing twice.
 */
export function createCallRoutineTool(
  dependencies: RoutineToolDependencies,
): RoutineSteps['callRoutineTool'] {
  const { pipelined, wakeups } = dependencies;
  const getActor = rememberActors(dependencies);
  return (input) => {
    const step = { workspaceId: input.workspaceId, turnId: input.runId, iteration: input.step };
    // One claim for this attempt, however often it asks the database.
    const claimId = newId();
    return runStep(
      { ...step, ...findStepDeadline() },
      { pipelined, wakeups, what, maximumAttempts: toolMaximumAttempts },
      async ({ deadlineAt }, run) => {
        const actor = await getActor(input);
        const { version } = actor;
        const prepared = await prepare(dependencies, { input, actor, claimId, signal: run.signal });
        if (prepared.problem) return { problem: prepared.problem };
        const { tool, claimed } = prepared;
        const limitMs = version.limits.activityTimeoutMs ?? defaultLimits.activityTimeoutMs;
        const timeoutMs = input.timeoutMs ?? tool.tool?.settings?.timeoutMs ?? limitMs;
        if (!claimed) return { child: toChild(dependencies, tool, timeoutMs), timeoutMs };
        const place = { ...step, conversationId: input.conversationId, index: 0, deadlineAt, timeoutMs };
        const { result, stored } = await runToolCall(dependencies, { input: place, run, claimed });
        if (result.actionId !== undefined) return { actionId: result.actionId };
        if (!stored) return readCallEnd(dependencies, input);
        return toCallEnd(input, { ...stored.end, arguments: claimed.arguments });
      },
    );
  };
}

interface CallToPrepare {
  input: RoutineCallInput;
  actor: VersionedActor;
  claimId: string;
  signal: AbortSignal;
}

/** Records a call, and claims it unless its tool starts another workflow, which claims it then. */
async function prepare(
  dependencies: RoutineToolDependencies,
  { input, actor, claimId, signal }: CallToPrepare,
) {
  const { pipelined, notifier } = dependencies;
  const { workspaceId, runId: turnId, step } = input;
  const { version } = actor;
  try {
    // The ledger has the request that an earlier attempt made from the OpenAPI document, which may have changed since.
    const recorded = input.call === 'openapi' && (await findCall(dependencies, input));
    if (isRequestCall(input.call))
      await authorizeConnections({ pipelined, database: dependencies.turnDependencies.database }, input);
    const { readOpenApi } = dependencies;
    const tool = recorded
      ? toRequestTool({}, version.tools)
      : await toRoutineTool(input, {
          ...{ version, readOpenApi, signal },
          mayCall: (asked) => mayCall(dependencies, input, { actor, asked }),
        });
    if (tool.tool) await dependencies.tools.loadEffects(workspaceId, [tool.tool]);
    const call = toNewCall(dependencies, { input, version, tool });
    const claims = !startsChild(tool.tool);
    const [isRunning, claimed] = await pipelined(workspaceId, ({ routineCalls, toolCalls }) =>
      Promise.all([
        routineCalls.recordCall({ turnId, step, call }),
        claims ? toolCalls.claim({ turnId, iteration: step, index: 0 }, claimId) : null,
      ]),
    );
    if (!isRunning || (claims && !claimed)) throw await toRefusal(dependencies, input);
    if (claimed) notifier.events(input.conversationId);
    return { tool, claimed };
  } catch (error) {
    if (error instanceof RoutineError) return { problem: toProblemJson(error.problem) };
    throw error;
  }
}

/** Says why a run makes no call any more: it is over, or has spent what it may. */
async function toRefusal({ pipelined }: RoutineToolDependencies, { workspaceId, runId }: RoutineCallInput) {
  const credits = await pipelined(workspaceId, ({ routineCalls }) => routineCalls.findSpent(runId));
  if (credits === null) return createRoutineError('runtime', 'the run is over');
  const detail = `the run has cost the ${credits} credits that a run of this workspace may`;
  return createRoutineError('authorization', detail, { title: 'ROUTINE_LIMIT_REACHED' });
}

function findCall({ pipelined }: RoutineToolDependencies, { workspaceId, runId, step }: RoutineCallInput) {
  return pipelined(workspaceId, ({ routineCalls }) => routineCalls.findCall(runId, step));
}

function toChild(
  { tools }: RoutineToolDependencies,
  { tool, arguments: given }: RoutineTool,
  timeoutMs: number,
) {
  const name = tool?.name ?? '';
  const summary = tool ? tools.summarize({ tool, name, arguments: given }) : name;
  const argumentsPreview = toPreview(JSON.stringify(given), 500);
  const type = tool?.type ?? null;
  return { index: 0, name, type, startsChild: true as const, summary, argumentsPreview, timeoutMs };
}

interface CallParts {
  input: RoutineCallInput;
  version: AgentVersion;
  tool: RoutineTool;
}

function toNewCall(
  { tools }: RoutineToolDependencies,
  { input, version, tool: found }: CallParts,
): NewToolCall {
  const { tool, name, arguments: given } = found;
  return {
    ...toResolvedCall(tool, given, { version, tools }),
    id: newId(),
    index: 0,
    key: toToolCallKey({ workspaceId: input.workspaceId, turnId: input.runId, iteration: input.step }, 0),
    modelCallId: `step_${input.step}`,
    name,
    invalidArguments: null,
    argumentsHash: createHash('sha256').update(JSON.stringify(given)).digest('hex'),
    refusal: null,
  };
}
