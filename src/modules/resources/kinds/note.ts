import { z } from 'zod';
import { defineKind, nonBlank } from '../resource-kind.ts';

/** Notes: texts in Markdown that people and agents keep. */
export const note = defineKind({
  kind: 'note',
  description: 'A text in Markdown that the workspace keeps.',
  fields: { content: nonBlank(100_000).describe('The text, as Markdown') },
  textOf: ({ content }) => z.string().parse(content),
});
