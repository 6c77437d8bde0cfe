/** The runs that a new replay takes, as they stand in the address. */
export interface NewSearch {
  /** The ids of chosen runs, separated by commas. */
  turnIds?: string;
  agentId?: string;
  tag?: string;
  tool?: string;
  /** The time from which runs are taken, and the one before which. */
  from?: string;
  to?: string;
  /** The version of the agent that is tried. */
  agentVersionId?: string;
}

const newNames = ['turnIds', 'agentId', 'tag', 'tool', 'from', 'to', 'agentVersionId'] as const;

/** Reads the runs that a new replay takes from an address. */
export function parseNewSearch(given: Record<string, unknown>): NewSearch & Record<string, unknown> {
  const found = newNames.flatMap((name) => {
    const value = given[name];
    const text = Array.isArray(value) ? value.join() : value;
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  return Object.fromEntries(found) as NewSearch & Record<string, unknown>;
}

/** The views of a replay. */
export const replayViews = ['decision', 'cases', 'order'] as const;

/** Which cases are shown. */
export const caseFilters = ['all', 'changed', 'worse', 'better'] as const;
export type CaseFilter = (typeof caseFilters)[number];

/** What is chosen on the page of a replay. */
export interface ReplaySearch {
  view: (typeof replayViews)[number];
  show: CaseFilter;
  /** Words that the message, the answers or the differences of the cases have. */
  text?: string;
}

/** Reads what is chosen on the page of a replay from an address. */
export function parseReplaySearch(given: Record<string, unknown>): ReplaySearch & Record<string, unknown> {
  const text = given['text'];
  return {
    view: replayViews.find((view) => view === given['view']) ?? 'decision',
    show: caseFilters.find((filter) => filter === given['show']) ?? 'all',
    ...(typeof text === 'string' && text !== '' ? { text } : {}),
  };
}

/** What stands beside the recorded run of a case, such as `candidate 1`. */
export interface CaseSearch {
  beside?: string;
}

/** Reads what stands beside the recorded run of a case from an address. */
export function parseCaseSearch(given: Record<string, unknown>): CaseSearch & Record<string, unknown> {
  const beside = given['beside'];
  return typeof beside === 'string' ? { beside } : {};
}
