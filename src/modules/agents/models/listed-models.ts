import { z } from 'zod';
import { agentFields } from '../../../domain/agent.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { FallbackModel } from '../../../domain/model-settings.ts';

/** A model, or a list of models in the order in which they are called. */
export const listedModelsSchema = z
  .union([agentFields.model, z.array(agentFields.model).min(1).max(6)])
  .describe('A model, or a list whose further ones are called when those before them are away');

/**
 * Takes a list of models apart: the first one is the model of the agent, and the others answer for it, with the operator's
 * keys.
 * @throws HoldfastError `INVALID_INPUT` when there is a list and `fallbackModels`
 */
export function takeModels(
  listed: z.output<typeof listedModelsSchema>,
  fallbackModels: FallbackModel[] = [],
): { model: string; fallbackModels?: FallbackModel[] } {
  if (typeof listed === 'string') return { model: listed };
  const [model = '', ...others] = listed;
  if (fallbackModels.length > 0) {
    const message = 'expected either a list of models or fallbackModels';
    throw createInvalidInput([{ field: 'fallbackModels', message }]);
  }
  return { model, fallbackModels: others.map((one) => ({ model: one, modelConnectionId: null })) };
}
