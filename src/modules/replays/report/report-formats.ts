import type { BuiltReport } from './build-report.ts';
import { htmlHeaders, toHtmlPieces } from './html/to-html.ts';
import { toJsonPieces } from './to-json.ts';
import { toJunitPieces } from './to-junit.ts';
import { toMarkdown } from './to-markdown.ts';

/** The formats in which a report can be had. */
export const reportFormats = ['json', 'html', 'markdown', 'junit'] as const;
type ReportFormat = (typeof reportFormats)[number];

interface FormatWriter {
  mediaType: string;
  headers?: () => Record<string, string>;
  write: (report: BuiltReport) => Iterable<string>;
}

const writers: Record<ReportFormat, FormatWriter> = {
  json: { mediaType: 'application/json', write: toJsonPieces },
  html: { mediaType: 'text/html', headers: htmlHeaders, write: toHtmlPieces },
  markdown: { mediaType: 'text/markdown', write: (report) => [toMarkdown(report)] },
  junit: { mediaType: 'application/xml', write: toJunitPieces },
};

/** The media types of the formats. */
export const reportMediaTypes = reportFormats.map((format) => writers[format].mediaType);

/** Writes a report in one of its formats, in pieces. */
export function writeReport(report: BuiltReport, format: ReportFormat) {
  const { mediaType, headers, write } = writers[format];
  return { frames: toFrames(write(report)), mediaType, headers: headers?.() ?? {} };
}

/** Yields the pieces one by one, so that other work of the process runs while they are sent. */
async function* toFrames(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
