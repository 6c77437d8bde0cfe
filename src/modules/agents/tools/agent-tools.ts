import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import type { Tool } from '../../../domain/tool.ts';

const mostTools = 1000;

/**
 * Picks a tool of an agent by its id.
 * @throws HoldfastError `NOT_FOUND`
 */
export function getTool({ id, tools }: { id: string; tools: Tool[] }, toolId: string): Tool {
  const tool = tools.find((each) => each.id === toolId);
  if (tool) return tool;
  throw new HoldfastError('NOT_FOUND', `The agent ${id} has no tool ${toolId}.`);
}

/** @throws HoldfastError `INVALID_INPUT` for more tools than an agent can have */
export function checkToolCount(count: number): void {
  if (count <= mostTools) return;
  const message = `expected at most ${mostTools} tools for an agent, found ${count}`;
  throw createInvalidInput([{ field: 'tools', message }]);
}

/** The error for names that other tools of the agent have already. */
export function toolNamesTaken(names: string[]): HoldfastError {
  const shown = names.slice(0, 10).map((name) => `"${name}"`);
  const message = `The agent already has a tool named ${shown.join(', ')}.`;
  return new HoldfastError('CONFLICT', message, { details: { names: names.slice(0, 100) } });
}
