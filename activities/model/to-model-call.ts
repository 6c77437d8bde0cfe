import { createHash } from 'node:crypto';
import type { ModelCall } from '../../src/domain/model.ts';
import { fitModelSettings } from '../../src/domain/model-settings.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import { withheldNote } from '../../src/domain/model-context.ts';
import { toModelTool } from '../../src/domain/model-tool.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { CallModelInput } from '../../workflows/contract/turn-steps.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import { toConnection, toFirstChoice } from './model-choices.ts';
import type { TurnVersion } from './read-turn-version.ts';

interface ModelCallOptions
  extends TurnVersion, Pick<ModelCall, 'messages' | 'signal' | 'onTextDelta' | 'onProgress'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'quarantined' | 'responseSchema'>;
  /** @default the first model of the agent */
  choice?: ModelChoice;
}

/** Builds the request to a model for one iteration of a turn, with the tools that the rules do not block. */
export function toModelCall({ input, step, version, allows, ...options }: ModelCallOptions): ModelCall {
  const { choice = toFirstChoice(version), ...call } = options;
  const withheld = input.tools === 'withheld';
  const tools = listUsableTools({ version, allows }, step);
  const { instructions } = version;
  const { toolChoice = 'auto', ...settings } = fitModelSettings(choice.model, version.modelSettings);
  // A model that has to call a tool each time it is asked would never answer.
  const isAsked = toolChoice === 'none' || input.iteration === 1;
  return {
    ...settings,
    model: choice.model,
    ...toConnection(input, choice),
    instructions,
    ...(withheld && { note: withheldNote }),
    conversation: input.conversationId,
    tools: tools.map(toModelTool),
    ...(step.responseSchema && { responseSchema: step.responseSchema }),
    toolChoice: withheld ? 'none' : isAsked ? toolChoice : 'auto',
    idempotencyKey: createHash('sha256').update(`${input.turnId}\n${input.iteration}`).digest('hex'),
    ...call,
  };
}

/** Returns the tools that a model is offered: those that are switched on, unchanged since they were accepted, and allowed. */
export function listUsableTools(
  { version, allows }: TurnVersion,
  step: Pick<TurnStep, 'quarantined'>,
): Tool[] {
  return version.tools.filter((tool) => isUsable(tool, step) && allows(tool));
}

function isUsable(tool: Tool, { quarantined }: Pick<TurnStep, 'quarantined'>): boolean {
  return tool.settings?.enabled !== false && !quarantined.includes(tool.id);
}
