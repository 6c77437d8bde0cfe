import { z } from 'zod';

/**
 * A file as the API shows it. `mediaType` was found by its content. `pages` is known for PDFs, `width` and `height`, in
 * pixels, for images.
 */
export const storedFileSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  mediaType: z.string(),
  /** The number of bytes. */
  size: z.int(),
  sha256: z.string(),
  pages: z.int().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  createdAt: z.string(),
});

/** The days after which an uploaded file is removed that no message names. */
export const unusedFileDays = 7;

/** The facts about a stored file. */
export type FileFacts = z.infer<typeof storedFileSchema>;

/** Names a file of a workspace. */
export interface FileRef {
  workspaceId: string;
  id: string;
}

/** A file with all its bytes. */
export interface ReadFile {
  id: string;
  name: string | null;
  mediaType: string;
  bytes: Uint8Array;
}

/** A file whose bytes are read piece by piece. */
export interface OpenedFile {
  facts: FileFacts;
  content: AsyncGenerator<Uint8Array>;
}

/** Reads the files of all workspaces, wherever their bytes are. */
export interface FileStore {
  /** @throws HoldfastError `NOT_FOUND`, also for a file of another workspace or of a deleted conversation */
  find: (ref: FileRef) => Promise<FileFacts>;
  /** Reads a whole file into memory. @throws HoldfastError `NOT_FOUND` or `SERVICE_UNAVAILABLE` */
  read: (request: FileRef & { signal?: AbortSignal | undefined }) => Promise<ReadFile>;
  /** Opens a file. Reading it fails with `SERVICE_UNAVAILABLE` when its bucket cannot be reached. */
  open: (request: FileRef & { signal?: AbortSignal | undefined }) => Promise<OpenedFile>;
}

/** A bucket for the bytes of files. Every method throws HoldfastError `SERVICE_UNAVAILABLE` when it cannot be reached. */
export interface FileBucket {
  /** Stores an object as it arrives. An object that broke off leaves nothing that can be read. */
  put: (object: {
    key: string;
    mediaType: string;
    content: AsyncIterable<Uint8Array>;
    signal: AbortSignal;
  }) => Promise<void>;
  open: (object: { key: string; signal?: AbortSignal | undefined }) => Promise<AsyncIterable<Uint8Array>>;
  /** Removes an object that may be missing; with `isWhole` false also the parts that an upload has left. */
  remove: (object: { key: string; isWhole: boolean }) => Promise<void>;
}

/** The limits of a file. */
export interface FileLimits {
  maxBytes: number;
  /** The maximum number of pages of a PDF. */
  maxPages: number;
  /** The maximum number of pixels of an image, width times height. */
  maxPixels: number;
}
