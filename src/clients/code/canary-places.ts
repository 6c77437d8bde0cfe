/** Returns instructions with the place of each canary token instead of the token, which is a secret. */
export function hideCanaryTokens(instructions: string, tokens: string[]): string {
  return tokens.reduce((text, token, index) => text.replaceAll(token, () => toPlace(index)), instructions);
}

/** Returns instructions with the canary tokens in their places. */
export function fillCanaryTokens(instructions: string, tokens: string[]): string {
  return tokens.reduce((text, token, index) => text.replaceAll(toPlace(index), () => token), instructions);
}

function toPlace(index: number): string {
  return `{{canaryTokens[${index}]}}`;
}
