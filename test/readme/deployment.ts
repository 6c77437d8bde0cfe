import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { seedDevelopment } from '../../src/main/dev/seed-development.ts';
import { runAsOwner } from '../labs/database-login.ts';
import { createHttpUser, type HttpUser } from '../labs/http-user.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { createEmptyDatabase } from '../labs/postgres.ts';
import { temporalAddress, uniqueTaskQueue } from '../labs/temporal.ts';

interface Commands {
  api: string;
  worker: string;
}

/** The address of the Postgres and of the Temporal that a command has to use. */
export interface Services {
  databaseUrl: string;
  temporalAddress: string;
}

/** Runs an API and a worker by those commands, calls `use` once both are ready, and stops them. */
async function runPrograms<Result>(
  commands: Commands,
  use: (origin: string, variables: { HOLDFAST_TASK_QUEUE: string }) => Promise<Result>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const port = await findFreePort();
  const variables = {
    ...{ PORT: String(port), HOLDFAST_TASK_QUEUE: uniqueTaskQueue(), HOLDFAST_DATA_DIR: 'no-such-folder' },
  };
  const api = stack.use(typeCommand(commands.api, { variables }));
  const worker = stack.use(typeCommand(commands.worker, { variables }));
  await Promise.all([api.printed('the API is ready'), worker.printed('the worker is ready')]);
  return await use(`http://127.0.0.1:${port}`, variables);
}

/**
 * Runs an API and a worker by those commands over a database that is still empty, holds a turn with them, and
 * returns its outcome. Then runs further commands, and returns what they print.
 */
export async function deploy(
  toCommands: (services: Services) => Commands & { further: string[] },
): Promise<{ turn: unknown; printed: string }> {
  await using stack = new AsyncDisposableStack();
  const database = await createEmptyDatabase();
  stack.defer(database.drop);
  const commands = toCommands({ databaseUrl: database.url, temporalAddress: temporalAddress() });
  return await runPrograms(commands, async (origin, variables) => {
    const seed = await seedDevelopment({ databaseUrl: database.url, existingKey: null, model: 'demo' });
    const user = createHttpUser({ origin, apiKey: seed.apiKey });
    const answer = await ask(user, seed.conversationId, 'what is 6 * 7');
    const turn = { outcome: answer.outcome, answered: answer.answer.includes('42') };
    const cwd = createTemporaryFolder();
    const client = { ...variables, HOLDFAST_URL: origin, HOLDFAST_API_KEY: seed.apiKey, HOME: cwd };
    const printed = await runTyped(commands.further.join(' &&\n'), { cwd, variables: client });
    return { turn, printed };
  });
}

/** The blocks of README.md for a deployment, in their order. */
export interface DeploymentBlocks {
  /** SQL for a superuser. */
  roles: string;
  /** Commands that create tables, a workspace and a key. */
  install: string;
  /** One command a line: the API, the worker. */
  programs: string;
}

/** Follows the blocks one after the other over a new database, and returns the outcome of a first turn. */
export async function followDeployment(blocks: DeploymentBlocks): Promise<unknown> {
  await using stack = new AsyncDisposableStack();
  const adapt = toAdapted();
  for (const statement of adapt(blocks.roles).split('\n')) {
    // The roles of the programs are shared by all databases of the tests.
    if (!/^CREATE ROLE holdfast_(app|system);$/.test(statement)) await runAsOwner(superuserUrl(), statement);
  }
  stack.defer(() => runAsOwner(superuserUrl(), adapt('DROP ROLE holdfast_owner, holdfast_program')));
  stack.defer(() => runAsOwner(superuserUrl(), adapt('DROP DATABASE holdfast WITH (FORCE)')));
  const install = adapt(blocks.install);
  const printed = await runTyped(install, { variables: { HOLDFAST_DATA_DIR: 'no-such-folder' } });
  const apiKey = printed.trimEnd().split('\n').at(-1) ?? '';
  const [environment = ''] = install.split('\n');
  const [api = '', worker = ''] = blocks.programs.split('\n').map((line) => `${environment}\nexec ${line}`);
  return await runPrograms({ api, worker }, (origin) => holdFirstTurn(createHttpUser({ origin, apiKey })));
}

async function holdFirstTurn(user: HttpUser): Promise<string> {
  const agentInput = { name: 'First', model: 'demo', instructions: 'Help.', tools: [] };
  const { agent } = (await user.request('/api/agents', agentInput)) as { agent: { id: string } };
  const { conversation } = (await user.request('/api/conversations', { agentId: agent.id })) as {
    conversation: { id: string };
  };
  return (await ask(user, conversation.id, 'Hello!')).outcome;
}

async function ask(user: HttpUser, conversationId: string, message: string) {
  const turns = `/api/conversations/${conversationId}/turns?wait=true`;
  const { turn } = (await user.request(turns, { message })) as { turn: { outcome: string; answer: string } };
  return turn;
}

/** The superuser of the embedded Postgres has the password of its other login. */
function superuserUrl(): string {
  const url = new URL(inject('postgresUrl'));
  url.username = 'postgres';
  return url.href;
}

/** Replaces the names of the README by ones that no other test uses, and the addresses by those of the tests. */
function toAdapted(): (text: string) => string {
  const suffix = randomUUID().slice(0, 8);
  const { host } = new URL(inject('postgresUrl'));
  return (text) =>
    text
      .replaceAll('db:5432/holdfast', `${host}/holdfast_${suffix}`)
      .replaceAll('temporal:7233', temporalAddress())
      .replaceAll(/DATABASE holdfast\b/g, `DATABASE holdfast_${suffix}`)
      .replaceAll(/holdfast_(owner|program)/g, `holdfast_$1_${suffix}`);
}
