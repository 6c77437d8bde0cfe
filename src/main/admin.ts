import type { Command } from 'commander';
import type * as adminCommands from './admin-commands.ts';

const helpGroup = 'Commands that work on the database itself, beside "npm start" or with DATABASE_URL:';

type AdminCommands = typeof adminCommands;

/** Adds the commands of the administrator. Their modules are loaded when one of them runs. */
export function addAdminCommands(program: Command): void {
  const keys = program.command('keys').description('Manage the keys that seal stored secrets.');
  keys
    .command('rotate')
    .helpGroup(helpGroup)
    .description(
      'Make a new encryption key, or take the first of HOLDFAST_ENCRYPTION_KEYS, and seal all secrets under it.',
    )
    .option('--dry-run', 'only count')
    .action(runWith(({ rotateStoredKeys }) => rotateStoredKeys));
  const audit = program.command('audit').description('Check the audit log.');
  audit
    .command('verify')
    .helpGroup(helpGroup)
    .description(
      'Compute the hashes of every workspace’s audit log again, and say what was changed, deleted or moved.',
    )
    .option('--expect <head...>', 'hashes that were newest once, from the log: each must still be there')
    .action(runWith(({ verifyStoredAudit }) => verifyStoredAudit));
}

function runWith(choose: (commands: AdminCommands) => AdminCommands['rotateStoredKeys']) {
  return async (_options: unknown, command: Command): Promise<void> => {
    const commands = await import('./admin-commands.ts');
    process.exitCode = await commands.runAdminCommand(
      command.optsWithGlobals<adminCommands.AdminFlags>(),
      choose(commands),
    );
  };
}
