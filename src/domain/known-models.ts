/** The reasoning efforts that a model call may request. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** The kinds of content that a model may take beside text. A document is a PDF. */
export const modelInputs = ['image', 'document', 'audio', 'video'] as const;
export type ModelInput = (typeof modelInputs)[number];

/** The abilities and limits of a language model. */
export interface ModelFacts {
  /** The maximum number of tokens of a request. */
  inputTokens: number;
  /** The maximum number of tokens of an answer, reasoning included. */
  outputTokens: number;
  takes: readonly ModelInput[];
  /** Whether the vendor holds the answer to a JSON Schema. */
  structuredOutput: boolean;
  /** The efforts that the model knows; none for a model that does not reason. */
  efforts: readonly ReasoningEffort[];
  /** Whether `temperature` and `topP` can be set. */
  sampling: boolean;
}

type Limits = [inputTokens: number, outputTokens: number];

const visual = ['image', 'document'] as const;

/** A model that takes images and documents, and answers as JSON. */
function seeing([inputTokens, outputTokens]: Limits, efforts: readonly ReasoningEffort[] = []): ModelFacts {
  return { inputTokens, outputTokens, takes: visual, structuredOutput: true, efforts, sampling: true };
}

/** A model that reasons always, so that its vendor refuses `temperature`. */
function reasoning(limits: Limits, efforts: readonly ReasoningEffort[]): ModelFacts {
  return { ...seeing(limits, efforts), sampling: false };
}

function gemini(outputTokens: number, efforts: readonly ReasoningEffort[]): ModelFacts {
  return { ...seeing([1_048_576, outputTokens], efforts), takes: modelInputs };
}

const threeEfforts = ['low', 'medium', 'high'] as const;
const firstGpt5 = reasoning([272_000, 128_000], ['minimal', ...threeEfforts]);
const laterEfforts = ['none', ...threeEfforts, 'xhigh'] as const;
const smallGpt5 = reasoning([400_000, 128_000], laterEfforts);
const largeGpt5 = reasoning([1_050_000, 128_000], laterEfforts);
const claudeEfforts = [...threeEfforts, 'xhigh', 'max'] as const;
const claude5 = reasoning([1_000_000, 128_000], claudeEfforts);

/**
 * Language models that people use, by name, as their vendors described them on the day of `version`. Another model can be
 * used as well; nothing is checked for it then. `docs/models.md` says how to update the list.
 */
export const knownModels: { version: string; models: Readonly<Record<string, ModelFacts>> } = {
  version: '2026-07-24',
  models: {
    'openai/gpt-5.6': largeGpt5,
    'openai/gpt-5.6-sol': smallGpt5,
    'openai/gpt-5.6-terra': smallGpt5,
    'openai/gpt-5.6-luna': smallGpt5,
    'openai/gpt-5.5': largeGpt5,
    'openai/gpt-5.4': largeGpt5,
    'openai/gpt-5.4-mini': smallGpt5,
    'openai/gpt-5.4-nano': smallGpt5,
    'openai/gpt-5.2': reasoning([272_000, 128_000], laterEfforts),
    'openai/gpt-5.1': reasoning([272_000, 128_000], ['none', ...threeEfforts]),
    'openai/gpt-5': firstGpt5,
    'openai/gpt-5-mini': firstGpt5,
    'openai/gpt-5-nano': firstGpt5,
    'openai/gpt-4.1': seeing([1_047_576, 32_768]),
    'openai/gpt-4.1-mini': seeing([1_047_576, 32_768]),
    'openai/gpt-4.1-nano': seeing([1_047_576, 32_768]),
    'openai/gpt-4o': seeing([128_000, 16_384]),
    'openai/gpt-4o-mini': seeing([128_000, 16_384]),
    'openai/o3': reasoning([200_000, 100_000], threeEfforts),
    'openai/o4-mini': reasoning([200_000, 100_000], threeEfforts),
    'anthropic/claude-opus-5': claude5,
    'anthropic/claude-sonnet-5': claude5,
    'anthropic/claude-opus-4-8': claude5,
    'anthropic/claude-opus-4-7': claude5,
    'anthropic/claude-opus-4-6': seeing([1_000_000, 128_000], [...threeEfforts, 'max']),
    'anthropic/claude-opus-4-5': seeing([200_000, 64_000], threeEfforts),
    'anthropic/claude-opus-4-1': seeing([200_000, 32_000], threeEfforts),
    'anthropic/claude-sonnet-4-6': seeing([1_000_000, 64_000], [...threeEfforts, 'max']),
    'anthropic/claude-sonnet-4-5': seeing([200_000, 64_000], threeEfforts),
    'anthropic/claude-haiku-4-5': seeing([200_000, 64_000], threeEfforts),
    'google/gemini-3.6-flash': gemini(65_536, threeEfforts),
    'google/gemini-3.5-flash': gemini(65_536, threeEfforts),
    'google/gemini-3.5-flash-lite': gemini(65_536, threeEfforts),
    'google/gemini-3.1-pro-preview': gemini(65_536, threeEfforts),
    'google/gemini-2.5-pro': gemini(65_536, threeEfforts),
    'google/gemini-2.5-flash': gemini(65_536, ['none', ...threeEfforts]),
    'google/gemini-2.5-flash-lite': gemini(65_536, ['none', ...threeEfforts]),
  },
};

/** Finds the facts of a model; undefined for one that is not in the list. */
export function findModelFacts(model: string): ModelFacts | undefined {
  return Object.hasOwn(knownModels.models, model) ? knownModels.models[model] : undefined;
}
