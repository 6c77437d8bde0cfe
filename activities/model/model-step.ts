import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { StepTools } from '../step-dependencies.ts';
import { judgeAnswer, type JudgedAnswer, type Verdict } from './judge-answer.ts';
import type { StepAnswer } from './read-answer.ts';
import type { TurnVersion } from './read-turn-version.ts';
import { toSeenMessages, type SeenMessages } from './to-seen-messages.ts';
import { withinBudget } from './within-budget.ts';

/** A model call of a turn, as every kind of turn makes it. */
interface ModelStepOptions {
  input: CallModelInput;
  step: JudgedAnswer['step'] & Pick<TurnStep, 'quarantined'>;
  running: TurnVersion;
  /** The messages that the model sees, oldest first. */
  context: ContextMessage[];
}

/** An answer with what its storage needs. */
type AnsweredCall = StepAnswer & { input: CallModelInput; version: AgentVersion; verdict: Verdict | null };

/**
 * Makes one model call of a turn. What the model is offered, and how its answer is checked, is the same for live turns and
 * replays; `ask` calls the model, by the attempts and limits of its caller.
 * @throws the errors of `ask`
 */
export async function runModelStep(
  tools: Pick<StepTools, 'checksOf' | 'loadEffects'>,
  { input: asked, step, running, context }: ModelStepOptions,
  ask: (input: CallModelInput, seen: SeenMessages) => Promise<StepAnswer>,
): Promise<AnsweredCall> {
  const { version } = running;
  const input = withinBudget(asked, step, version);
  const answered = await ask(input, toSeenMessages(context, { running, step }));
  const { toolCalls } = answered.answer;
  const called = version.tools.filter(({ name }) => toolCalls.some((call) => call.name === name));
  await tools.loadEffects(input.workspaceId, called);
  const verdict = await judgeAnswer(tools, { input, step, version, context, ...answered });
  return { ...answered, input, version, verdict };
}
