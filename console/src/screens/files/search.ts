/** What is shown of the files. */
export interface FilesSearch {
  /** The id of the file that is open. */
  file?: string;
}

/** Reads what is shown of the files from an address. */
export function parseFilesSearch({ file }: Record<string, unknown>): FilesSearch & Record<string, unknown> {
  return typeof file === 'string' && file !== '' ? { file } : {};
}
