import type { ReactNode } from 'react';
import { Table } from '../../ui/table.tsx';
import { laneNames } from './words.ts';

/** A figure: its name, and how it is read of a lane. */
export type Figure<Lane> = readonly [name: string, read: (lane: Lane) => ReactNode];

interface LaneFiguresProps<Lane> {
  label: string;
  /** The measured values, by the names of the lanes. */
  lanes: Readonly<Record<string, Lane>>;
  figures: readonly Figure<Lane>[];
}

/** Figures below each other, with a column for each lane, so that a narrow page has room for all of them. */
export function LaneFigures<Lane>({ label, lanes, figures }: LaneFiguresProps<Lane>) {
  const columns = Object.entries(lanes).map(([name, lane]) => ({
    ...{ name: laneNames[name] ?? name, width: '', isNumber: true },
    cell: ([, read]: Figure<Lane>) => read(lane),
  }));
  return (
    <Table
      label={label}
      items={figures}
      toKey={([name]) => name}
      columns={[{ name: 'Figure', width: '', cell: ([name]) => name }, ...columns]}
    />
  );
}
