import type { CommandRow, CommandTable } from '../clients/cli/command-table.ts';
import { approvalModes } from '../domain/approval.ts';
import { scopes } from '../domain/scope.ts';
import type { AdminCommand, AdminFlags } from './admin-commands.ts';
import type { DevOptions } from './dev/dev-options.ts';

const engineers = { group: 'Commands for engineers:' };
const programs = { group: 'The programs of an installation; README.md lists their settings:' };
const database = {
  group: 'Commands that work on the database itself, beside "npm start" or with DATABASE_URL:',
};

interface DatabaseRow extends Pick<CommandRow, 'description' | 'words' | 'options' | 'help'> {
  /** Loads what the command does with its words. */
  load: (...words: string[]) => Promise<AdminCommand<never>>;
}

/** Defines a command that works on the database. */
function onDatabase({ load, ...row }: DatabaseRow): CommandRow {
  return {
    ...database,
    ...row,
    start: async (context, { words, options }) => {
      const { runAdminCommand } = await import('./admin-commands.ts');
      return runAdminCommand(context, options as AdminFlags, (await load(...words)) as AdminCommand);
    },
  };
}

const number = 'a number, or "default"';

const loadInstall = () => import('./install-commands.ts');
const loadRemoval = () => import('./removal-commands.ts');
const loadKeys = () => import('./key-commands.ts');
const loadHistories = () => import('./history-commands.ts');

/** Defines a command that sets something of a workspace. */
function onWorkspace(
  description: string,
  words: Record<string, string>,
  load: () => Promise<(idOrName: string, value: string) => AdminCommand>,
): CommandRow {
  return onDatabase({
    description,
    words: { workspace: 'its id or its name', ...words },
    load: async (idOrName = '', value = '') => (await load())(idOrName, value),
  });
}

/** The programs, and the commands of the administrator. What they do is loaded when one of them runs. */
export const commands: CommandTable = {
  dev: {
    ...engineers,
    description:
      'Run everything on this machine, with a Postgres and a Temporal of its own: the API, a worker, and a push of the ' +
      'folder agents/ whenever a file is saved.',
    options: {
      '--no-worker': 'all but the worker; "holdfast worker" starts one',
      '--no-push': 'do not push agents when a file is saved',
    },
    start: async (_, { options }) => {
      const { startDevelopment } = await import('./dev/start-development.ts');
      await startDevelopment(options as unknown as DevOptions);
    },
  },
  api: {
    ...programs,
    description: 'Run the HTTP API until it is stopped.',
    start: () => import('./api.ts'),
  },
  worker: {
    ...programs,
    description: 'Run a worker until it is stopped.',
    start: () => import('./worker.ts'),
  },
  migrate: {
    ...database,
    description:
      'Bring the database to the schema of this version, as the user of DATABASE_OWNER_URL if it is set, and let ' +
      'the user of DATABASE_URL run the programs.',
    start: async (context, { options }) =>
      (await loadInstall()).migrateInstallation(context, options as AdminFlags),
  },
  workspaces: 'Manage workspaces.',
  'workspaces create <name>': onDatabase({
    description: 'Create a workspace and print its id.',
    load: async (name = '') => (await loadInstall()).createNamedWorkspace(name),
  }),
  'workspaces list': onDatabase({
    description: 'List the workspaces with their ids.',
    load: async () => (await loadInstall()).listAllWorkspaces,
  }),
  'workspaces start-timeout <workspace> <seconds>': onWorkspace(
    'Set how long the turns of a workspace wait for a worker.',
    { seconds: number },
    async () => (await loadInstall()).setWorkspaceStartTimeout,
  ),
  'workspaces max-turns <workspace> <turns>': onWorkspace(
    'Set how many turns of a workspace run at once; the others wait.',
    { turns: number },
    async () => (await loadInstall()).setWorkspaceMaxTurns,
  ),
  'workspaces weight <workspace> <weight>': onWorkspace(
    'Set the share of a workspace when the workers are busy.',
    { weight: number },
    async () => (await loadInstall()).setWorkspaceWeight,
  ),
  'workspaces routine-steps <workspace> <steps>': onWorkspace(
    'Set how many steps a run of a routine may take.',
    { steps: number },
    async () => (await loadInstall()).setWorkspaceRoutineLimit('steps'),
  ),
  'workspaces routine-hours <workspace> <hours>': onWorkspace(
    'Set how many hours a run of a routine may take, waits included.',
    { hours: number },
    async () => (await loadInstall()).setWorkspaceRoutineLimit('hours'),
  ),
  'workspaces routine-credits <workspace> <credits>': onWorkspace(
    'Set how many credits a run of a routine may cost, with the runs that it starts.',
    { credits: number },
    async () => (await loadInstall()).setWorkspaceRoutineLimit('credits'),
  ),
  'workspaces approval <workspace> <mode>': onWorkspace(
    'Set whether people approve tool calls that change something, where the tool does not say.',
    { mode: approvalModes.join(', ') },
    async () => (await loadInstall()).setWorkspaceApproval,
  ),
  'workspaces delete <id>': onDatabase({
    description:
      'Delete a workspace with everything in it but its audit log: revoke its API keys, stop its turns, and remove ' +
      'its rows in batches.',
    options: { '--dry-run': 'only count' },
    load: async (id = '') => (await loadRemoval()).deleteNamedWorkspace(id),
  }),
  'workspaces retention <workspace> <days>': onWorkspace(
    'Set the age in days at which the turns of a workspace are removed.',
    { days: 'a number, or "default" for HOLDFAST_RETENTION_DAYS' },
    async () => (await loadRemoval()).setWorkspaceRetention,
  ),
  'api-keys': 'Manage API keys.',
  'api-keys create': onDatabase({
    description: 'Create an API key and print it.',
    options: {
      '--workspace <id or name>': { text: 'the workspace that the key is for', required: true },
      '--scope, --scopes <names>': {
        text: 'what it may do: see below (default: all but api_keys:write and payloads:read)',
        list: true,
      },
      '--name <name>': { text: 'a name to tell keys apart', default: 'operator' },
      '--expires <time>': 'such as 2030-01-01T00:00:00Z (default: never)',
      '--group, --groups <names>': { text: 'the groups of approvers that it is in', list: true },
      '--acts-for <person>': 'the only person for whom it acts',
    },
    help: () => `\nScopes:\n${scopes.map((scope) => `  ${scope}`).join('\n')}`,
    load: async () => (await loadKeys()).createFirstKey,
  }),
  'api-keys list': onDatabase({
    description: 'List the API keys of a workspace, newest first.',
    options: { '--workspace <id or name>': { text: 'the workspace of the keys', required: true } },
    load: async () => (await loadKeys()).listStoredKeys,
  }),
  'api-keys revoke <key>': onDatabase({
    description: 'Revoke an API key: requests with it are refused from now on.',
    words: { key: 'its id, as "api-keys list" shows it' },
    load: async (id = '') => (await loadKeys()).revokeStoredKey(id),
  }),
  keys: 'Manage the keys that seal stored secrets.',
  'keys rotate': onDatabase({
    description:
      'Make a new encryption key, or take the first of HOLDFAST_ENCRYPTION_KEYS, and seal all secrets under it.',
    options: { '--dry-run': 'only count' },
    load: async () => (await import('./admin-commands.ts')).rotateStoredKeys,
  }),
  'audit verify': onDatabase({
    description:
      'Compute the hashes of every workspace’s audit log again, and say what was changed, deleted or moved.',
    options: {
      '--expect <head...>': {
        text: 'hashes that were newest once, from the log: each must still be there',
        list: true,
      },
    },
    load: async () => (await import('./admin-commands.ts')).verifyStoredAudit,
  }),
  histories: 'Check workflows before a deployment, with histories of an installation.',
  'histories export': onDatabase({
    description:
      'Write histories of each type of workflow to files, decrypted, for "holdfast histories check". Letters and digits of ' +
      'texts are masked.',
    options: {
      '--out <folder>': { text: 'the folder for the files', required: true },
      '--sample <count>': { text: 'the most histories of each type', default: '200' },
      '--seed <number>': { text: 'chooses the same histories again', default: '1' },
      '--with-texts': 'keep texts of users and models as they are',
    },
    load: async () => (await loadHistories()).exportStoredHistories,
  }),
  'histories note <folder>': {
    ...engineers,
    description:
      'Note in saved histories what the workflows of this version ask for, which "check" compares too.',
    words: { folder: 'the folder with the histories' },
    start: async (context, { id: folder }) => (await loadHistories()).noteSavedHistories(context, folder),
  },
  'histories check [folder]': {
    ...engineers,
    description: 'Replay saved histories against the workflows of this version, and say what differs.',
    words: { folder: 'the folder with the histories (default: test/histories)' },
    start: async (context, { words: [folder = 'test/histories'] }) =>
      (await loadHistories()).checkSavedHistories(context, folder),
  },
};
