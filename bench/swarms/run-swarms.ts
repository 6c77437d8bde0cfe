import { setTimeout as sleep } from 'node:timers/promises';
import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { openPlace, type PlaceOptions } from '../place.ts';
import type { RawSwarmInput } from '../programs/contract.ts';
import { ownRows } from '../rows.ts';
import { setStage, type Stage } from '../stage.ts';

/** How many subtasks run at the same time. */
export const swarmConcurrency = 10;

/** The rounds before those that are measured: the code of a new program is compiled in them. */
const warmUpRounds = 2;

/** How often the end of a swarm is looked for, in milliseconds; its times are those that are stored. */
const pollMs = 100;

/** A measured arrangement of the same number of turns or of their baselines. */
export type SwarmRow =
  | { name: string; kind: 'raw'; parts: RawSwarmInput['parts'] }
  | { name: string; kind: 'turns' | 'swarm'; execution: ExecutionMode; floor?: string };

/** The rows in the order in which they take turns in a round. */
export const swarmRows: readonly SwarmRow[] = [
  { name: 'raw engine: activities', kind: 'raw', parts: 'steps' },
  ...executionModes.flatMap((execution): SwarmRow[] => {
    const floor = `raw engine: child workflows for ${execution} turns`;
    const parts = execution === 'direct' ? 'children with local steps' : 'children';
    return [
      { name: floor, kind: 'raw', parts },
      { name: `${execution} turns without a swarm`, kind: 'turns', execution },
      { name: `swarm of ${execution} turns`, kind: 'swarm', execution, floor },
    ];
  }),
];

/** The figures of swarms. */
export interface SwarmFigures {
  startedAt: string;
  machine: Machine;
  /** The number of subtasks, turns or activities. */
  count: number;
  /** Milliseconds of each round, by the name of the row. */
  ms: Record<string, number[]>;
}

interface RunSwarmsOptions extends PlaceOptions {
  count: number;
  rounds: number;
  profile: string | undefined;
}

/** Runs the rows in rounds. Each turn is one call of a model that answers immediately. */
export async function runSwarms({
  count,
  rounds,
  profile,
  ...options
}: RunSwarmsOptions): Promise<SwarmFigures> {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  options.say('starting Postgres, Temporal, the API and the workers (usually 20 seconds) …');
  const place = openPlace(options, stack);
  const stage = await setStage(place, { engine: 'dev-server', profile, agents: { model: 'demo' } });
  if (!stage) throw new Error('There is no Temporal server.');
  const client = createHoldfastClient({ baseUrl: stage.origin, apiKey: stage.seed.apiKey });
  const ms: SwarmFigures['ms'] = Object.fromEntries(swarmRows.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    options.say(`round ${round + 1} of ${warmUpRounds + rounds} …`);
    for (const row of swarmRows) {
      const taken = await measure({ stage, client, count }, row);
      if (round >= warmUpRounds) ms[row.name]?.push(taken);
    }
  }
  return { startedAt, machine, count, ms };
}

interface Measurement {
  stage: Stage;
  client: HoldfastClient;
  count: number;
}

async function measure({ stage, client, count }: Measurement, row: SwarmRow): Promise<number> {
  const { workers, rawWorker, seed } = stage;
  const inFlight = swarmConcurrency;
  if (row.kind === 'raw') return rawWorker.ask('runSwarm', { count, inFlight, parts: row.parts });
  const { execution } = row;
  if (row.kind === 'swarm') return runSwarm(client, { agentId: seed.agentIds[execution], count });
  const turns = ownRows.find((own) => own.execution === execution);
  if (!turns) throw new Error(`there is no row of ${execution} turns`);
  const { turnsPerSecond } = await workers.holdfast.ask('runBatch', { row: turns, inFlight, turns: count });
  return (count / turnsPerSecond) * 1000;
}

/** Returns the milliseconds from the storing of a swarm to its end. */
async function runSwarm(client: HoldfastClient, { agentId, count }: { agentId: string; count: number }) {
  let swarm = await client.swarms.create({
    ...{ kind: 'rich', goal: 'Do nothing, a hundred times.' },
    subtasks: Array.from({ length: count }, (_, index) => ({
      ...{ id: `${index}`, description: 'Do nothing.', assignee: agentId },
    })),
    limits: { concurrency: swarmConcurrency },
  });
  while (swarm.settledAt === null) {
    await sleep(pollMs);
    swarm = await client.swarms.get(swarm.id);
  }
  if (swarm.status !== 'completed') throw new Error(`The swarm is ${swarm.status}: ${swarm.reason}`);
  return Date.parse(swarm.settledAt) - Date.parse(swarm.createdAt);
}
