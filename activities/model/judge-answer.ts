import { toErrorLine, type AnsweredOutcome, type RefusedAnswer } from '../../src/domain/response-schema.ts';
import { isDeeperThan, type JsonObject } from '../../src/domain/json.ts';
import { parseAnswerJson } from '../../src/domain/parse-answer-json.ts';
import { findInfinity } from '../../src/domain/storable.ts';
import { toOneLine } from '../../src/domain/text.ts';
import { countTokens } from '../../src/domain/usage.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ErrorInfo, FieldError } from '../../src/domain/errors.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { retryWhileUnavailable } from '../run-step.ts';
import type { StepTools } from '../step-dependencies.ts';
import type { StepAnswer } from './read-answer.ts';
import { toMostTokens } from './within-budget.ts';

/** An answer of a turn with a response schema: as JSON, refused with another chance, or refused for good. */
export type Verdict =
  | { outcome: AnsweredOutcome; json: JsonObject }
  | { outcome: null; refused: RefusedAnswer }
  | { outcome: 'failed'; error: ErrorInfo };

/** An answer, with what its check depends on. */
export interface JudgedAnswer extends Pick<StepAnswer, 'answer' | 'isBlocked'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'responseSchema' | 'tokensUsed' | 'maxTokens'>;
  version: AgentVersion;
  /** The messages that the model got, or at least the answers of the turn that it gave before. */
  context: ContextMessage[];
}

/** The most levels that an answer is nested. */
const deepest = 60;

/**
 * Checks a final answer with the response schema of its turn. Null for other answers. One answer of a turn may be refused
 * before the turn fails; a model that refuses to answer, or a turn without tokens left, has no other chance.
 */
export async function judgeAnswer(
  { checksOf }: Pick<StepTools, 'checksOf'>,
  judged: JudgedAnswer,
): Promise<Verdict | null> {
  const { input, step, answer, isBlocked } = judged;
  const isFinal = input.tools === 'withheld' || answer.toolCalls.length === 0;
  if (!step.responseSchema || isBlocked || !isFinal) return null;
  const outcome = toOutcome(judged);
  const found = await readAnswer(checksOf(input.workspaceId), step.responseSchema, judged);
  if ('json' in found) return { outcome, ...found };
  const { errors } = found;
  return hasChance(judged)
    ? { outcome: null, refused: { outcome, errors } }
    : { outcome: 'failed', error: toInvalid(errors) };
}

/** An answer without tools that repairs a refused one has the outcome of that one; any other one has `iteration_limit`. */
function toOutcome({ input, context }: JudgedAnswer): AnsweredOutcome {
  if (input.tools !== 'withheld') return 'completed';
  return listOwnAnswers(context).at(-1)?.refused?.outcome ?? 'iteration_limit';
}

function listOwnAnswers(context: ContextMessage[]): ContextMessage[] {
  const ordinal = context.at(-1)?.turnOrdinal;
  return context.filter(({ turnOrdinal, role }) => turnOrdinal === ordinal && role === 'assistant');
}

async function readAnswer(
  { checkSchema }: ReturnType<StepTools['checksOf']>,
  schema: JsonObject,
  { answer, input }: JudgedAnswer,
): Promise<{ json: JsonObject } | { errors: FieldError[] }> {
  const json = parseAnswerJson(answer.text, { isCut: answer.finishReason === 'length' });
  if (!json) return { errors: [{ field: '', message: toProblem(answer) }] };
  if (isDeeperThan(json, deepest))
    return { errors: [{ field: '', message: `is nested deeper than ${deepest} levels` }] };
  const infinity = findInfinity(json);
  // The answer has been paid for, so a check for which there was no time is repeated, and not the call of the model.
  const check = () => checkSchema(schema, json);
  const errors = infinity ? [infinity] : await retryWhileUnavailable(check, input);
  return errors.length === 0 ? { json } : { errors: errors.map(toShort) };
}

/** A path may hold names that the model has made up. */
function toShort({ field, message }: FieldError): FieldError {
  return { field: toOneLine(field, 200), message: toOneLine(message, 300) };
}

function toProblem({ finishReason }: StepAnswer['answer']): string {
  if (finishReason === 'length') return 'is no JSON object: it was cut off at the limit of output tokens';
  return 'is no JSON object';
}

function hasChance({ step, version, context, answer }: JudgedAnswer): boolean {
  const isRepair = listOwnAnswers(context).some(({ refused }) => refused != null);
  const tokens = step.tokensUsed + countTokens(answer.usage);
  return !isRepair && answer.finishReason !== 'content_filter' && tokens < toMostTokens(step, version);
}

function toInvalid(errors: FieldError[]): ErrorInfo {
  const lines = toOneLine(errors.map(toErrorLine).join('; '), 500);
  return {
    code: 'ANSWER_INVALID',
    message: `The answer does not satisfy the response schema of the turn: ${lines}.`,
    details: { errors },
  };
}
