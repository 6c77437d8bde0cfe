import type { Estimate } from './clustered-mean.ts';

/** One metric of two versions; the difference is that of the second version less the first. */
export interface Comparison {
  /** Conversations that the pairs come from. */
  clusters: number;
  first: Estimate;
  second: Estimate;
  difference: Estimate;
  /** `null` when there are too few conversations for a test. */
  pValue: number | null;
  /** `null` when no difference could have been shown, or when nothing is known about the spread. */
  detectableDifference: number | null;
}
