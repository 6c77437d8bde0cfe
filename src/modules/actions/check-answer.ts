import type { LockedAction } from './action-rows.ts';
import type { ActionKind, DecisionInput } from '../../domain/action.ts';
import type { Actor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import { toAnswerSchema } from '../../domain/question.ts';
import type { ActionDependencies } from './action-dependencies.ts';

const decisions: Record<ActionKind, DecisionInput['decision'][]> = {
  approval: ['approve', 'reject'],
  question: ['answer', 'reject'],
  client_tool: ['answer', 'reject'],
};

/**
 * Refuses a decision that an action of this kind does not take, or for which the actor lacks the right: approvals need
 * `approvals:decide`, and who may talk in a conversation may also answer in it.
 * @throws HoldfastError `INVALID_INPUT` or `FORBIDDEN`
 */
export function refuseWrongDecision(
  { kind }: Pick<LockedAction, 'kind'>,
  actor: Pick<Actor, 'scopes'>,
  input: DecisionInput,
): void {
  authorize(actor, kind === 'approval' ? 'actions.decide' : 'actions.answer');
  const known = decisions[kind];
  if (!known.includes(input.decision)) {
    const expected = known.map((one) => `"${one}"`).join(' or ');
    const message = `expected ${expected} for an action of kind ${kind}, found "${input.decision}"`;
    throw createInvalidInput([{ field: 'decision', message }]);
  }
  if (input.decision === 'answer' && input.isError !== undefined && kind !== 'client_tool') {
    throw createInvalidInput([{ field: 'isError', message: 'is for actions of kind client_tool' }]);
  }
}

/**
 * Checks an answer by the schema of its question. The result of a `client_tool` has none.
 * @throws HoldfastError `INVALID_INPUT` with the fields that are wrong
 */
export async function checkAnswer(
  checks: ReturnType<ActionDependencies['checksOf']>,
  { schema }: Pick<LockedAction, 'schema'>,
  { answer }: { answer: JsonValue },
): Promise<void> {
  if (schema === null) return;
  const wrong = await checks.checkSchema(toAnswerSchema(schema), { answer });
  if (wrong.length > 0) throw createInvalidInput(wrong);
}
