import { open, readFile } from 'node:fs/promises';
import type { ImportReport } from '../../../clients/client/index.ts';
import { invalid } from '../../../clients/cli/option-values.ts';
import {
  importFormats,
  readFormat,
  type ImportFormat,
} from '../../../engines/recording-formats/read-format.ts';
import type { Refusal } from '../../../engines/recording-formats/langfuse-rows.ts';
import type { CommandServices, Given } from '../../../clients/cli/command-table.ts';
import { toCount } from '../../../clients/cli/format.ts';
import { loadMasker, maskLines, type MaskOptions } from '../../../clients/cli/mask-lines.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import { printJson } from '../../../clients/cli/output.ts';
import { writeLines } from '../../../clients/cli/write-lines.ts';

/** The options of `conversations export` besides those of the operation. */
export type ExportOptions = MaskOptions & { out?: string };

/** Writes the turns of conversations as lines of JSON, to a file or to the output. */
export async function exportConversations(
  { client, warn, context }: CommandServices,
  { options, input }: Given<ExportOptions>,
) {
  const masker = await loadMasker(options);
  const lines = client.recordings.export(input);
  const written = await writeLines(masker ? maskLines(lines, masker) : lines, options.out ?? context.stdout);
  const masked = masker ? `, ${toCount(masker.count(), 'value')} masked` : '';
  warn(`${toCount(written, 'turn')} exported${masked}.`);
}

/** The options of `conversations import`. */
export type ImportOptions = { format: string; model: string; name: string };

/** Stores the conversations of a file. Returns 1 when lines were refused. */
export async function importConversations(
  { client, terminal, warn }: CommandServices,
  { id: file, options, input }: Given<ImportOptions>,
): Promise<number> {
  const { lines, refused } = await openLines(file, options);
  let done = 0;
  const onProgress = (soFar: ImportReport) => {
    done = soFar.lines;
  };
  const report = await client.recordings.import(lines, { onProgress, ...input }).catch((error: unknown) => {
    if (done > 0) warn(`The first ${done} lines are done. Import the file again: they are skipped.`);
    throw error;
  });
  if (options.json) printJson(terminal, report);
  else printReport(terminal, report);
  for (const { line, traceId, message } of refused) {
    const trace = traceId === undefined ? '' : `, trace ${traceId}`;
    warn(`${file}, line ${line}${trace}: ${message}`);
  }
  if (refused.length > 0) warn(`${toCount(refused.length, 'trace')} of the file refused.`);
  return report.refused + refused.length === 0 ? 0 : 1;
}

async function openLines(
  file: string,
  { format, model, name }: ImportOptions,
): Promise<{ lines: Iterable<string> | AsyncIterable<string>; refused: Refusal[] }> {
  if (format === 'holdfast') return { lines: (await open(file)).readLines(), refused: [] };
  if (!isImportFormat(format)) {
    const known = ['holdfast', ...importFormats].join(', ');
    throw invalid(`--format: expected one of ${known}; found "${format}"`);
  }
  const defaults = { model, agentName: name, now: new Date().toISOString() };
  const { recordings, refused } = readFormat(format, await readFile(file, 'utf8'), defaults);
  return { lines: recordings.map((line) => JSON.stringify(line)), refused };
}

function isImportFormat(format: string): format is ImportFormat {
  return (importFormats as readonly string[]).includes(format);
}

function printReport(terminal: Terminal, report: ImportReport): void {
  const { imported, skipped, refused, errors, agents } = report;
  const before = skipped === 0 ? '' : `, ${skipped} imported before`;
  terminal.line(
    `${toCount(imported, 'turn')} imported${before}${refused === 0 ? '' : `, ${refused} refused`}.`,
  );
  for (const { id, name } of agents) terminal.line(`  agent ${id}  ${name}`);
  for (const { line, message } of errors) terminal.line(`  line ${line}: ${message}`);
  if (refused > errors.length) terminal.line(`  … and ${refused - errors.length} more`);
}
