import { expect, test } from 'vitest';
import { procedureRows, routineSteps } from '../../bench/routines/procedures.ts';
import { toRoutinesReport } from '../../bench/routines/report-routines.ts';
import type { ProcedureFigures, RoutineFigures } from '../../bench/routines/run-routines.ts';
import { checkRoutineDocument } from '../../src/modules/routines/documents/check-document.ts';

const toRow = (name: string, floors: string[], [ms, perSecond]: [number, number]): ProcedureFigures => ({
  ...{ name, floors, latenciesMs: [ms, ms, 2 * ms], perSecond },
  ...{ processorSeconds: { worker: 0.1, temporal: 0.2, postgres: 0 }, history: { bytes: 1_000, events: 10 } },
});

const figures: RoutineFigures = {
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: {
    processor: 'CPU',
    cores: 2,
    memoryGiB: 8,
    system: 'linux x64',
    node: 'v24.0.0',
    loadBefore: 0.1,
  },
  rows: [
    toRow('floor', [], [100, 3]),
    toRow('mixed', ['floor'], [150, 2]),
    toRow('slow', ['floor'], [151, 2]),
    toRow('few', ['floor'], [100, 1.9]),
  ],
};

test('compares the latency and the rate of routines with those of their floors', () => {
  const lines = toRoutinesReport(figures).split('\n');
  const find = (name: string) => lines.find((line) => line.startsWith(`${name} / floor`));
  expect(find('mixed')).toMatch(/1\.50 +1\.50 +PASS$/);
  expect(find('slow')).toMatch(/1\.51 +1\.50 +FAIL$/);
  expect(find('few')).toMatch(/1\.00 +1\.58 +FAIL$/);
  expect(find('floor')).toBeUndefined();
});

test('measures routines of a hundred steps that the API accepts', async () => {
  for (const { procedure } of procedureRows) {
    if (!('document' in procedure)) continue;
    await expect(checkRoutineDocument(procedure.document)).resolves.toBeUndefined();
    expect(procedure.document.do).toHaveLength(routineSteps);
  }
});
