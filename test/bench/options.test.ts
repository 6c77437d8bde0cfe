import { describe, expect, it } from 'vitest';
import { parseBenchOptions } from '../../bench/options.ts';
import { selectRows } from '../../bench/peers/catalogue.ts';
import { selectLoads, streamsLoadRows } from '../../bench/scale/run-streams-load.ts';

describe('--streams-load', () => {
  it('takes names of rows and numbers of conversations', () => {
    const options = parseBenchOptions(['--streams-load', '--only', 'langgraph,fast', '--at', '10,50']);
    expect(options).toMatchObject({ streamsLoad: true, only: ['langgraph', 'fast'], atOnce: [10, 50] });
    expect(selectRows(streamsLoadRows, options.only).map(({ name }) => name)).toEqual(['langgraph', 'fast']);
  });

  it('measures all rows and loads when none is named', () => {
    const { only, atOnce } = parseBenchOptions(['--streams-load']);
    expect(selectRows(streamsLoadRows, only)).toBe(streamsLoadRows);
    const loads = selectLoads({ quick: false, atOnce }).map(({ inFlight, pieces }) => [inFlight, pieces]);
    expect(loads).toEqual([
      [1, 50],
      [10, 50],
      [50, 50],
      [50, 150],
      [200, 50],
    ]);
  });

  it('refuses a number of conversations that no load has', () => {
    expect(() => selectLoads({ quick: true, atOnce: [200] })).toThrow(
      '--at is "200", expected some of 10, 50.',
    );
  });
});
