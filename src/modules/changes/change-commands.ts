import type { Change } from '../../clients/client/index.ts';
import { action, type CommandServices, type CommandTable } from '../../clients/cli/command-table.ts';
import { toSafeJson } from '../../clients/cli/visible-text.ts';

/** The command that follows what changes in the workspace. */
export const commands: CommandTable = {
  changes: action<{ after?: string }>({
    description: 'Follow what changes in the workspace, until Ctrl-C.',
    options: {
      '--after <id>': 'continue after the event with this id, which --json prints',
      '--json': 'print the events as lines of JSON',
    },
    run: (services, { options }) => followChanges(services, options),
  }),
};

async function followChanges(
  { client, terminal, context }: CommandServices,
  { after, json }: { after?: string; json?: boolean },
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
