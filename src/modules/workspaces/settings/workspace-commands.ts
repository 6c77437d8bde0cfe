import type { Command } from 'commander';
import type { HoldfastClient } from '../../../clients/client/index.ts';
import { run } from '../../../clients/cli/command.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';

/** Adds the command that shows the settings of the workspace of the API key. */
export function addWorkspace(program: Command): void {
  program
    .command('workspace')
    .description('Look at the workspace of the API key.')
    .command('show')
    .description('Show the workspace of the API key, and the settings that hold for it.')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<OutputOptions>(command, showWorkspace);
    });
}

/** Which calls of tools without a setting wait for people. */
const approvals: Record<Awaited<ReturnType<HoldfastClient['workspace']['get']>>['approval'], string> = {
  never: 'none is asked for',
  ask: 'calls that change something',
  always_ask: 'calls that change something, each one',
};

async function showWorkspace(
  { client, terminal }: { client: HoldfastClient; terminal: Terminal },
  { json }: OutputOptions,
): Promise<void> {
  const workspace = await client.workspace.get();
  if (json) {
    printJson(terminal, workspace);
    return;
  }
  const { id, name, createdAt, retentionDays, approval, startTimeoutMs, maxRunningTurns } = workspace;
  terminal.line(`${id}  ${name}  created ${createdAt}`);
  terminal.line(
    `  retention      ${retentionDays === null ? 'everything is kept' : `${retentionDays} days`}`,
  );
  terminal.line(`  approval       ${approval}: ${approvals[approval]}`);
  terminal.line(`  start timeout  ${startTimeoutMs / 1000} s`);
  terminal.line(`  running turns  ${maxRunningTurns === null ? 'no limit' : `at most ${maxRunningTurns}`}`);
}
