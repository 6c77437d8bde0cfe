import type { BuiltReport } from './build-report.ts';
import { readReportPage } from './read-report-page.ts';
import { toHtmlHeaders, toHtmlPieces } from './to-html.ts';
import { toJsonPieces } from './to-json.ts';
import { toJunitPieces } from './to-junit.ts';
import { toMarkdown } from './to-markdown.ts';

/** The formats in which a report can be had. */
export const reportFormats = ['json', 'html', 'markdown', 'junit'] as const;
type ReportFormat = (typeof reportFormats)[number];

interface Written {
  pieces: Iterable<string>;
  headers?: Record<string, string>;
}

interface FormatWriter {
  mediaType: string;
  write: (report: BuiltReport, consoleFolder: string | undefined) => Written | Promise<Written>;
}

const writers: Record<ReportFormat, FormatWriter> = {
  json: { mediaType: 'application/json', write: (report) => ({ pieces: toJsonPieces(report) }) },
  html: {
    mediaType: 'text/html',
    write: async (report, consoleFolder) => {
      const page = await readReportPage(consoleFolder);
      return { pieces: toHtmlPieces(report, page), headers: toHtmlHeaders(page) };
    },
  },
  markdown: { mediaType: 'text/markdown', write: (report) => ({ pieces: [toMarkdown(report)] }) },
  junit: { mediaType: 'application/xml', write: (report) => ({ pieces: toJunitPieces(report) }) },
};

/** The media types of the formats. */
export const reportMediaTypes = reportFormats.map((format) => writers[format].mediaType);

interface Writing {
  format: ReportFormat;
  /** The folder of the built console, which has the page of reports; HTML needs it. */
  consoleFolder?: string | undefined;
}

/**
 * Writes a report in one of its formats, in pieces.
 * @throws HoldfastError `NOT_FOUND` for HTML when the console is not built
 */
export async function writeReport(report: BuiltReport, { format, consoleFolder }: Writing) {
  const { mediaType, write } = writers[format];
  const { pieces, headers = {} } = await write(report, consoleFolder);
  return { frames: toFrames(pieces), mediaType, headers };
}

/** Yields the pieces one by one, so that other work of the process runs while they are sent. */
async function* toFrames(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
