import { findFreePort } from '../../src/main/dev/ports.ts';
import { seedDevelopment } from '../../src/main/dev/seed-development.ts';
import { createHttpUser } from '../labs/http-user.ts';
import { typeCommand } from '../labs/typed-command.ts';
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

/**
 * Runs an API and a worker by those commands over a database that is still empty, holds a turn with them, and
 * returns its outcome.
 */
export async function deploy(toCommands: (services: Services) => Commands): Promise<unknown> {
  await using stack = new AsyncDisposableStack();
  const database = await createEmptyDatabase();
  stack.defer(database.drop);
  const commands = toCommands({ databaseUrl: database.url, temporalAddress: temporalAddress() });
  const port = await findFreePort();
  const variables = {
    ...{ PORT: String(port), HOLDFAST_TASK_QUEUE: uniqueTaskQueue(), HOLDFAST_DATA_DIR: 'no-such-folder' },
  };
  const api = stack.use(typeCommand(commands.api, { variables }));
  const worker = stack.use(typeCommand(commands.worker, { variables }));
  await Promise.all([api.printed('the API is ready'), worker.printed('the worker is ready')]);
  const seed = await seedDevelopment({ databaseUrl: database.url, existingKey: null, model: 'demo' });
  const user = createHttpUser({ origin: `http://127.0.0.1:${port}`, apiKey: seed.apiKey });
  const turns = `/api/conversations/${seed.conversationId}/turns?wait=true`;
  const { turn } = (await user.request(turns, { message: 'what is 6 * 7' })) as {
    turn: { outcome: string; answer: string };
  };
  return { outcome: turn.outcome, answered: turn.answer.includes('42') };
}
