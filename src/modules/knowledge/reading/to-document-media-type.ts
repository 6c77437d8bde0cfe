import { documentMediaTypes, type DocumentMediaType } from '../../../domain/document-media-type.ts';

const byExtension: Record<string, DocumentMediaType> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  csv: 'text/plain',
  json: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  pdf: 'application/pdf',
  docx: documentMediaTypes.docx,
};

const byDeclaredType: Record<string, DocumentMediaType> = {
  'text/x-markdown': 'text/markdown',
  'application/xhtml+xml': 'text/html',
  'application/x-pdf': 'application/pdf',
  'application/json': 'text/plain',
};

/**
 * Maps the declared media type of an upload to a type that can be read. A missing or generic type is replaced by that of
 * the file name. Returns null for a type that cannot be read.
 */
export function toDocumentMediaType(
  declared: string | undefined,
  fileName: string,
): DocumentMediaType | null {
  const type = (declared ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const known = Object.values(documentMediaTypes).find((one) => one === type) ?? byDeclaredType[type];
  const extension = fileName.includes('.') ? (fileName.split('.').at(-1) ?? '').toLowerCase() : '';
  const named = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  if (known !== undefined && known !== 'text/plain') return known;
  const saysNothing = type === '' || type === 'application/octet-stream' || type.startsWith('text/');
  if (known === 'text/plain') return named === 'text/markdown' ? named : known;
  if (!saysNothing) return null;
  return named ?? (type.startsWith('text/') ? 'text/plain' : null);
}
