import type { ModelInput } from '../../domain/known-models.ts';
import type { PartFile } from '../../domain/message-part.ts';
import { toNeededInput, toPlainType } from '../../domain/model-part.ts';

/** The files that the API of a vendor takes, as far as a model takes their kind at all. */
export interface FileSupport {
  /** The media types of each kind. */
  types: Readonly<Record<ModelInput, readonly string[]>>;
  /** The most bytes of one file of a kind. */
  maxFileBytes: Readonly<Partial<Record<ModelInput, number>>>;
  /** The most bytes of all files of a request. They are sent as base64, which is a third longer. */
  maxBytes: number;
  /** The most files of a request. */
  maxFiles: number;
  /** The most pages of a PDF. */
  maxPages: number;
  /** The most pixels of the longer side of an image. @default any */
  maxImageSide?: number;
  /** Returns whether results of tool calls may have files; otherwise a user's message after them has these. */
  takesInResults: (modelId: string) => boolean;
}

const megabyte = 1024 * 1024;
const commonImages = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const pdf = ['application/pdf'];

/** The Responses API has no audio and no video. Files: https://developers.openai.com/api/docs/guides/file-inputs (50 MB a request). */
export const openaiFiles: FileSupport = {
  types: { image: commonImages, document: pdf, audio: [], video: [] },
  maxFileBytes: {},
  maxBytes: 32 * megabyte,
  maxFiles: 50,
  maxPages: 1_000,
  takesInResults: () => true,
};

/**
 * https://platform.claude.com/docs/en/build-with-claude/vision: 32 MB a request, 5 MB and 8,000 pixels a side an image, and
 * smaller images beyond 20 of them; the 5 MB are those of its base64; https://platform.claude.com/docs/en/build-with-claude/pdf-support: 100 pages.
 */
export const anthropicFiles: FileSupport = {
  types: { image: commonImages, document: pdf, audio: [], video: [] },
  maxFileBytes: { image: 3.75 * megabyte },
  maxBytes: 20 * megabyte,
  maxFiles: 20,
  maxPages: 100,
  maxImageSide: 8_000,
  takesInResults: () => true,
};

/** https://ai.google.dev/gemini-api/docs/document-processing: 1,000 pages; requests with inline files: 20 MB. */
export const googleFiles: FileSupport = {
  types: {
    image: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    document: pdf,
    audio: ['audio/wav', 'audio/mpeg', 'audio/mp3', 'audio/aiff', 'audio/aac', 'audio/ogg', 'audio/flac'],
    video: ['video/mp4', 'video/mpeg', 'video/quicktime', 'video/webm', 'video/3gpp', 'video/x-msvideo'],
  },
  maxFileBytes: {},
  maxBytes: 14 * megabyte,
  maxFiles: 50,
  maxPages: 1_000,
  // Earlier models take only JSON as the response of a function.
  takesInResults: (modelId) => /^gemini-(?:[3-9]|\d\d)/.test(modelId),
};

/** Each server of the protocol has its own limits; these are below the limits of all known servers. */
export const compatibleFiles: FileSupport = {
  types: {
    image: commonImages,
    document: pdf,
    audio: ['audio/wav', 'audio/mpeg', 'audio/mp3'],
    video: [],
  },
  maxFileBytes: {},
  maxBytes: 14 * megabyte,
  maxFiles: 20,
  maxPages: 100,
  takesInResults: () => false,
};

/** Returns why a model does not get a file as it is, as the end of "is not shown: …"; null when it does. */
export function findObstacle(
  file: PartFile,
  takes: readonly ModelInput[],
  { types, maxFileBytes, maxBytes, maxPages, maxImageSide = Infinity }: FileSupport,
): string | null {
  const kind = toNeededInput(file);
  if (kind === null) return `this model takes no files of type ${file.mediaType}`;
  if (!takes.includes(kind)) return `this model takes no ${kindNames[kind]}`;
  if (!types[kind].includes(toPlainType(file.mediaType)))
    return `this model takes no files of type ${file.mediaType}`;
  const most = Math.min(maxBytes, maxFileBytes[kind] ?? maxBytes);
  if (file.size > most) return `it has ${file.size} bytes, and this model takes at most ${most}`;
  return kind === 'document' ? findPageObstacle(file, maxPages) : findSideObstacle(file, maxImageSide);
}

function findPageObstacle({ pages }: PartFile, most: number): string | null {
  // Vendors refuse the whole request for it.
  if (pages === null) return 'it has a password or is damaged';
  return pages > most ? `it has ${pages} pages, and this model takes at most ${most}` : null;
}

function findSideObstacle({ width, height }: PartFile, most: number): string | null {
  if (Math.max(width ?? 0, height ?? 0) <= most) return null;
  return `it has ${width} × ${height} pixels, and this model takes at most ${most} a side`;
}

const kindNames: Record<ModelInput, string> = {
  image: 'images',
  document: 'PDFs',
  audio: 'audio',
  video: 'videos',
};
