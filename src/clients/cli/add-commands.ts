import type { Command } from 'commander';
import { getContext } from './command-context.ts';
import { listOptions } from './command-options.ts';
import type { CommandRow, CommandTable } from './command-table.ts';
import type { OperationField } from './operation-field.ts';

/** Adds the commands of a table, with the options that follow from the fields of their operations. */
export function addCommands(
  program: Command,
  table: CommandTable,
  fields: Record<string, OperationField[]>,
): void {
  for (const [usage, row] of Object.entries(table)) {
    const [noun = '', ...rest] = usage.split(' ');
    const found = program.commands.find((command) => command.name() === noun);
    if (typeof row === 'string') (found ?? program.command(noun)).description(row);
    else if (found) addCommand(found, rest.join(' '), { row, fields });
    else addCommand(program, usage, { row, fields });
  }
}

function addCommand(
  parent: Command,
  usage: string,
  { row, fields: all }: { row: CommandRow; fields: Record<string, OperationField[]> },
): void {
  const [name = '', ...words] = usage.split(' ');
  const fields = all[row.operation ?? ''] ?? [];
  const command = parent.command(name).description(row.description);
  for (const word of words) command.argument(word, row.words?.[/\w+/.exec(word)?.[0] ?? '']);
  const options = listOptions(usage, row, fields);
  for (const { option } of options) command.addOption(option);
  if (row.group !== undefined) command.helpGroup(row.group);
  if (row.help) command.addHelpText('after', row.help);
  command.action(async () => {
    if (row.start) {
      await startCommand(command, row);
      return;
    }
    const { runCommand } = await import('./run-command.ts');
    await runCommand(command, { usage, row, options, fields });
  });
}

async function startCommand(command: Command, row: CommandRow): Promise<void> {
  const [id = ''] = command.args;
  const context = getContext(command);
  const given = { id, words: command.args, options: command.optsWithGlobals(), input: {}, found: undefined };
  const code = await row.start?.(context, given);
  if (typeof code === 'number') context.setExitCode(code);
}
