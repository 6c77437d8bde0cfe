import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import { isVisibleName, personNameMessage } from '../../../domain/person-name.ts';
import { toOneLine } from '../../../domain/text.ts';
import { toMemoryScope, type MemorySubject } from '../memory/memory-scope.ts';
import {
  commonFields,
  nonBlank,
  toChangeSchema,
  toFilterSchema,
  type ResourceKind,
} from '../resource-kind.ts';

/** A hundred years, in seconds. */
const longestSeconds = 3_155_760_000;

const content = {
  content: nonBlank(8_000).describe('The fact to remember, in one or a few sentences'),
  tags: commonFields.tags,
  ttlSeconds: z
    .int()
    .min(1)
    .max(longestSeconds)
    .optional()
    .describe('Forgotten after so many seconds; without it never'),
};

/** As people are named elsewhere, but refused with blanks around it: JSON Schema does not trim. */
const person = z
  .string()
  .max(200)
  .regex(/^\S(?:[^\t\n\r]*\S)?$/, 'expected a name without blanks around it')
  .refine(isVisibleName, personNameMessage)
  .describe('The person, as API keys and requests name them');

const attributes = z.discriminatedUnion('scope', [
  z.strictObject({ scope: z.literal('agent'), agentId: z.uuid(), ...content }),
  z.strictObject({ scope: z.literal('user'), person, ...content }),
  z.strictObject({ scope: z.literal('workspace'), ...content }),
]);

/** Memories: what agents remember about their work, about people, and about the workspace. Not for `resource_manage`. */
export const memory: ResourceKind = {
  kind: 'memory',
  description:
    'Something that agents remember: for one agent, about one person, or for all agents of the workspace.',
  isManaged: false,
  attributes: attributes as unknown as z.ZodType<JsonObject>,
  change: toChangeSchema(content),
  filters: toFilterSchema({
    scope: z.enum(['agent', 'user', 'workspace']).optional(),
    agentId: z.uuid().optional().describe('Only memories of this agent'),
    person: person.optional().describe('Only memories about this person'),
  }),
  nameOf: ({ content: text }) => toOneLine(z.string().parse(text)),
  textOf: ({ content: text }) => z.string().parse(text),
  toStored,
  scopeOf: (stored) => toMemoryScope(stored as unknown as MemorySubject),
};

/** The time of its end is stored instead of the seconds, which would begin anew with each version. */
function toStored({ ttlSeconds, ...attributes }: JsonObject, now: Date) {
  if (typeof ttlSeconds !== 'number') return { attributes };
  return { attributes, expiresAt: new Date(now.getTime() + ttlSeconds * 1000) };
}
