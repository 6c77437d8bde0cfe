import type { Command } from 'commander';
import type { Change } from '../../clients/client/index.ts';
import type { ChatServices } from '../../clients/cli/chat-services.ts';
import { run } from '../../clients/cli/command.ts';
import type { OutputOptions } from '../../clients/cli/output.ts';
import { toSafeJson } from '../../clients/cli/visible-text.ts';

interface ChangeOptions extends OutputOptions {
  after?: string;
}

/** Adds the command that follows what changes in the workspace. */
export function addChanges(program: Command): void {
  program
    .command('changes')
    .description('Follow what changes in the workspace, until Ctrl-C.')
    .option('--after <id>', 'continue after the event with this id, which --json prints')
    .option('--json', 'print the events as lines of JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<ChangeOptions>(command, followChanges);
    });
}

async function followChanges(
  { client, terminal, context }: Pick<ChatServices, 'client' | 'terminal' | 'context'>,
  { after, json }: ChangeOptions,
): Promise<void> {
  const ending = new AbortController();
  context.onInterrupt(() => ending.abort());
  const { signal } = ending;
  try {
    for await (const event of client.changes.follow({ lastEventId: after, signal })) {
      if (json) terminal.line(toSafeJson(event));
      else if (event.type === 'reset') terminal.line('Earlier changes are not known.');
      else for (const change of event.changes) terminal.line(toLine(change));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function toLine({ at, type, id, status }: Change): string {
  return `${at}  ${type.replaceAll('_', ' ').padEnd(16)}  ${id}  ${status.replaceAll('_', ' ')}`;
}
