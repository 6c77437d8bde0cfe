import pg from 'pg';
import { expect, test } from 'vitest';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createCleanups } from '../../labs/cleanups.ts';
import { eventually } from '../../labs/eventually.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startPetServer } from '../../servers/pet-server.ts';
import type { ChatRequestBody } from '../../servers/scripted-model.ts';

const cleanups = createCleanups();

/** The number of the lock for which the ends of calls wait. */
const endsLock = 4_711;

/** Lets the end of each call wait until the test lets go of a lock: the outside has answered, and nothing is recorded. */
async function holdEnds(lab: TurnLab) {
  await lab.asOwner(`
    CREATE FUNCTION hold_ends() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(${endsLock}); RETURN NEW; END $$;
    CREATE TRIGGER hold_ends BEFORE UPDATE ON tool_calls FOR EACH ROW
      WHEN (OLD.status = 'started' AND NEW.status NOT IN ('started', 'requested')) EXECUTE FUNCTION hold_ends();`);
  // A session of its own: those of the pool are ended when a transaction idles.
  const lock = new pg.Client(lab.databaseUrl);
  await lock.connect();
  cleanups.push(() => lock.end());
  await lock.query(`SELECT pg_advisory_lock(${endsLock})`);
  const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${endsLock} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return {
    /** Waits until so many ends wait. */
    until: (count: number) =>
      eventually(
        async () => (await lab.database.system.raw<{ rows: unknown[] }>(`SELECT pid ${waiting}`)).rows.length,
        (found) => found === count,
      ),
    /** Ends the sessions that wait, as the database does for a client that is gone, and lets later ones go on. */
    drop: async () => {
      await lab.asOwner(`SELECT pg_terminate_backend(pid) ${waiting}`);
      await lab.asOwner('DROP TRIGGER hold_ends ON tool_calls');
      await lock.query(`SELECT pg_advisory_unlock(${endsLock})`);
    },
  };
}

const says = (prompt: string) => (body: ChatRequestBody) => body.messages.at(-1)?.content === prompt;

test(
  'a worker that is killed before it records what calls have answered repeats no unsafe call, and pays for no model twice',
  { timeout: 120_000 },
  async () => {
    const [lab, pets] = await Promise.all([startTurnLab({ worker: false }), startPetServer()]);
    cleanups.push(
      () => lab.close(),
      () => pets.close(),
    );
    const scene = await createRoutineScene(lab);
    await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
    const calls = {
      read: `call: http, with: { method: get, endpoint: '${pets.url}/api/pets/1' }`,
      write: `call: http, with: { method: post, endpoint: '${pets.url}/api/pets/2', body: { name: Rex } }`,
      find: `call: openapi, with: { document: { endpoint: '${pets.url}/openapi.yaml' }, operationId: findPetsByStatus, parameters: { status: [sold] } }`,
      add: `call: openapi, with: { document: { endpoint: '${pets.url}/swagger.json' }, operationId: addPet, parameters: { body: { name: Rex } } }`,
      think: 'call: model, with: { prompt: Think. }',
      ponder: 'call: model, with: { prompt: Ponder. }',
    };
    const branches = Object.entries(calls).map(
      ([name, task]) =>
        `          - ${name}: { try: [{ call: { ${task} } }], catch: { do: [{ keep: { set: { told: '\${ $error.title }' } } }] } }`,
    );
    const { id } = await scene.store(
      toDocument('killed', `  - all:\n      fork:\n        branches:\n${branches.join('\n')}`),
    );
    scene.reply(
      { text: 'Thought.', when: says('Think.') },
      { text: 'Too late.', when: says('Ponder.'), delayMs: 60_000 },
      { text: 'Pondered.', when: says('Ponder.') },
    );
    const ends = await holdEnds(lab);
    const first = await lab.startWorkerProcess();
    const runId = await scene.start(id);

    // One of the models has not answered yet.
    await ends.until(5);
    await scene.waitForRequest(2);
    await first.kill();
    await ends.drop();
    const second = await lab.startWorkerProcess();

    const run = await scene.end(runId);
    const unknown = { told: 'TOOL_OUTCOME_UNKNOWN' };
    expect(run).toMatchObject({
      status: 'completed',
      output: [{ id: 1 }, unknown, [{ status: 'sold' }], unknown, 'Thought.', 'Pondered.'],
    });
    const sent = pets.requests.map(({ method, url }) => `${method} ${url}`);
    expect(sent.toSorted()).toEqual([
      ...['GET /api/pets/1', 'GET /api/pets/1'],
      ...['GET /api/pets/findByStatus?status=sold', 'GET /api/pets/findByStatus?status=sold'],
      ...['GET /openapi.yaml', 'GET /swagger.json', 'POST /api/pets', 'POST /api/pets/2'],
    ]);
    const prompts = scene.requests().map(({ body }) => body.messages.at(-1)?.content);
    expect(prompts.toSorted()).toEqual(['Ponder.', 'Ponder.', 'Think.']);
    expect(await scene.readEntries(runId)).toMatchObject([
      { kind: 'model', status: 'settled', credits: 1_000 },
      { kind: 'model', status: 'settled', credits: 1_000 },
    ]);
    const ledger = await lab.readLedger(runId);
    expect(ledger.map(({ status }) => status)).toEqual(
      run.steps
        .filter(({ kind }) => kind === 'call')
        .map((_, index) => ['succeeded', 'unknown'][Number(index === 1 || index === 3)]),
    );
    await second.stop();
  },
);
