import type { AgentVersion } from './agent.ts';
import { findModelFacts } from './known-models.ts';
import { defaultLimits } from './limits.ts';
import type { ContextMessage } from './model-context.ts';
import { countFixedBytes, findTokenRatio, measureMessages, type TokenRatios } from './token-estimate.ts';

/** The threshold for a model of which nothing is known, in tokens: 400,000 characters of English. */
const unknownThreshold = 100_000;

/** The tokens that are kept for an answer, at most, and the share of a request that is left free, since it is an estimate. */
const answerReserve = 32_000;
const estimateReserve = 0.1;

/** The least share of the threshold that is there for messages, however large the instructions and tools are. */
const leastShare = 0.25;

/** The context budget of a model call: the size that its messages may have, and how that is estimated. */
export interface ContextBudget {
  /** The tokens above which the context is shortened, with the instructions and tools. */
  threshold: number;
  /** The tokens that messages may have. */
  tokens: number;
  /** The characters that messages may have. */
  characters: number;
  tokensPerByte: number;
  /** The bytes of the instructions and the tools. */
  fixedBytes: number;
}

type BudgetedVersion = Pick<
  AgentVersion,
  | 'model'
  | 'fallbackModels'
  | 'modelSettings'
  | 'limits'
  | 'instructions'
  | 'tools'
  | 'compaction'
  | 'compactionThreshold'
>;

/** Returns the context budget of an agent's next model call. */
export function toContextBudget(version: BudgetedVersion, ratios: TokenRatios): ContextBudget {
  const { compactionThreshold, limits } = version;
  const threshold = compactionThreshold ?? toDefaultThreshold(version);
  const tokensPerByte = findTokenRatio(ratios, version.model);
  const fixedBytes = countFixedBytes(version);
  const fixed = fixedBytes * tokensPerByte;
  // A threshold in tokens takes the place of the default limit in characters.
  const byDefault = compactionThreshold === null ? defaultLimits.contextCharacters : Infinity;
  return {
    threshold,
    tokens: Math.max(threshold - fixed, threshold * leastShare),
    characters: limits.contextCharacters ?? byDefault,
    tokensPerByte,
    fixedBytes,
  };
}

/** Any of the models may be called, so that the smallest of them decides. */
function toDefaultThreshold({ model, fallbackModels, modelSettings }: BudgetedVersion): number {
  const models = [model, ...fallbackModels.map((one) => one.model)];
  return Math.min(...models.map((one) => toModelThreshold(one, modelSettings.maxOutputTokens)));
}

/** Returns the maximum number of tokens of a request to a model, by its facts. */
export function toModelThreshold(model: string, maxOutputTokens?: number): number {
  const facts = findModelFacts(model);
  if (!facts) return unknownThreshold;
  const reserve = Math.min(facts.outputTokens, maxOutputTokens ?? answerReserve);
  return Math.floor((facts.inputTokens - reserve) * (1 - estimateReserve));
}

/** Returns the share of its budget that a context uses: more than 1 for one that is too long. */
export function toFullness(context: readonly ContextMessage[], room: ContextBudget): number {
  const { bytes, characters } = measureMessages(context);
  return Math.max((bytes * room.tokensPerByte) / room.tokens, characters / room.characters);
}

/** Estimates the tokens of a model call with some messages. */
export function estimateTokens(context: readonly ContextMessage[], room: ContextBudget): number {
  return Math.round((measureMessages(context).bytes + room.fixedBytes) * room.tokensPerByte);
}
