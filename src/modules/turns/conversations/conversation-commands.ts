import { open, readFile } from 'node:fs/promises';
import type { ImportReport, RecordingFilter } from '../../../clients/client/index.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import {
  importFormats,
  readFormat,
  type ImportFormat,
} from '../../../engines/recording-formats/read-format.ts';
import type { Refusal } from '../../../engines/recording-formats/langfuse-rows.ts';
import type { ChatServices } from '../../../clients/cli/chat-services.ts';
import { findAgent } from '../../../clients/cli/find-agent.ts';
import { toCount } from '../../../clients/cli/format.ts';
import { loadMasker, maskLines, type MaskOptions } from '../../../clients/cli/mask-lines.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';
import { writeLines } from '../../../clients/cli/write-lines.ts';

/** The options of `conversations export`. */
export interface ExportOptions extends MaskOptions {
  agent?: string;
  from?: string;
  to?: string;
  outcome?: string;
  tool?: string;
  tag?: string;
  conversations?: string[];
  sample?: string;
  seed?: string;
  out?: string;
}

/** Writes the turns of conversations as lines of JSON, to a file or to the output. */
export async function exportConversations({ client, warn, context }: ChatServices, options: ExportOptions) {
  const { agent, from, to, outcome, tool, tag, conversations, sample, seed, out } = options;
  const masker = await loadMasker(options);
  const given = {
    ...{ agentId: agent === undefined ? undefined : (await findAgent(client, agent)).id },
    ...{ from, to, outcome, tool, tag, sample, seed, conversationId: conversations },
  };
  // The API refuses values that it does not know.
  const lines = client.recordings.export(given as RecordingFilter);
  const written = await writeLines(masker ? maskLines(lines, masker) : lines, out ?? context.stdout);
  const masked = masker ? `, ${toCount(masker.count(), 'value')} masked` : '';
  warn(`${toCount(written, 'turn')} exported${masked}.`);
}

/** The options of `conversations import`. */
export interface ImportOptions extends OutputOptions {
  agent?: string;
  format?: string;
  model?: string;
  name?: string;
}

/** Stores the conversations of a file. Returns 1 when lines were refused. */
export async function importConversations(
  { client, terminal, warn }: ChatServices,
  file: string,
  options: ImportOptions,
): Promise<number> {
  const agentId = options.agent === undefined ? undefined : (await findAgent(client, options.agent)).id;
  const { lines, refused } = await openLines(file, options);
  let done = 0;
  const onProgress = (soFar: ImportReport) => {
    done = soFar.lines;
  };
  const given = { onProgress, ...(agentId === undefined ? {} : { agentId }) };
  const report = await client.recordings.import(lines, given).catch((error: unknown) => {
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
  { format = 'holdfast', model = 'unknown', name = 'Imported' }: ImportOptions,
): Promise<{ lines: Iterable<string> | AsyncIterable<string>; refused: Refusal[] }> {
  if (format === 'holdfast') return { lines: (await open(file)).readLines(), refused: [] };
  if (!isImportFormat(format)) {
    const known = ['holdfast', ...importFormats].join(', ');
    throw new HoldfastError('INVALID_INPUT', `--format: expected one of ${known}; found "${format}"`);
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
