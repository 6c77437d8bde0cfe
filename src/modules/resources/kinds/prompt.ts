import { z } from 'zod';
import { defineKind, nonBlank } from '../resource-kind.ts';

const variable = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'expected a letter, then letters, digits and _'),
  description: z.string().max(1_000).default(''),
  required: z.boolean().default(true),
});

/** Prompts: texts for models, with places for values. */
export const prompt = defineKind({
  kind: 'prompt',
  description: 'A text for models, with the variables that are written {{name}} in it.',
  fields: {
    text: nonBlank(100_000).describe('The prompt. A variable is written {{name}}'),
    variables: z.array(variable).max(50).default([]),
  },
  textOf: ({ text }) => z.string().parse(text),
});
