import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionMode } from '../../../src/domain/agent.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { crossingMessages, type CrossedEnd, type Crossing } from '../../labs/crossing-case.ts';
import { findCrossingProblems } from '../../labs/crossing-problems.ts';
import {
  createCrossing,
  crossedText,
  crossingText,
  startCrossingLab,
  startSweeping,
} from '../../labs/crossing-scene.ts';
import type { TurnLab } from '../../labs/turn-lab.ts';

const page = readFileSync(new URL('../../../docs/steering.md', import.meta.url), 'utf8');
const [, table = ''] = page.split(/<!-- \/?crossings -->/);

/** The rows of the table in `docs/steering.md`: the end of the turn, and the turn that answers each message. */
export const rows = [...table.matchAll(/\(`(\w+)`\) *\|(.*)\|/g)].map(([, end = '', cells = '']) => ({
  end,
  cells: cells.split('|').map((cell) => cell.trim()),
}));

function toCell(own: TurnDetails | undefined, crossedId: string | undefined): string {
  if (own?.outcome !== 'steered') return 'next turn';
  return own.steeredInto === crossedId ? 'same turn' : 'interrupting turn';
}

/** Tests that messages that cross some ends of turns are answered as the table says. */
export function testCrossings(modes: readonly ExecutionMode[], ends: readonly CrossedEnd[]): void {
  let lab: TurnLab;
  let stopSweeping: () => Promise<void>;

  beforeAll(async () => {
    lab = await startCrossingLab();
    stopSweeping = startSweeping(lab);
  });

  afterAll(async () => {
    await stopSweeping();
    await lab.close();
  });

  describe.each(modes)('in %s execution', (execution) => {
    const crossings: Crossing[] = ends.flatMap((end) =>
      crossingMessages.map((message) => ({ execution, end, message })),
    );

    test.concurrent.for(crossings)(
      'a $message message at the end by $end is answered as the table says',
      async (crossing) => {
        const scene = await createCrossing(lab, crossing);
        await scene.begin();
        await scene.cross();
        const evidence = await scene.settle();

        expect(findCrossingProblems(evidence)).toEqual([]);
        const turnOf = (sent: string) => evidence.sent.find(({ text }) => text === sent)?.turn;
        const cell = rows.find(({ end }) => end === crossing.end)?.cells[
          crossingMessages.indexOf(crossing.message)
        ];
        expect(toCell(turnOf(crossingText), turnOf(crossedText)?.id)).toBe(cell);
      },
    );
  });
}
