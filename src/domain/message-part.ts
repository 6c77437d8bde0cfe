import { z } from 'zod';
import { jsonValueSchema } from './json-value.ts';

/** The longest message that a user may send, in characters: all texts and data of its parts together. */
export const maxMessageCharacters = 200_000;

/** The maximum number of parts of one message. */
const mostParts = 32;

/** How closely a model looks at an image; models without the choice ignore it. */
const imageDetails = ['low', 'high', 'auto'] as const;

const fileId = z.uuid().describe('A file of the workspace; see POST /api/files');

/** A part of a message. The model gets a file as it is when it takes its type, otherwise its text, or a note. */
export const messagePartSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(maxMessageCharacters) }),
    z.strictObject({ type: z.literal('image'), fileId, detail: z.enum(imageDetails).optional() }),
    z.strictObject({ type: z.literal('audio'), fileId }),
    z.strictObject({ type: z.literal('file'), fileId }),
    z.strictObject({
      type: z.literal('data'),
      data: jsonValueSchema.describe('JSON, which the model gets as text'),
      name: z.string().trim().min(1).max(100).optional(),
    }),
  ],
  { error: 'expected a part: an object whose "type" is text, image, audio, file or data' },
);
export type MessagePart = z.infer<typeof messagePartSchema>;

/** The parts of a message in their order. */
const messagePartsSchema = z
  .array(messagePartSchema)
  .min(1)
  .max(mostParts)
  .superRefine((parts, context) => {
    const characters = parts.reduce((sum, part) => sum + countPart(part), 0);
    if (characters <= maxMessageCharacters) return;
    const message = `expected at most ${maxMessageCharacters} characters of text and data together, found ${characters}`;
    context.addIssue({ code: 'custom', message });
  });

function countPart(part: MessagePart): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'data' ? JSON.stringify(part.data).length : 0;
}

/** The message of a user as it is sent: a text, or parts. */
export const messageContentSchema = z.union(
  [z.string().min(1).max(maxMessageCharacters), messagePartsSchema],
  { error: 'expected a text or a list of parts' },
);
export type MessageContent = z.infer<typeof messageContentSchema>;

/** A part that names a file. */
export type FilePart = Extract<MessagePart, { fileId: string }>;

/** The top-level media types that a part accepts, by its type; a `file` may be of any type. */
export const partMediaTypes = { image: 'image/', audio: 'audio/' } as const;

/** The facts of a file that a model call is made from. */
export interface PartFile {
  id: string;
  name: string | null;
  mediaType: string;
  /** In bytes. */
  size: number;
  /** The pages of a PDF; null for other files, and for a PDF that has a password or is damaged. */
  pages: number | null;
  /** In pixels; null for files that are no images. */
  width: number | null;
  height: number | null;
}

/** A stored part with the facts of its file: null when the file was deleted. */
export type ContextPart = Exclude<MessagePart, FilePart> | (FilePart & { file: PartFile | null });
