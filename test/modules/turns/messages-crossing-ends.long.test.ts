import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { crossedEnds, type Crossing } from '../../labs/crossing-case.ts';
import { findCrossingProblems } from '../../labs/crossing-problems.ts';
import {
  createCrossing,
  startCrossingLab,
  startSweeping,
  type CrossingEvidence,
} from '../../labs/crossing-scene.ts';
import { temporalAddress } from '../../labs/temporal.ts';
import type { TurnLab } from '../../labs/turn-lab.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';

const ends = crossedEnds.filter((end) => end !== 'answer');

const crossings: Crossing[] = executionModes.flatMap((execution) =>
  ends.flatMap((end) => (['seen', 'waiting'] as const).map((message) => ({ execution, end, message }))),
);

const faults = ['slow', 'dead'] as const;
type Fault = (typeof faults)[number];

const slowMs = 500;

interface FaultyLab {
  lab: TurnLab;
  proxy: TcpProxy;
}

const labs: FaultyLab[] = [];
const results = new Map<string, PromiseSettledResult<CrossingEvidence> | undefined>();
const nameOf = (fault: Fault, { execution, end, message }: Crossing) =>
  `${fault} ${execution} ${end} ${message}`;

/** Runs all crossings side by side. The fault comes when all turns have begun. */
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
  await Promise.allSettled(scenes.map((scene) => scene.waitForEnd()));
  // The turns that follow keep the short time limits, which a slow line alone would exceed.
  proxy.delay(0);
  const settled = await Promise.allSettled(scenes.map((scene) => scene.settle()));
  crossings.forEach((crossing, index) => results.set(nameOf(fault, crossing), settled[index]));
}

beforeAll(async () => {
  await Promise.all(
    faults.map(async (fault) => {
      const proxy = await startTcpProxy(`tcp://${temporalAddress()}`);
      const faulty = { proxy, lab: await startCrossingLab(`127.0.0.1:${proxy.port}`) };
      labs.push(faulty);
      const stopSweeping = startSweeping(faulty.lab);
      await runAll(fault, faulty).finally(stopSweeping);
    }),
  );
}, 600_000);

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
      const result = results.get(nameOf(fault, crossing));
      if (result?.status !== 'fulfilled') throw new Error('not all turns ended', { cause: result?.reason });
      expect(findCrossingProblems(result.value)).toEqual([]);
    },
  );
});
