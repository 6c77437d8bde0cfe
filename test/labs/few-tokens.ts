/** The usage of a model call whose numbers do not matter to a test. */
export const fewTokens = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};
