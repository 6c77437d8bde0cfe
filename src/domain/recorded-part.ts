import { z } from 'zod';
import { jsonValueSchema } from './json-value.ts';

/** The facts of a file; its bytes are not in a recording. An import finds a file of its workspace by its id or by `sha256`. */
const recordedFileSchema = z.object({
  name: z.string().nullable().default(null),
  mediaType: z.string(),
  size: z.int().min(0),
  sha256: z.string(),
});

const fileFields = {
  fileId: z.string().min(1).max(200),
  /** Null for a file that was deleted before the turn was recorded. */
  file: recordedFileSchema.nullable().default(null),
};

/** A part of a recorded message. */
export const recordedPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    ...fileFields,
    detail: z.enum(['low', 'high', 'auto']).optional(),
  }),
  z.object({ type: z.literal('audio'), ...fileFields }),
  z.object({ type: z.literal('file'), ...fileFields }),
  z.object({ type: z.literal('data'), data: jsonValueSchema, name: z.string().optional() }),
]);
export type RecordedPart = z.infer<typeof recordedPartSchema>;
