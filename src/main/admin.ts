import type { Command } from 'commander';
import { getContext } from '../clients/cli/command-context.ts';
import { createListOption } from '../clients/cli/list-option.ts';
import { approvalModes } from '../domain/approval.ts';
import type * as adminCommands from './admin-commands.ts';
import type { DevOptions } from './dev/dev-options.ts';
import type { ExportFlags } from './history-commands.ts';
import { addKeyCommands } from './admin-keys.ts';
import { helpGroup, runCommand } from './run-command.ts';

const engineersGroup = 'Commands for engineers:';

/** The commands that set the limits of a workspace: its share of the workers, and the limits of its routine runs. */
const shares = [
  {
    name: 'max-turns',
    argument: 'turns',
    description: 'Set how many turns of a workspace run at once; the others wait.',
    load: async () => (await import('./install-commands.ts')).setWorkspaceMaxTurns,
  },
  {
    name: 'weight',
    argument: 'weight',
    description: 'Set the share of a workspace when the workers are busy.',
    load: async () => (await import('./install-commands.ts')).setWorkspaceWeight,
  },
  {
    name: 'routine-steps',
    argument: 'steps',
    description: 'Set how many steps a run of a routine may take.',
    load: async () => (await import('./install-commands.ts')).setWorkspaceRoutineLimit('steps'),
  },
  {
    name: 'routine-hours',
    argument: 'hours',
    description: 'Set how many hours a run of a routine may take, waits included.',
    load: async () => (await import('./install-commands.ts')).setWorkspaceRoutineLimit('hours'),
  },
  {
    name: 'routine-credits',
    argument: 'credits',
    description: 'Set how many credits a run of a routine may cost, with the runs that it starts.',
    load: async () => (await import('./install-commands.ts')).setWorkspaceRoutineLimit('credits'),
  },
];

type AdminCommands = typeof adminCommands;

/** Adds the programs and the commands of the administrator. Their modules are loaded when one of them runs. */
export function addAdminCommands(program: Command): void {
  addPrograms(program);
  addInstallCommands(program);
  const keys = program.command('keys').description('Manage the keys that seal stored secrets.');
  keys
    .command('rotate')
    .helpGroup(helpGroup)
    .description(
      'Make a new encryption key, or take the first of HOLDFAST_ENCRYPTION_KEYS, and seal all secrets under it.',
    )
    .option('--dry-run', 'only count')
    .action(runWith(({ rotateStoredKeys }) => rotateStoredKeys));
  const audit = program.commands.find((command) => command.name() === 'audit') ?? program.command('audit');
  audit
    .command('verify')
    .helpGroup(helpGroup)
    .description(
      'Compute the hashes of every workspace’s audit log again, and say what was changed, deleted or moved.',
    )
    .addOption(
      createListOption(
        '--expect <head...>',
        'hashes that were newest once, from the log: each must still be there',
      ),
    )
    .action(runWith(({ verifyStoredAudit }) => verifyStoredAudit));
  addHistoryCommands(program);
}

function addHistoryCommands(program: Command): void {
  const histories = program
    .command('histories')
    .description('Check workflows before a deployment, with histories of an installation.');
  histories
    .command('export')
    .helpGroup(helpGroup)
    .description(
      'Write histories of each type of workflow to files, decrypted, for "holdfast histories check". Letters and digits of ' +
        'texts are masked.',
    )
    .requiredOption('--out <folder>', 'the folder for the files')
    .option('--sample <count>', 'the most histories of each type', '200')
    .option('--seed <number>', 'chooses the same histories again', '1')
    .option('--with-texts', 'keep texts of users and models as they are')
    .action(async (_options: unknown, command: Command) => {
      const { exportStoredHistories } = await import('./history-commands.ts');
      await runCommand<ExportFlags>(command, exportStoredHistories);
    });
  histories
    .command('note')
    .argument('<folder>', 'the folder with the histories')
    .helpGroup(engineersGroup)
    .description(
      'Note in saved histories what the workflows of this version ask for, which "check" compares too.',
    )
    .action(async (folder: string, _options: unknown, command: Command) => {
      const { noteSavedHistories } = await import('./history-commands.ts');
      const context = getContext(command);
      context.setExitCode(await noteSavedHistories(context, folder));
    });
  histories
    .command('check')
    .argument('[folder]', 'the folder with the histories', 'test/histories')
    .helpGroup(engineersGroup)
    .description('Replay saved histories against the workflows of this version, and say what differs.')
    .action(async (folder: string, _options: unknown, command: Command) => {
      const { checkSavedHistories } = await import('./history-commands.ts');
      const context = getContext(command);
      context.setExitCode(await checkSavedHistories(context, folder));
    });
}

function addPrograms(program: Command): void {
  const group = 'The programs of an installation; README.md lists their settings:';
  program
    .command('dev')
    .helpGroup(engineersGroup)
    .description(
      'Run everything on this machine, with a Postgres and a Temporal of its own: the API, a worker, and a push of the ' +
        'folder agents/ whenever a file is saved.',
    )
    .option('--no-worker', 'all but the worker; "holdfast worker" starts one')
    .option('--no-push', 'do not push agents when a file is saved')
    .action(async (_options: unknown, command: Command) => {
      const { startDevelopment } = await import('./dev/start-development.ts');
      await startDevelopment(command.optsWithGlobals<DevOptions>());
    });
  program
    .command('api')
    .helpGroup(group)
    .description('Run the HTTP API until it is stopped.')
    .action(async () => {
      await import('./api.ts');
    });
  program
    .command('worker')
    .helpGroup(group)
    .description('Run a worker until it is stopped.')
    .action(async () => {
      await import('./worker.ts');
    });
}

function addInstallCommands(program: Command): void {
  program
    .command('migrate')
    .helpGroup(helpGroup)
    .description(
      'Bring the database to the schema of this version, as the user of DATABASE_OWNER_URL if it is set, and let ' +
        'the user of DATABASE_URL run the programs.',
    )
    .action(async (_options: unknown, command: Command) => {
      const { migrateInstallation } = await import('./install-commands.ts');
      const context = getContext(command);
      context.setExitCode(
        await migrateInstallation(context, command.optsWithGlobals<adminCommands.AdminFlags>()),
      );
    });
  addWorkspaceCommands(program);
  addKeyCommands(program);
}

function addWorkspaceCommands(program: Command): void {
  const workspaces = program.command('workspaces').description('Manage workspaces.');
  workspaces
    .command('create <name>')
    .helpGroup(helpGroup)
    .description('Create a workspace and print its id.')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { createNamedWorkspace } = await import('./install-commands.ts');
      await runCommand(command, createNamedWorkspace(name));
    });
  workspaces
    .command('list')
    .helpGroup(helpGroup)
    .description('List the workspaces with their ids.')
    .action(async (_options: unknown, command: Command) => {
      const { listAllWorkspaces } = await import('./install-commands.ts');
      await runCommand(command, listAllWorkspaces);
    });
  workspaces
    .command('start-timeout')
    .argument('<workspace>', 'its id or its name')
    .argument('<seconds>', 'a number, or "default"')
    .helpGroup(helpGroup)
    .description('Set how long the turns of a workspace wait for a worker.')
    .action(async (...given: unknown[]) => {
      const [workspace, seconds, , command] = given as [string, string, unknown, Command];
      const { setWorkspaceStartTimeout } = await import('./install-commands.ts');
      await runCommand(command, setWorkspaceStartTimeout(workspace, seconds));
    });
  for (const { name, argument, description, load } of shares) {
    workspaces
      .command(name)
      .argument('<workspace>', 'its id or its name')
      .argument(`<${argument}>`, 'a number, or "default"')
      .helpGroup(helpGroup)
      .description(description)
      .action(async (...given: unknown[]) => {
        const [workspace, number, , command] = given as [string, string, unknown, Command];
        const set = await load();
        await runCommand(command, set(workspace, number));
      });
  }
  workspaces
    .command('approval')
    .argument('<workspace>', 'its id or its name')
    .argument('<mode>', approvalModes.join(', '))
    .helpGroup(helpGroup)
    .description('Set whether people approve tool calls that change something, where the tool does not say.')
    .action(async (...given: unknown[]) => {
      const [workspace, mode, , command] = given as [string, string, unknown, Command];
      const { setWorkspaceApproval } = await import('./install-commands.ts');
      await runCommand(command, setWorkspaceApproval(workspace, mode));
    });
  addRemovalCommands(workspaces);
}

function addRemovalCommands(workspaces: Command): void {
  workspaces
    .command('delete <id>')
    .helpGroup(helpGroup)
    .description(
      'Delete a workspace with everything in it but its audit log: revoke its API keys, stop its turns, and remove ' +
        'its rows in batches.',
    )
    .option('--dry-run', 'only count')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { deleteNamedWorkspace } = await import('./removal-commands.ts');
      await runCommand(command, deleteNamedWorkspace(id));
    });
  workspaces
    .command('retention')
    .argument('<workspace>', 'its id or its name')
    .argument('<days>', 'a number, or "default" for HOLDFAST_RETENTION_DAYS')
    .helpGroup(helpGroup)
    .description('Set the age in days at which the turns of a workspace are removed.')
    .action(async (...given: unknown[]) => {
      const [workspace, days, , command] = given as [string, string, unknown, Command];
      const { setWorkspaceRetention } = await import('./removal-commands.ts');
      await runCommand(command, setWorkspaceRetention(workspace, days));
    });
}

function runWith(choose: (commands: AdminCommands) => adminCommands.AdminCommand) {
  return async (_options: unknown, command: Command): Promise<void> => {
    await runCommand(command, choose(await import('./admin-commands.ts')));
  };
}
