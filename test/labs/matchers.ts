import { expect } from 'vitest';

/** Matches any text that contains the given one. */
export const containing = (text: string): unknown => expect.stringContaining(text);

/** Matches any text that does not contain the given one. */
export const notContaining = (text: string): unknown => expect.not.stringContaining(text);

/** Matches any text that matches a pattern. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
