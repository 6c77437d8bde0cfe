import { decideAction } from '../../src/modules/actions/decide-action.ts';
import { decisionInputSchema } from '../../src/domain/action.ts';
import { createKeylessActor } from '../../src/domain/actor.ts';
import { checkInput } from '../../src/domain/check-input.ts';
import { createInvalidInput } from '../../src/domain/errors.ts';
import type { DecideActionInput, DecideActionResult } from '../../src/contract/turn-steps.ts';
import type { SettlePort } from '../step-dependencies.ts';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';

/** Decides an action of a turn for a person who works with Temporal alone, such as in its Web UI. */
export function createDecideWaitingAction({ turnDependencies, engine }: SettlePort) {
  const { notifyDecision } = engine;
  const dependencies = { ...turnDependencies, notifyDecision };
  return async ({ workspaceId, actionId, decision }: DecideActionInput): Promise<DecideActionResult> => {
    try {
      const checked = checkInput(decisionInputSchema, decision, { whole: 'the decision' });
      if (!checked.success) throw createInvalidInput(checked.errors);
      const { status } = await decideAction(dependencies, createKeylessActor(workspaceId, 'temporal'), {
        id: actionId,
        input: checked.value,
      });
      return { status };
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}
