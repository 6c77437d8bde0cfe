import { z } from 'zod';
import { jsonObjectSchema } from '../../../domain/json-value.ts';
import { defineKind } from '../resource-kind.ts';

const formats = ['openapi', 'graphql', 'other'] as const;

/** API descriptions: where an API is, and how it is called. */
export const api = defineKind({
  kind: 'api',
  description: 'An API: its address, how it is called, and its OpenAPI document.',
  fields: {
    url: z
      .string()
      .max(2_000)
      .regex(/^https?:\/\/[^\s/?#]+\S*$/, 'expected an http or https URL'),
    format: z.enum(formats).default('openapi'),
    document: jsonObjectSchema.optional().describe('The OpenAPI document'),
    notes: z.string().max(20_000).default('').describe('How it is called, and what to watch for'),
  },
  filterFields: { format: z.enum(formats).optional() },
  textOf: ({ url, notes, document }) =>
    [url, notes, document === undefined ? '' : JSON.stringify(document)].map(String).join('\n'),
});
