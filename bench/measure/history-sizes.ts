import type { HistorySize } from '../programs/contract.ts';
import { median } from '../statistics.ts';

/** Returns the medians of the sizes of histories; 0 for turns that have no workflow. */
export function toHistorySize(sizes: HistorySize[]): { historyBytes: number; historyEvents: number } {
  if (sizes.length === 0) return { historyBytes: 0, historyEvents: 0 };
  return {
    historyBytes: median(sizes.map(({ bytes }) => bytes)),
    historyEvents: median(sizes.map(({ events }) => events)),
  };
}
