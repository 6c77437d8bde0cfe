import type { FindTurnsData } from '../../api/types.ts';

type Query = NonNullable<FindTurnsData['query']>;

/** The filters of the list of runs, as they stand in the address. */
export type RunsSearch = Pick<Query, 'agentId' | 'person' | 'tag' | 'outcome' | 'from' | 'to'>;

const outcomes = [
  'open',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
  'iteration_limit',
  'steered',
] as const;

/** The outcomes by which runs are chosen, in the words of the API. */
export const runOutcomes: readonly NonNullable<RunsSearch['outcome']>[] = outcomes;

/** Reads the filters of an address; what is none of them is left out. */
export function parseRunsSearch(given: Record<string, unknown>): RunsSearch {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const outcome = outcomes.find((one) => one === given['outcome']);
  return {
    ...['agentId', 'person', 'tag', 'from', 'to'].reduce((found, name) => ({ ...found, ...text(name) }), {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** The views of one turn. */
export const turnViews = ['timeline', 'conversation', 'raw'] as const;

/** What is chosen on the page of one turn. */
export interface TurnSearch {
  view: (typeof turnViews)[number];
  /** The chosen step of the timeline. */
  step?: string;
}

/** Reads what is chosen on the page of one turn. */
export function parseTurnSearch(given: Record<string, unknown>): Record<string, unknown> & TurnSearch {
  const step = given['step'];
  return {
    view: turnViews.find((view) => view === given['view']) ?? 'timeline',
    ...(typeof step === 'string' ? { step } : {}),
  };
}
