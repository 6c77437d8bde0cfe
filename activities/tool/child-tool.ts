import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { ChildCallDependencies } from '../../src/engines/tools/children/child-call.ts';
import { cancelTurns } from '../../src/modules/turns/cancel-turn.ts';
import { findToolType } from '../../src/engines/tools/find-tool-type.ts';
import type { ChildToolType } from '../../src/engines/tools/tool-type.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { createSettleTurn } from '../turn/settle-turn.ts';

/** Collects the dependencies of the tool types that start a child workflow. */
export function createChildCallDependencies(dependencies: StepDependencies): ChildCallDependencies {
  return {
    ...dependencies,
    settleTurn: createSettleTurn(dependencies),
    stopTurn: (workspaceId, id) => cancelTurns(dependencies.turnDependencies, { workspaceId }, { id }),
  };
}

/**
 * Returns the type of a claimed call's tool, and the call together with the tool.
 * @throws HoldfastError `INTERNAL` for a call of a tool that starts no child
 */
export function getChildTool(call: ClaimedToolCall): {
  type: ChildToolType;
  call: ClaimedToolCall & { tool: Tool };
} {
  const { tool } = call;
  const type = tool ? findToolType(tool.type) : undefined;
  if (tool && type?.route === 'child') return { type, call: { ...call, tool } };
  throw new HoldfastError('INTERNAL', `The call of ${call.name} starts no workflow.`);
}
