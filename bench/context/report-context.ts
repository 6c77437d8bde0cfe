import { compactionModes } from '../../src/domain/compaction.ts';
import { toTable } from '../table.ts';
import type { ContextFigures } from './run-context.ts';

const rowCount = 10;

/** The figures as a table for people: the input tokens of a turn, with the summaries, in the mean of a tenth of all turns. */
export function toContextReport({ conversations, threshold }: ContextFigures): string {
  const turns = conversations.off.answers.length;
  const size = Math.max(1, Math.ceil(turns / rowCount));
  const rows = Array.from({ length: Math.ceil(turns / size) }, (_, row) => {
    const means = compactionModes.map((mode) => {
      const some = conversations[mode].answers.slice(row * size, (row + 1) * size);
      return String(Math.round(sum(some) / some.length));
    });
    return [`${row * size + 1} to ${Math.min(turns, (row + 1) * size)}`, ...means];
  });
  const line = (name: string, of: (mode: (typeof compactionModes)[number]) => number) => [
    name,
    ...compactionModes.map((mode) => String(of(mode))),
  ];
  return [
    toTable(
      ['input tokens of a turn', ...compactionModes],
      [
        ...rows,
        line('calls for summaries', (mode) => conversations[mode].summaries.length),
        line('their input tokens', (mode) => sum(conversations[mode].summaries)),
        line(
          'input tokens in all',
          (mode) => sum(conversations[mode].answers) + sum(conversations[mode].summaries),
        ),
        line('facts of 10 known at the end', (mode) => conversations[mode].facts),
      ],
    ),
    '',
    `${turns} turns in each conversation; compactionThreshold is ${threshold}.`,
  ].join('\n');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
