import { expect } from 'vitest';

/** Stands for any text that holds another one. */
export const containing = (text: string): unknown => expect.stringContaining(text);

/** Stands for any text that does not hold another one. */
export const notContaining = (text: string): unknown => expect.not.stringContaining(text);

/** Stands for any text that a pattern matches. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
