import { z } from 'zod';
import { dateTimeSchema } from '../../domain/date-time.ts';

/** The query parameters of the time that a report covers; `counted` begins their descriptions. */
export function timeParameters(counted: string) {
  return {
    from: dateTimeSchema
      .optional()
      .describe(`${counted} from this time on. The default is 30 days before \`to\``),
    to: dateTimeSchema.optional().describe(`${counted} before this time. The default is now`),
  };
}

/** The query parameters of the time in which the items of a list were created. */
export function timesOf(items: string) {
  const time = dateTimeSchema.optional();
  return {
    from: time.describe(`Only ${items} that were created at this time or later`),
    to: time.describe(`Only ${items} that were created before this time`),
  };
}

/** The query parameter of the fields that the figures of a report are grouped by. */
export function groupByParameter<Group extends string>(groups: readonly Group[], standard: Group) {
  const group = `(?:${groups.join('|')})`;
  const listed = `one or more of ${groups.join(', ')}, with commas between them`;
  return z
    .string()
    .regex(new RegExp(`^${group}(?:,${group})*$`), `expected ${listed}`)
    .default(standard)
    .transform((text) => text.split(',') as Group[])
    .describe(`Groups by ${listed}`);
}
