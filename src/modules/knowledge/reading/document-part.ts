/** A part of a document before it is cut into chunks: a page of a PDF, or the whole of any other document. */
export interface DocumentPart {
  text: string;
  format: 'markdown' | 'plain';
  /** The number of the page, from 1; null for kinds of documents without pages. */
  page: number | null;
}
