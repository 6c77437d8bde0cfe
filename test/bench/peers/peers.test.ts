import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { peerRows, selectRows } from '../../../bench/peers/catalogue.ts';
import { toCountersPerTurn } from '../../../bench/peers/database-counters.ts';
import { toGrowth, type PeerFigures } from '../../../bench/peers/measure-peer.ts';
import { streamingRows } from '../../../bench/peers/streaming/streaming-rows.ts';
import { toMissingPackages } from '../../../bench/peers/missing-packages.ts';
import { engines, promises } from '../../../bench/peers/promises.ts';
import { toPeersReport } from '../../../bench/peers/report-peers.ts';

const folder = path.resolve('bench/peers');

function readLock(): { packages: Record<string, { resolved?: string; optionalDependencies?: object }> } {
  return JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as ReturnType<
    typeof readLock
  >;
}

describe('selectRows', () => {
  it('returns all rows when none is named', () => {
    expect(selectRows(peerRows, [])).toBe(peerRows);
  });

  it('keeps the order of the catalogue', () => {
    expect(selectRows(peerRows, ['restate', 'dbos']).map(({ name }) => name)).toEqual(['dbos', 'restate']);
  });

  it('names a row that does not exist', () => {
    expect(() => selectRows(peerRows, ['dbos', 'nobody'])).toThrow('--only names "nobody"');
  });
});

describe('the catalogue of peers', () => {
  it.each(peerRows)('has a program for $name', ({ module }) => {
    expect(existsSync(path.join(folder, 'engines', module))).toBe(true);
  });

  it.each(streamingRows)('has a program for $name while answers stream', ({ module }) => {
    expect(existsSync(path.join(folder, 'streaming', 'engines', module))).toBe(true);
  });

  it('needs only packages that npm may leave out when it cannot get them', () => {
    const optional = Object.keys(readLock().packages['']?.optionalDependencies ?? {});
    const needed = [...peerRows, ...streamingRows].flatMap(({ packages }) => packages);
    expect(needed.filter((name) => !optional.includes(name))).toEqual([]);
  });

  it('locks its packages without the host of a registry', () => {
    expect(Object.values(readLock().packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('says of every engine what it promises', () => {
    expect(promises.filter((cells) => cells.length !== engines.length + 1)).toEqual([]);
  });
});

describe('toMissingPackages', () => {
  const wanted = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } };

  it('names packages that npm left out', () => {
    const present = { 'node_modules/b': { version: '2.0.0' } };
    expect(toMissingPackages(['a', 'b'], { wanted, present })).toEqual(['a']);
  });

  it('names packages of another version', () => {
    const present = { ...wanted, 'node_modules/b': { version: '1.9.0' } };
    expect(toMissingPackages(['a', 'b'], { wanted, present })).toEqual(['b']);
  });
});

describe('toGrowth', () => {
  const latenciesMs = Array.from({ length: 12 }, (_, index) => index + 1);

  it('is the median of the turns around a place', () => {
    expect(toGrowth(latenciesMs, { positions: [5, 10], turns: 5 })).toEqual({ 5: 5, 10: 10 });
  });

  it('leaves out places that were not reached', () => {
    expect(toGrowth(latenciesMs, { positions: [5, 11], turns: 5 })).toEqual({ 5: 5 });
  });
});

describe('toCountersPerTurn', () => {
  it('shares the growth between the turns', () => {
    const before = { commits: 10, flushes: 5, walBytes: 1000 };
    const after = { commits: 80, flushes: 40, walBytes: 11_000 };
    expect(toCountersPerTurn(before, after, 10)).toEqual({ commits: 7, flushes: 3.5, walBytes: 1000 });
  });
});

describe('toPeersReport', () => {
  const row: PeerFigures = {
    row: 'dbos',
    medianMs: 13.24,
    p95Ms: 20,
    turnsPerSecond: { 8: 190, 32: 198 },
    growthMs: { 1: 13.24, 50: 13.5 },
    processorSeconds: { program: 3, postgres: 4 },
    memoryMiB: { program: 150, postgres: 90 },
    perTurn: { commits: 10, flushes: 9, walBytes: 20_480 },
  };
  const machine = { system: 's', processor: 'p', cores: 2, memoryGiB: 4, node: 'v', loadBefore: 0 };
  const toLines = (rows: PeerFigures[], problems: string[] = []) =>
    toPeersReport({ startedAt: '', quick: false, machine, rows, problems }).split('\n');

  it('marks rows that keep no conversation', () => {
    expect(toLines([row]).some((line) => /^dbos +13\.2 .*13\.2\* +13\.5\*$/.test(line))).toBe(true);
  });

  it('leaves places empty that a row did not reach or a process that it does not have', () => {
    const slow = { ...row, row: 'restate', growthMs: { 1: 9 }, perTurn: null };
    const lines = toLines([row, slow]);
    expect(lines.some((line) => /^restate .* 9\.0 +-$/.test(line))).toBe(true);
    expect(lines.some((line) => /^dbos +3\.0 +- +4\.0 +- +7\.0 +150 +- +90 +- +240$/.test(line))).toBe(true);
    expect(lines.some((line) => /^restate +- +- +-$/.test(line))).toBe(true);
  });

  it('names the rows that failed', () => {
    expect(toLines([], ['dbos: @dbos-inc/dbos-sdk could not be installed'])).toContain(
      'FAILED: dbos: @dbos-inc/dbos-sdk could not be installed',
    );
  });
});
