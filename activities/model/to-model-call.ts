import { createHash } from 'node:crypto';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ModelCall } from '../../src/domain/model.ts';
import { withheldNote } from '../../src/domain/model-context.ts';
import { toModelTool } from '../../src/domain/model-tool.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { CallModelInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import type { TurnVersion } from './read-turn-version.ts';

interface ModelCallOptions
  extends TurnVersion, Pick<ModelCall, 'messages' | 'signal' | 'onTextDelta' | 'onProgress'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'quarantined'>;
}

/** Builds the request to a model for one iteration of a turn, with the tools that the rules do not block. */
export function toModelCall({ input, step, version, allows, ...call }: ModelCallOptions): ModelCall {
  const withheld = input.tools === 'withheld';
  const tools = version.tools.filter((tool) => isUsable(tool, step) && allows(tool));
  const { instructions } = version;
  return {
    model: version.model,
    ...toConnection(input, version),
    instructions: withheld ? `${instructions}\n\n${withheldNote}` : instructions,
    tools: tools.map(toModelTool),
    toolChoice: withheld ? 'none' : 'auto',
    idempotencyKey: createHash('sha256').update(`${input.turnId}\n${input.iteration}`).digest('hex'),
    ...call,
  };
}

function isUsable(tool: Tool, { quarantined }: Pick<TurnStep, 'quarantined'>): boolean {
  return tool.settings?.enabled !== false && !quarantined.includes(tool.id);
}

function toConnection({ workspaceId }: CallModelInput, version: AgentVersion): Pick<ModelCall, 'connection'> {
  const connectionId = version.modelConnectionId;
  return connectionId === null ? {} : { connection: { workspaceId, connectionId } };
}
