import { describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { createModelStates } from '../../../src/platform/database/postgres-model-states.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createTestDatabase } from '../../labs/postgres.ts';

const lab = openForTests(async () => {
  const { url, drop } = await createTestDatabase();
  const database = connectDatabase({ url });
  return {
    database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
});

const failOnError = (error: unknown) => {
  throw error;
};

const ownId = newId();

/** Another process, which reads the states before each question. */
function connect(workspaceId = ownId) {
  return createModelStates(lab.database.system, { onError: failOnError, maxAgeMs: 0 })(workspaceId);
}

const newModel = () => ({ model: `compatible/${newId()}`, connectionId: null });
const down = { code: 'MODEL_UNAVAILABLE' } as const;

/** Lets the time of a circuit be over. */
function elapse({ model }: { model: string }): Promise<unknown> {
  return lab.database
    .system('model_states')
    .where({ model })
    .update({
      open_until: lab.database.system.raw("now() - interval '1 second'"),
    });
}

/** How long the circuit of a model was opened for. */
async function readSeconds({ model }: { model: string }): Promise<number | null> {
  const seconds = lab.database.system.raw<number>(
    'round(extract(epoch FROM open_until - failed_at))::int AS seconds',
  );
  const rows = await lab.database
    .system('model_states')
    .where({ model })
    .select<{ seconds: number }[]>(seconds);
  return rows[0]?.seconds ?? null;
}

async function open(model = newModel(), workspaceId = ownId) {
  for (let count = 0; count < 5; count += 1) await connect(workspaceId).failed(model, down);
  return model;
}

test('five failures in a row open the circuit of a model for all processes', async () => {
  const model = newModel();
  for (let count = 0; count < 4; count += 1) {
    await connect().failed(model, down);
    expect(await connect().isUnavailable(model)).toBe(false);
  }
  await connect().failed(model, down);
  expect(await connect().isUnavailable(model)).toBe(true);
  expect(await connect().isUnavailable({ ...model, connectionId: newId() })).toBe(false);
  const states = await connect().list();
  expect(states.find((state) => state.model === model.model)).toMatchObject({
    failures: 5,
    errorCode: 'MODEL_UNAVAILABLE',
    connectionId: null,
  });
});

test("the failures of one workspace open the circuit of the operator's key for it alone, those of two for all", async () => {
  const [one, two, three] = [newId(), newId(), newId()];
  const listOf = async (workspaceId: string) =>
    (await connect(workspaceId).list()).filter((state) => state.model === model.model);
  const model = await open(newModel(), one);
  await connect(one).failed(model, { code: 'MODEL_RATE_LIMITED', waitMs: 60_000 });
  expect(await connect(one).isUnavailable(model)).toBe(true);
  expect(await connect(two).isUnavailable(model)).toBe(false);
  expect(await listOf(two)).toEqual([]);

  await open(model, two);
  expect(await connect(three).isUnavailable(model)).toBe(true);
  expect(await listOf(three)).toMatchObject([{ connectionId: null, errorCode: 'MODEL_UNAVAILABLE' }]);
  await elapse(model);
  expect(await connect(three).isUnavailable(model)).toBe(false);
});

test('failures that lie far apart are not counted together', async () => {
  const model = newModel();
  for (let count = 0; count < 4; count += 1) await connect().failed(model, down);
  const earlier = lab.database.system.raw("now() - interval '10 minutes'");
  await lab.database.system('model_states').where({ model: model.model }).update({ failed_at: earlier });
  await connect().failed(model, down);
  expect(await connect().isUnavailable(model)).toBe(false);
  await connect().failed(model, down);
  expect(await connect().isUnavailable(model)).toBe(false);
  expect((await connect().list()).find((state) => state.model === model.model)?.failures).toBe(2);
});

test('a limit with a time opens the circuit at once, for that time', async () => {
  const model = newModel();
  await connect().failed(model, { code: 'MODEL_RATE_LIMITED', waitMs: 60_000 });
  expect(await connect().isUnavailable(model)).toBe(true);
  expect(await readSeconds(model)).toBe(60);
});

describe('when the time of a circuit is over', () => {
  test('one process tries the model, and the others pass it over', async () => {
    const model = await open();
    await elapse(model);
    const answers = await Promise.all(
      [connect(), connect(), connect()].map((one) => one.isUnavailable(model)),
    );
    expect(answers.filter((isUnavailable) => !isUnavailable)).toHaveLength(1);
  });

  test('an answer closes it for all', async () => {
    const model = await open();
    await elapse(model);
    const trying = connect();
    expect(await trying.isUnavailable(model)).toBe(false);
    trying.answered(model);
    await eventually(
      () => connect().list(),
      (states) => states.every((state) => state.model !== model.model),
    );
    expect(await connect().isUnavailable(model)).toBe(false);
  });

  test('another failure opens it for twice the time', async () => {
    const model = await open();
    expect(await readSeconds(model)).toBe(15);
    await elapse(model);
    await connect().failed(model, down);
    expect(await readSeconds(model)).toBe(30);
    for (let count = 0; count < 6; count += 1) {
      await elapse(model);
      await connect().failed(model, down);
    }
    expect(await readSeconds(model)).toBe(300);
  });
});

test('calls that fail at the same time open a circuit once', async () => {
  const model = newModel();
  await Promise.all(Array.from({ length: 20 }, () => connect().failed(model, down)));
  const columns = ['failures', 'openings'] as const;
  const stored = await lab.database
    .system('model_states')
    .where({ model: model.model })
    .select<Record<(typeof columns)[number], number>[]>(columns);
  expect(stored).toEqual([{ failures: 20, openings: 1 }]);
  await elapse(model);
  await connect().failed(model, down);
  expect(await readSeconds(model)).toBe(30);
});

test('limits keep a circuit open for the time that the vendor names, however often they come', async () => {
  const model = newModel();
  const limited = { code: 'MODEL_RATE_LIMITED', waitMs: 2_000 } as const;
  for (let count = 0; count < 8; count += 1) {
    await connect().failed(model, limited);
    await connect().failed(model, limited);
    expect(await readSeconds(model)).toBe(2);
    await elapse(model);
  }
  await connect().failed(model, { code: 'MODEL_RATE_LIMITED', waitMs: 10_000_000 });
  expect(await readSeconds(model)).toBe(300);
});

test('states of which nothing was heard for a day are forgotten', async () => {
  const old = await open();
  const age = lab.database.system.raw("now() - interval '25 hours'");
  await lab.database.system('model_states').where({ model: old.model }).update({ failed_at: age });
  const listed = await connect().list();
  expect(listed.map(({ model }) => model)).not.toContain(old.model);
  await connect().failed(newModel(), down);
  expect(await lab.database.system('model_states').where({ model: old.model })).toEqual([]);
});

test('a database that is away lets every model be called', async () => {
  const { url, drop } = await createTestDatabase();
  const database = connectDatabase({ url });
  await database.close();
  await drop();
  const errors: unknown[] = [];
  const states = createModelStates(database.system, { onError: (error) => errors.push(error) })(ownId);
  const model = newModel();
  await states.failed(model, down);
  expect(await states.isUnavailable(model)).toBe(false);
  expect(errors).toHaveLength(2);
});
