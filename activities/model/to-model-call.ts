import { createHash } from 'node:crypto';
import type { ModelCall } from '../../src/domain/model.ts';
import { fitModelSettings } from '../../src/domain/model-settings.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import { withheldNote } from '../../src/domain/model-context.ts';
import { toModelTool } from '../../src/domain/model-tool.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { CallModelInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import { toFirstChoice } from './model-choices.ts';
import type { TurnVersion } from './read-turn-version.ts';

interface ModelCallOptions
  extends TurnVersion, Pick<ModelCall, 'messages' | 'signal' | 'onTextDelta' | 'onProgress'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'quarantined'>;
  /** @default the first model of the agent */
  choice?: ModelChoice;
}

/** Builds the request to a model for one iteration of a turn, with the tools that the rules do not block. */
export function toModelCall({ input, step, version, allows, ...options }: ModelCallOptions): ModelCall {
  const { choice = toFirstChoice(version), ...call } = options;
  const withheld = input.tools === 'withheld';
  const tools = version.tools.filter((tool) => isUsable(tool, step) && allows(tool));
  const { instructions } = version;
  const { toolChoice = 'auto', ...settings } = fitModelSettings(choice.model, version.modelSettings);
  // A model that has to call a tool each time it is asked would never answer.
  const isAsked = toolChoice === 'none' || input.iteration === 1;
  return {
    ...settings,
    model: choice.model,
    ...toConnection(input, choice),
    instructions: withheld ? `${instructions}\n\n${withheldNote}` : instructions,
    tools: tools.map(toModelTool),
    toolChoice: withheld ? 'none' : isAsked ? toolChoice : 'auto',
    idempotencyKey: createHash('sha256').update(`${input.turnId}\n${input.iteration}`).digest('hex'),
    ...call,
  };
}

function isUsable(tool: Tool, { quarantined }: Pick<TurnStep, 'quarantined'>): boolean {
  return tool.settings?.enabled !== false && !quarantined.includes(tool.id);
}

function toConnection(
  { workspaceId }: CallModelInput,
  { connectionId }: ModelChoice,
): Pick<ModelCall, 'connection'> {
  return connectionId === null ? {} : { connection: { workspaceId, connectionId } };
}
