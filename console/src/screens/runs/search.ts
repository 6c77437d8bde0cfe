import type { FindTurnsData } from '../../api/types.ts';

type Query = NonNullable<FindTurnsData['query']>;

/** The filters of the list of runs, as they stand in the address. */
export type RunsSearch = Omit<Query, 'limit' | 'cursor' | 'conversationId'>;

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
  const number = (name: string) => {
    const value = Number(given[name]);
    return given[name] !== undefined && Number.isFinite(value) ? { [name]: value } : {};
  };
  return Object.assign(
    outcome === undefined ? {} : { outcome },
    ...['agentId', 'person', 'tag', 'tool', 'text', 'from', 'to'].map(text),
    ...['costFrom', 'costTo', 'durationFrom'].map(number),
  ) as RunsSearch;
}

/** The views of one turn. */
export const turnViews = ['timeline', 'tree', 'conversation', 'raw'] as const;

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
