import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HoldfastError } from '../../../domain/errors.ts';

/** The page that shows a report: a part of the console, which every report has besides its data. */
export interface ReportPage {
  script: string;
  style: string;
  /** Lets the document run this script and use this style, and nothing else. */
  policy: string;
}

/** The pages by their folders. */
const pages = new Map<string, Promise<ReportPage>>();

/**
 * Returns the page of reports from the folder of the built console, which is read once.
 * @throws HoldfastError `NOT_FOUND` when the console is not built
 */
export async function readReportPage(consoleFolder: string | undefined): Promise<ReportPage> {
  if (consoleFolder === undefined) throw createNotBuilt();
  const page = pages.get(consoleFolder) ?? readPage(consoleFolder);
  pages.set(consoleFolder, page);
  try {
    return await page;
  } catch (error) {
    // It may be built by the next time.
    pages.delete(consoleFolder);
    throw createNotBuilt(error);
  }
}

async function readPage(folder: string): Promise<ReportPage> {
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const [script, style] = await Promise.all([read('report.js'), read('report.css')]);
  return { script, style, policy: toPolicy(script, style) };
}

function toPolicy(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
}

function createNotBuilt(cause?: unknown): HoldfastError {
  const message =
    'The page of a report is a part of the console, which is not built here. Run "npm run build:console", or take another format.';
  return new HoldfastError('NOT_FOUND', message, { cause });
}
