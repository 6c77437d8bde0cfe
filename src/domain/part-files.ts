import type { PartFile } from './message-part.ts';
import type { FileText } from './part-text.ts';

/** Names a file, with the signal of the step that reads it. */
export interface FileToRead {
  workspaceId: string;
  file: PartFile;
  signal: AbortSignal;
}

/** Reads the files of messages for model calls. */
export interface PartFiles {
  /** The facts of files by their ids; those that were deleted are missing. */
  list: (workspaceId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, PartFile>>;
  /** The bytes of a file as base64; null when it was deleted. @throws HoldfastError `SERVICE_UNAVAILABLE` */
  readBase64: (request: FileToRead) => Promise<string | null>;
  /**
   * The text of a document, which is read once and then stored; null for files without text that can be read.
   * @throws HoldfastError `SERVICE_UNAVAILABLE`
   */
  readText: (request: FileToRead) => Promise<FileText | null>;
}
