import type { CommandContext } from '../clients/cli/command-context.ts';
import { allowPrograms, migrateDatabase } from '../platform/database/migrate.ts';
import { createWorkspace, getWorkspace, listWorkspaces } from '../modules/workspaces/create-workspace.ts';
import { setApproval } from '../modules/workspaces/settings/set-approval.ts';
import { setRoutineLimit } from '../modules/workspaces/settings/set-routine-limit.ts';
import { setMaxTurns, setTurnWeight } from '../modules/workspaces/settings/set-turn-share.ts';
import { setStartTimeout } from '../modules/workspaces/settings/set-start-timeout.ts';
import { findConfig, reportErrors, type AdminCommand, type AdminFlags } from './admin-commands.ts';
import { requireDatabaseUrl } from './config.ts';

/**
 * `holdfast migrate`: brings the database to the schema of this version as its owner, and lets the user of DATABASE_URL
 * run the programs. Returns the exit code.
 */
export function migrateInstallation(context: CommandContext, flags: AdminFlags): Promise<number> {
  return reportErrors(context, async ({ say }) => {
    const config = findConfig(context, flags);
    const { url, ownerUrl } = config.database;
    const applied = await migrateDatabase(ownerUrl ?? requireDatabaseUrl(config));
    if (ownerUrl !== undefined && url !== undefined) await allowPrograms(ownerUrl, url);
    describeMigrations(applied).forEach(say);
    return 0;
  });
}

function describeMigrations(applied: string[]): string[] {
  if (applied.length === 0)
    return ['The database has the schema of this version already: no migration was needed.'];
  const count = applied.length === 1 ? '1 migration' : `${applied.length} migrations`;
  return [
    `The database has the schema of this version now. ${count} ran:`,
    ...applied.map((name) => `  ${name}`),
  ];
}

/** `holdfast workspaces create`. Prints the id alone on the standard output, for scripts. */
export const createNamedWorkspace =
  (name: string): AdminCommand =>
  async ({ database, say, warn }) => {
    const workspace = await createWorkspace({ database }, name);
    warn(`Created the workspace "${workspace.name}". Its id:`);
    say(workspace.id);
    return 0;
  };

/** `holdfast workspaces list`: a line for each workspace, oldest first. */
export const listAllWorkspaces: AdminCommand = async ({ database, say, warn }) => {
  const workspaces = await listWorkspaces({ database });
  if (workspaces.length === 0) warn('There is no workspace yet.');
  for (const { id, name } of workspaces) say(`${id}  ${name}`);
  return 0;
};

/** `holdfast workspaces start-timeout`. */
export const setWorkspaceStartTimeout =
  (idOrName: string, seconds: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setStartTimeout({ database }, workspace.id, seconds);
    const time = seconds === 'default' ? 'as long as by default' : `${seconds} seconds`;
    say(
      `Turns of the workspace "${workspace.name}" wait ${time} for a worker, unless their agent says otherwise.`,
    );
    return 0;
  };

/** `holdfast workspaces max-turns`. */
export const setWorkspaceMaxTurns =
  (idOrName: string, number: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setMaxTurns({ database }, workspace.id, number);
    const most = number === 'default' ? 'As many turns as there are' : `At most ${number} turns`;
    say(`${most} of the workspace "${workspace.name}" run at once.`);
    return 0;
  };

/** `holdfast workspaces weight`. */
export const setWorkspaceWeight =
  (idOrName: string, number: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setTurnWeight({ database }, workspace.id, number);
    say(
      `The turns of the workspace "${workspace.name}" have the weight ${number === 'default' ? '1' : number}.`,
    );
    return 0;
  };

const defaultRoutineLimits = {
  steps: 'take as many steps as by default',
  hours: 'take any time',
  credits: 'cost what budgets allow',
};

/** `holdfast workspaces routine-steps`, `routine-hours` and `routine-credits`. */
export const setWorkspaceRoutineLimit =
  (of: keyof typeof defaultRoutineLimits) =>
  (idOrName: string, number: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setRoutineLimit({ database }, workspace.id, { of, number });
    const set = `${of === 'credits' ? 'cost' : 'take'} at most ${number} ${of}`;
    const most = number === 'default' ? defaultRoutineLimits[of] : set;
    say(`Runs of routines of the workspace "${workspace.name}" ${most}.`);
    return 0;
  };

/** `holdfast workspaces approval`. */
export const setWorkspaceApproval =
  (idOrName: string, mode: string): AdminCommand =>
  async ({ database, say }) => {
    const workspace = await getWorkspace({ database }, idOrName);
    await setApproval({ database }, workspace.id, mode);
    say(`Tools of the workspace "${workspace.name}" that change something and have no setting: ${mode}.`);
    return 0;
  };
