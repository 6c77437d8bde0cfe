import type { Command } from 'commander';
import { createListOption } from '../clients/cli/list-option.ts';
import { scopes } from '../domain/scope.ts';
import type { AdminFlags } from './admin-commands.ts';
import type { KeyFlags } from './key-commands.ts';
import { helpGroup, runCommand } from './run-command.ts';

/** Adds the commands with which an operator creates and revokes API keys. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('api-keys').description('Manage API keys.');
  addCreate(keys);
  keys
    .command('list')
    .helpGroup(helpGroup)
    .description('List the API keys of a workspace, newest first.')
    .requiredOption('--workspace <id or name>', 'the workspace of the keys')
    .action(async (_options: unknown, command: Command) => {
      const { listStoredKeys } = await import('./key-commands.ts');
      await runCommand<AdminFlags & { workspace: string }>(command, listStoredKeys);
    });
  keys
    .command('revoke')
    .argument('<key>', 'its id, as "api-keys list" shows it')
    .helpGroup(helpGroup)
    .description('Revoke an API key: requests with it are refused from now on.')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { revokeStoredKey } = await import('./key-commands.ts');
      await runCommand(command, revokeStoredKey(id));
    });
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .helpGroup(helpGroup)
    .description('Create an API key and print it.')
    .requiredOption('--workspace <id or name>', 'the workspace that the key is for')
    .addOption(
      createListOption(
        '--scope, --scopes <names>',
        'what it may do: see below (default: all but api_keys:write and payloads:read)',
      ),
    )
    .option('--name <name>', 'a name to tell keys apart', 'operator')
    .option('--expires <time>', 'such as 2030-01-01T00:00:00Z (default: never)')
    .addOption(createListOption('--group, --groups <names>', 'the groups of approvers that it is in'))
    .option('--acts-for <person>', 'the only person for whom it acts')
    .addHelpText('after', `\nScopes:\n${scopes.map((scope) => `  ${scope}`).join('\n')}`)
    .action(async (_options: unknown, command: Command) => {
      const { createFirstKey } = await import('./key-commands.ts');
      await runCommand<KeyFlags>(command, createFirstKey);
    });
}
