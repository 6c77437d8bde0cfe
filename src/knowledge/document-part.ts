/** A piece of a document as a reader gives it: a page of a PDF, or the whole of anything else. */
export interface DocumentPart {
  text: string;
  format: 'markdown' | 'plain';
  /** From 1; null for kinds of documents without pages. */
  page: number | null;
}
