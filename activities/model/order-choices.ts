import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { ModelInput } from '../../src/domain/known-models.ts';
import { listCallFiles, toNeededInput } from '../../src/domain/model-part.ts';
import type { ModelMessage } from '../../src/domain/model.ts';
import type { ModelChoice } from '../../src/domain/model-state.ts';
import { findTakenInputs } from '../../src/engines/models/plan-files.ts';

/** A model that did not answer, and the reason. */
export interface PassedModel {
  model: string;
  error: ErrorInfo;
}

/** Returns the kinds of files in messages that a model may take as they are, such as images. */
export function listNeededInputs(messages: readonly ModelMessage[]): ModelInput[] {
  const needed = listCallFiles(messages).flatMap(({ file }) => (file && toNeededInput(file)) ?? []);
  return [...new Set(needed)];
}

/** Models in the order in which they are called, and those that were passed over for what they do not take. */
export interface OrderedChoices {
  choices: ModelChoice[];
  unfit: PassedModel[];
}

interface Needs {
  needed: readonly ModelInput[];
  /** The kinds of files that the agent says its models take. */
  takes: readonly ModelInput[] | undefined;
}

/**
 * Moves the first model to the front that takes the most kinds of the files in the messages. The others keep their order
 * after it, and without files nothing changes.
 */
export function orderChoices(choices: ModelChoice[], { needed, takes }: Needs): OrderedChoices {
  if (needed.length === 0 || choices.length < 2) return { choices, unfit: [] };
  const lacking = choices.map(({ model }) => {
    const taken = findTakenInputs(model, takes);
    return needed.filter((input) => !taken.includes(input));
  });
  const fewest = Math.min(...lacking.map(({ length }) => length));
  const best = lacking.findIndex(({ length }) => length === fewest);
  const chosen = choices[best];
  if (best === 0 || !chosen) return { choices, unfit: [] };
  const unfit = choices
    .slice(0, best)
    .map(({ model }, index) => ({ model, error: toError(lacking[index] ?? []) }));
  return { choices: [chosen, ...choices.filter((choice) => choice !== chosen)], unfit };
}

function toError(lacking: readonly ModelInput[]): ErrorInfo {
  const message = `The messages have files that the model does not take as they are: ${lacking.join(', ')}.`;
  return { code: 'MODEL_INPUT_NOT_TAKEN', message };
}
