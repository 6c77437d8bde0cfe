import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { repeat, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { startLanes } from './load.ts';
import type { World } from './world.ts';

const order = { order: '${ $workflow.input.order }' };

/** Pays and books at the same time, waits, and looks twice. The outcome of an interrupted payment is unknown. */
const tasks: JsonObject[] = [
  {
    both: {
      fork: {
        branches: [
          {
            paying: {
              try: [{ pay: { call: 'pay', with: order } }],
              catch: { do: [{ unclear: { set: order } }] },
            },
          },
          { book: { call: 'book', with: order } },
        ],
      },
    },
  },
  { rest: { wait: { milliseconds: 300 } } },
  { looks: { for: { each: 'time', in: '[1, 2]' }, do: [{ look: { call: 'look', with: order } }] } },
  { done: { set: { ...order, looked: '${ [1, 2] | add }' } } },
];

/** Starts runs of a routine, which the API accepts under one key each. */
export function startRoutineLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const routines = new Map<ExecutionMode, Promise<string | undefined>>();

  function findRoutine(execution: ExecutionMode, signal: AbortSignal): Promise<string | undefined> {
    const known = routines.get(execution);
    if (known) return known;
    const header = { dsl: '1.0.0', namespace: 'faults', name: `${name}-${execution}`, version: '1.0.0' };
    const routine = { agentId: world.agentIds[execution], document: { document: header, do: tasks } };
    const created = repeat(() => client.routines.create(routine), signal).then((one) => one?.id);
    routines.set(execution, created);
    return created;
  }

  const load = startLanes(world, name, async (mark, execution, stopped) => {
    const routineId = await findRoutine(execution, stopped);
    if (routineId === undefined) return undefined;
    const start = () =>
      client.routines.start(routineId, { input: { order: mark } }, { idempotencyKey: mark });
    return (await repeat(start, stopped))?.id;
  });
  return {
    ...load,
    check: async (turns) => findRunProblems(turns, await readRuns(world.databaseUrl, turns)),
  };
}

/** A run as it is stored, with the numbers of its steps. */
interface StoredRun {
  id: string;
  status: string;
  output: JsonValue;
  steps: number[];
}

async function readRuns(databaseUrl: string, turns: AcceptedTurn[]): Promise<StoredRun[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<StoredRun>(
      `SELECT id, status, output, ARRAY(SELECT number FROM routine_steps WHERE run_id = r.id ORDER BY number) AS steps
       FROM routine_runs r WHERE id = ANY($1)`,
      [turns.map(({ id }) => id)],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Compares runs with what their document says: each has ended with its output, and has each of its steps once. */
function findRunProblems(turns: AcceptedTurn[], runs: StoredRun[]): string[] {
  return turns.flatMap(({ id, order: mark }) => {
    const run = runs.find((one) => one.id === id);
    if (!run) return [`there is no run ${id}`];
    const isWhole = run.steps.every((number, index) => number === index + 1);
    return [
      ...(isDeepStrictEqual(run.output, { order: mark, looked: 3 })
        ? []
        : [`the run of ${mark} is ${run.status}`]),
      ...(isWhole ? [] : [`the run of ${mark} has the steps ${run.steps.join()}`]),
    ];
  });
}
