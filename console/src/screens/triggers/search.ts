import type { TriggerDelivery } from '../../api/types.ts';

/** The views of one trigger. */
export const triggerViews = ['events', 'settings'] as const;

/** The states of events, in the words of the API. */
export const eventStatuses: readonly TriggerDelivery['status'][] = [
  'accepted',
  'started',
  'ignored',
  'failed',
  'refused',
];

/** What is shown of one trigger. */
export interface TriggerSearch {
  view: (typeof triggerViews)[number];
  status?: TriggerDelivery['status'];
  /** The id of the chosen event. */
  event?: string;
}

/** Reads what is shown of one trigger from an address. */
export function parseTriggerSearch(given: Record<string, unknown>): TriggerSearch & Record<string, unknown> {
  const status = eventStatuses.find((one) => one === given['status']);
  const event = given['event'];
  return {
    view: triggerViews.find((view) => view === given['view']) ?? 'events',
    ...(status === undefined ? {} : { status }),
    ...(typeof event === 'string' && event !== '' ? { event } : {}),
  };
}
