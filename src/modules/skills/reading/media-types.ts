/** The media types of files of skills by their extensions; further texts are `text/plain`. */
const byExtension: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  js: 'text/javascript',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xml: 'application/xml',
  xsd: 'application/xml',
  py: 'text/x-python',
  sh: 'text/x-shellscript',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  ttf: 'font/ttf',
  otf: 'font/otf',
  woff2: 'font/woff2',
  zip: 'application/zip',
};

/** Returns the media type of a file by its name, and by whether it is a text. */
export function toSkillMediaType(path: string, isText: boolean): string {
  const extension = /\.([a-z0-9]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension] ?? (isText ? 'text/plain' : 'application/octet-stream');
}
