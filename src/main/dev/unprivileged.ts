import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.ts';

interface User {
  uid: number;
  gid: number;
}

/** The way to run a program that refuses to run as root. */
export interface Launcher {
  /** The words before the command. */
  prefix: string[];
  /** The owner that files must have; undefined for the user who runs this program. */
  owner?: User;
}

interface LauncherNeeds {
  /** A program that the user must be able to execute. */
  program: string;
  /** The folder that holds the data; it need not exist, its parent must. */
  folder: string;
}

/**
 * Chooses how to run Postgres, which refuses to run as root. An ordinary user just runs it. Root runs it in a user
 * namespace in which it is not root. Where that is not allowed (most containers), root runs it as another user with
 * the capability to ignore file permissions. Both work when the clone is in a folder that only root may enter, and
 * neither adds a user to the system. Data that belong to an ordinary user are used as that user.
 * @throws Error that says what to do when root can do neither
 */
export async function findLauncher(needs: LauncherNeeds, userId = process.getuid?.()): Promise<Launcher> {
  if (userId !== 0) return { prefix: [] };
  const owner = statSync(needs.folder, { throwIfNoEntry: false });
  const launchers =
    owner !== undefined && owner.uid !== 0
      ? [asOtherUser(owner)]
      : [inUserNamespace(findStandIn()), asOtherUser(findStandIn())];
  for (const launcher of launchers) {
    if (await works(launcher, needs)) return launcher;
  }
  throw new Error(
    'Postgres does not run as root, and neither "unshare --user" nor "setpriv" of util-linux can give it ' +
      'another identity here. Start as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
  );
}

function inUserNamespace({ uid, gid }: User): Launcher {
  return { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] };
}

function asOtherUser({ uid, gid }: User): Launcher {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const pass = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return { prefix: ['setpriv', ...identity, ...pass, '--'], owner: { uid, gid } };
}

/** Finds an unprivileged user of this system. initdb requires one that has a name. */
function findStandIn(): User {
  const users = new Map<string, User>();
  for (const line of existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []) {
    const [name = '', , uid, gid] = line.split(':');
    users.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return users.get('postgres') ?? users.get('nobody') ?? { uid: 65_534, gid: 65_534 };
}

async function works({ prefix: [file = '', ...rest] }: Launcher, needs: LauncherNeeds): Promise<boolean> {
  const script = 'test "$(id -u)" != 0 && test -x "$1" && test -w "$2"';
  const parent = existsSync(needs.folder) ? needs.folder : path.dirname(needs.folder);
  const command = [...rest, 'sh', '-c', script, 'sh', needs.program, parent];
  return (await runCommand(file, command, { timeoutMs: 10_000 })).succeeded;
}
