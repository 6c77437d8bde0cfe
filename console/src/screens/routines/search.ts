/** The views of the list. */
export const routinesViews = ['routines', 'runs'] as const;

/** What the list shows. */
export interface RoutinesSearch {
  view: (typeof routinesViews)[number];
}

/** Reads what the list shows from an address. */
export function parseRoutinesSearch(
  given: Record<string, unknown>,
): RoutinesSearch & Record<string, unknown> {
  return { view: routinesViews.find((view) => view === given['view']) ?? 'routines' };
}

/** The views of one routine. */
export const routineViews = ['diagram', 'document', 'runs'] as const;

/** What is shown of one routine. */
export interface RoutineSearch {
  view: (typeof routineViews)[number];
}

/** Reads what is shown of one routine from an address. */
export function parseRoutineSearch(given: Record<string, unknown>): RoutineSearch & Record<string, unknown> {
  return { view: routineViews.find((view) => view === given['view']) ?? 'diagram' };
}

/** The views of one run. */
export const runViews = ['diagram', 'steps', 'raw'] as const;

/** What is shown of one run. */
export interface RunSearch {
  view: (typeof runViews)[number];
  /** The number of the chosen step. */
  step?: number;
}

/** Reads what is shown of one run from an address. */
export function parseRunSearch(given: Record<string, unknown>): RunSearch & Record<string, unknown> {
  const step = Number(given['step']);
  return {
    view: runViews.find((view) => view === given['view']) ?? 'diagram',
    ...(Number.isInteger(step) && step > 0 ? { step } : {}),
  };
}
