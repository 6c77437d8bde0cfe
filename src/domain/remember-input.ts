import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { jsonObjectSchema } from './json-value.ts';

/** For which calls an approval is remembered: those below one conversation, those of one agent, or all. */
export const grantScopes = ['conversation', 'agent', 'workspace'] as const;
export type GrantScope = (typeof grantScopes)[number];

/**
 * The longest time for which an approval is remembered, in days. A person has to decide again after it: the people who
 * may approve, the accounts behind a tool and the reason for the approval change.
 */
export const longestGrantDays = 366;

const mostPins = 50;
const longestPath = 200;

function areFewShortPaths(pins: object): boolean {
  const paths = Object.keys(pins);
  return paths.length <= mostPins && paths.every(({ length }) => length > 0 && length <= longestPath);
}

/** The wish to approve later calls as well. */
export const rememberInputSchema = z.strictObject({
  /** The tool of the call that is approved. */
  tool: z.string().min(1).max(200),
  /**
   * The values that the arguments of later calls must have, by their dotted paths. Each must be the value of the call
   * that is approved. `{}` approves every call of the tool.
   */
  pins: jsonObjectSchema.refine(
    areFewShortPaths,
    `expected at most ${mostPins} paths of 1 to ${longestPath} characters`,
  ),
  scope: z.enum(grantScopes),
  /** The end of the remembered approval, at most 366 days from now. */
  until: dateTimeSchema,
});
export type RememberInput = z.infer<typeof rememberInputSchema>;
