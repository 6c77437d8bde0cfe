import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { crossedEnds, type Crossing } from '../labs/crossing-case.ts';
import { findCrossingProblems } from '../labs/crossing-problems.ts';
import { createCrossing, startCrossingLab, type CrossingEvidence } from '../labs/crossing-scene.ts';
import { temporalAddress } from '../labs/temporal.ts';
import type { TurnLab } from '../labs/turn-lab.ts';
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts';

const ends = crossedEnds.filter((end) => end !== 'answer');

const crossings: Crossing[] = executionModes.flatMap((execution) =>
  ends.flatMap((end) => (['seen', 'waiting'] as const).map((message) => ({ execution, end, message }))),
);

const faults = ['slow', 'dead'] as const;
type Fault = (typeof faults)[number];

const slowMs = 500;
const sweepEveryMs = 1_000;

interface FaultyLab {
  lab: TurnLab;
  proxy: TcpProxy;
}

const labs: FaultyLab[] = [];
const results = new Map<string, CrossingEvidence | undefined>();
const nameOf = (fault: Fault, { execution, end, message }: Crossing) =>
  `${fault} ${execution} ${end} ${message}`;

/** Runs all crossings side by side: the fault comes when the last turn has begun, and ends when all messages are stored. */
async function runAll(fault: Fault, { lab, proxy }: FaultyLab): Promise<void> {
  const scenes = await Promise.all(crossings.map((crossing) => createCrossing(lab, crossing)));
  // The turns with a short time limit begin when the machine has started all others.
  const isHurried = (_: unknown, index: number) => crossings[index]?.end === 'deadline';
  const hurried = scenes.filter(isHurried);
  await Promise.all(scenes.filter((scene) => !hurried.includes(scene)).map((scene) => scene.begin()));
  await Promise.all(hurried.map((scene) => scene.begin()));
  if (fault === 'slow') proxy.delay(slowMs);
  else await proxy.cut();
  await Promise.all(scenes.map((scene) => scene.cross()));
  if (fault === 'dead') await proxy.mend();
  const settled = await Promise.all(scenes.map((scene) => scene.settle()));
  crossings.forEach((crossing, index) => results.set(nameOf(fault, crossing), settled[index]));
  proxy.delay(0);
}

/** Sweeps until the work has ended, as a schedule does in a deployment. */
async function whileSwept(lab: TurnLab, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const sweeping = (async () => {
    while (!ended.signal.aborted) {
      await sleep(sweepEveryMs, undefined, { signal: ended.signal }).catch(() => undefined);
      await lab.sweep().catch(() => undefined);
    }
  })();
  await work.finally(() => ended.abort());
  await sweeping;
}

beforeAll(async () => {
  await Promise.all(
    faults.map(async (fault) => {
      const proxy = await startTcpProxy(`tcp://${temporalAddress()}`);
      const faulty = { proxy, lab: await startCrossingLab(`127.0.0.1:${proxy.port}`) };
      labs.push(faulty);
      await whileSwept(faulty.lab, runAll(fault, faulty));
    }),
  );
});

afterAll(async () => {
  for (const { lab, proxy } of labs) {
    await lab.close();
    await proxy.close();
  }
});

describe.each(faults)('while Temporal is %s', (fault) => {
  test.for(crossings)(
    'a $message message in $execution execution, at the end by $end, is answered once',
    (crossing) => {
      const evidence = results.get(nameOf(fault, crossing));
      expect(evidence && findCrossingProblems(evidence)).toEqual([]);
    },
  );
});
