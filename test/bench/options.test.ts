import { describe, expect, it } from 'vitest';
import { parseBenchOptions } from '../../bench/options.ts';
import { selectRows } from '../../bench/peers/catalogue.ts';
import { selectLoads, selectStreamsRows, streamsLoadRows } from '../../bench/scale/run-streams-load.ts';

describe('--streams-load', () => {
  it('takes names of rows and numbers of conversations', () => {
    const options = parseBenchOptions(['--streams-load', '--only', 'langgraph,direct', '--at', '10,50']);
    expect(options).toMatchObject({ streamsLoad: true, only: ['langgraph', 'direct'], atOnce: [10, 50] });
    expect(selectRows(streamsLoadRows, options.only).map(({ name }) => name)).toEqual([
      'langgraph',
      'direct',
    ]);
  });

  it('measures all rows and loads when none is named', () => {
    const options = parseBenchOptions(['--streams-load']);
    expect(selectStreamsRows(options)).toBe(streamsLoadRows);
    const loads = selectLoads(options).map(({ inFlight, pieces }) => [inFlight, pieces]);
    expect(loads).toEqual([
      [1, 50],
      [10, 50],
      [50, 50],
      [50, 150],
      [200, 50],
    ]);
  });

  it('refuses a number of conversations that no load has', () => {
    expect(() => selectLoads({ quick: true, atOnce: [200], seconds: [] })).toThrow(
      '--at is "200", expected some of 10, 50.',
    );
  });

  it('measures turns of stated lengths, 10 or 20 of Holdfast at once', () => {
    const options = parseBenchOptions(['--streams-load', '--quick', '--seconds', '1,60']);
    expect(selectStreamsRows(options).map(({ name }) => name)).toEqual(['inspectable', 'direct']);
    const loads = selectLoads(options).map(({ inFlight, seconds }) => [inFlight, seconds]);
    expect(loads).toEqual([
      [10, 1],
      [20, 60],
    ]);
  });

  it('measures turns of stated lengths with other rows and numbers of conversations', () => {
    const options = parseBenchOptions(['--seconds', '15', '--only', 'langgraph', '--at', '1,20']);
    expect(selectStreamsRows(options).map(({ name }) => name)).toEqual(['langgraph']);
    const loads = selectLoads(options).map(({ inFlight, seconds }) => [inFlight, seconds]);
    expect(loads).toEqual([
      [1, 15],
      [20, 15],
    ]);
  });

  it.each(['0', '61', 'long'])('refuses turns of %s seconds', (seconds) => {
    const options = parseBenchOptions(['--streams-load', '--seconds', seconds]);
    expect(() => selectLoads(options)).toThrow('expected numbers above 0 and up to 60');
  });
});
