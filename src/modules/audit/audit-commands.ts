import type { Command } from 'commander';
import type { HoldfastClient, ListAuditEventsResponse } from '../../clients/client/index.ts';
import { run } from '../../clients/cli/command.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';
import { readFirst } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { parseLimit } from '../../clients/cli/list-commands.ts';

type AuditEvent = ListAuditEventsResponse['items'][number];

interface ListOptions extends OutputOptions {
  type?: string;
  about?: string;
  person?: string;
  apiKey?: string;
  from?: string;
  to?: string;
  limit?: string;
}

/** Adds the command that lists the audit events of the workspace. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('Read and check the audit log.')
    .command('list')
    .description('List what was done in the workspace, newest first.')
    .option('--type <type>', 'of this type, such as tool.blocked')
    .option('--about <id>', 'about the thing with this id')
    .option('--person <name>', 'by this person, or by an API key for this person')
    .option('--api-key <id>', 'by the API key with this id')
    .option('--from <time>', 'at this time or later')
    .option('--to <time>', 'before this time')
    .option('--limit <number>', 'so many, or "all" (default: 100)')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<ListOptions>(command, listEvents);
    });
}

async function listEvents(
  { client, terminal }: { client: HoldfastClient; terminal: Terminal },
  { type, about, person, apiKey, from, to, limit, json }: ListOptions,
): Promise<void> {
  const filter = { type, subjectId: about, person, apiKeyId: apiKey, from, to };
  const events = await readFirst(parseLimit(limit ?? '100'), ({ cursor, ...page }) =>
    client.auditEvents.list({
      ...filter,
      ...page,
      cursor: cursor === undefined ? undefined : Number(cursor),
    }),
  );
  if (json) printJson(terminal, events);
  else if (events.length === 0) terminal.line('No event fits.');
  else for (const event of events) terminal.line(toLine(event));
}

function toLine({ seq, createdAt, type, subjectId }: AuditEvent): string {
  return `${seq}  ${createdAt}  ${type.padEnd(24)}  ${subjectId ?? ''}`.trimEnd();
}
