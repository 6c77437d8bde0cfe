/** The kinds of documents that can be read. */
export const documentMediaTypes = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;
export type DocumentMediaType = (typeof documentMediaTypes)[keyof typeof documentMediaTypes];
