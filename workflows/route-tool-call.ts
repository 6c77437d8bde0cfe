import type { ToolType } from '../src/domain/tool.ts';
import type {
  ExecuteToolCallInput,
  ExecuteToolCallResult,
  RoutableToolCall,
} from '../src/domain/turn-steps.ts';
import type { createTurnSteps } from './activities.ts';

interface ToolCallRun {
  steps: ReturnType<typeof createTurnSteps>;
  step: Omit<ExecuteToolCallInput, 'index' | 'timeoutMs'>;
  call: RoutableToolCall;
  timeLeftMs: number;
}

type ToolCallRunner = (run: ToolCallRun) => Promise<ExecuteToolCallResult>;

/** Which way each type of tool runs. A tool that the agent does not have goes to the ledger too, which says so. */
const routes: Record<ToolType, ToolCallRunner> = {
  mcp: runActivity,
  function: runActivity,
  knowledge_base: runActivity,
  workflow: runActivity,
  agent: runActivity,
};

/** Runs one tool call the way its type asks for. */
export function routeToolCall(run: ToolCallRun): Promise<ExecuteToolCallResult> {
  const route = run.call.type === null ? runActivity : routes[run.call.type];
  return route(run);
}

function runActivity({ steps, step, call, timeLeftMs }: ToolCallRun): Promise<ExecuteToolCallResult> {
  const { index, timeoutMs, summary } = call;
  return steps.executeToolCall({ summary, timeLeftMs, timeoutMs }, { ...step, index, timeoutMs });
}
