/** The views of one schedule. */
export const scheduleViews = ['runs', 'settings'] as const;

/** What is shown of one schedule. */
export interface ScheduleSearch {
  view: (typeof scheduleViews)[number];
}

/** Reads what is shown of one schedule from an address. */
export function parseScheduleSearch(
  given: Record<string, unknown>,
): ScheduleSearch & Record<string, unknown> {
  return { view: scheduleViews.find((view) => view === given['view']) ?? 'runs' };
}
