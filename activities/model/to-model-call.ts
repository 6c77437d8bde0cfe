import type { ModelCall } from '../../src/domain/model.ts';
import { fitModelSettings } from '../../src/domain/model-settings.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import { withheldNote } from '../../src/domain/model-context.ts';
import { toModelTool } from '../../src/domain/model-tool.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { toModelCallKey } from '../../src/platform/lib/model-call-key.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { toConnection, toFirstChoice } from './model-choices.ts';
import type { TurnVersion } from './read-turn-version.ts';

interface ModelCallOptions
  extends Pick<TurnVersion, 'version'>, Pick<ModelCall, 'messages' | 'signal' | 'onTextDelta'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'responseSchema'> & Partial<Pick<TurnStep, 'steered'>>;
  /** The tools that the model is offered. */
  tools: Tool[];
  /** @default the first model of the agent */
  choice?: ModelChoice;
}

/** Builds the request to a model for one iteration of a turn. */
export function toModelCall({ input, step, version, tools, ...options }: ModelCallOptions): ModelCall {
  const { choice = toFirstChoice(version), messages, signal, onTextDelta } = options;
  const withheld = input.tools === 'withheld';
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
    idempotencyKey: toModelCallKey(input.turnId, input.iteration, step.steered),
    ...{ messages, signal, onTextDelta },
  };
}
