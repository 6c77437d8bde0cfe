import { z } from 'zod';
import { stripInvisible } from './invisible-text.ts';

/** Says what is wrong with a name that is refused. */
export const personNameMessage = 'expected a name without control and invisible characters';

/**
 * The name of a person, as a caller gives it: one line without invisible characters. Two names that look the same would
 * otherwise be two people. They are compared by `toPersonKey`.
 */
export const personNameSchema = z.string().trim().min(1).max(200).refine(isVisibleName, personNameMessage);

/** Returns true for a name in one line without invisible characters. */
export function isVisibleName(name: string): boolean {
  return stripInvisible(name) === name && !/[\t\n\r]/.test(name);
}
