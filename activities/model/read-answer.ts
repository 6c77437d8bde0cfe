import type { AgentVersion } from '../../src/domain/agent.ts';
import type { CallRecord, CallTime, ModelAnswer } from '../../src/domain/model.ts';
import { createCanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import type { ModelPort } from '../step-dependencies.ts';
import type { PassedModel } from './order-choices.ts';
import { readToolCallsInText, type ReadAnswer } from './text-tool-calls.ts';

/** The answer of a model, with the tool calls in its text. */
export interface StepAnswer {
  answer: ReadAnswer;
  /** True when the answer repeats a canary token; then nothing of it may be stored. */
  isBlocked: boolean;
  record: CallRecord;
  time: CallTime;
  /** The name of the model that answered. */
  model: string;
  /** The models before it that did not. */
  passed: PassedModel[];
  /** The attempt whose pieces readers have; undefined for an answer that was not streamed. */
  attempt?: number;
}

/** Reads the tool calls in the text of an answer, and whether the answer repeats a canary token. */
export function readAnswer(
  answer: ModelAnswer,
  version: AgentVersion,
  logger: ModelPort['logger'],
): Pick<StepAnswer, 'answer' | 'isBlocked'> {
  const read = readToolCallsInText(answer, version, logger);
  return {
    answer: read,
    isBlocked: createCanaryDetector(version.rules.canaryTokens)?.isIn(read.text) ?? false,
  };
}
