import type { ForkedTurn } from './fork-repository.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../../domain/errors.ts';
import type { ForkInput } from './fork.ts';
import { isSettled } from '../../../domain/turn-status.ts';

/**
 * Checks what fields of a fork exclude each other.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function checkForkInput({ iteration, message, toolResults, run }: ForkInput): void {
  const errors: FieldError[] = [];
  const add = (field: string, wrong: boolean, text: string) => {
    if (wrong) errors.push({ field, message: text });
  };
  const isStep = iteration !== undefined;
  add(
    'message',
    isStep && message !== undefined,
    'expected none in a fork from a step, which keeps its answers',
  );
  add(
    'toolResults',
    !isStep && toolResults !== undefined,
    'expected "iteration": results belong to kept steps',
  );
  add('run', isStep && !run, 'expected true in a fork from a step, whose turn is not over');
  add(
    'message',
    !run && message !== undefined,
    'expected none with "run": false, which leaves the message out',
  );
  const ids = toolResults?.map(({ toolCallId }) => toolCallId) ?? [];
  add('toolResults', new Set(ids).size < ids.length, 'expected each tool call once');
  if (errors.length > 0) throw createInvalidInput(errors);
}

/**
 * Checks that a conversation can be forked from a turn and its steps.
 * @throws HoldfastError `TURN_RUNNING`, `CONFLICT`, `INVALID_INPUT`
 */
export function checkForkedTurn({ turn, calls }: ForkedTurn, { iteration, toolResults }: ForkInput): void {
  const details = { turnId: turn.id };
  if (!isSettled(turn.status))
    throw new HoldfastError('TURN_RUNNING', 'The turn is not over. Wait for its end, or cancel it.', {
      details,
    });
  if (turn.steeredInto !== null)
    throw new HoldfastError(
      'CONFLICT',
      `The turn ${turn.steeredInto} took the message of this one. Fork that turn.`,
      { details: { turnId: turn.steeredInto } },
    );
  if (iteration === undefined) return;
  if (!calls.some((call) => call.iteration === iteration))
    throw createInvalidInput([
      {
        field: 'iteration',
        message: 'expected a step of the turn with tool calls; no model call follows another step',
      },
    ]);
  const kept = new Set(calls.filter((call) => call.iteration <= iteration).map(({ id }) => id));
  const unknown = (toolResults ?? []).flatMap(({ toolCallId }, index): FieldError[] => {
    const message = `expected a tool call of the steps up to ${iteration}, found ${toolCallId}`;
    return kept.has(toolCallId) ? [] : [{ field: `toolResults.${index}.toolCallId`, message }];
  });
  if (unknown.length > 0) throw createInvalidInput(unknown);
}
