// The package's own declarations are not found, since its `exports` do not name them. These are the functions used here.
declare module 'cephes' {
  /** Settles when the functions can be called. */
  export const compiled: Promise<void>;
  /** Quantile of the standard normal distribution. */
  export function ndtri(probability: number): number;
  /** Quantile of Student's t. */
  export function stdtri(degreesOfFreedom: number, probability: number): number;
  /** Probability of at most `successes` in `trials` trials. */
  export function bdtr(successes: number, trials: number, probability: number): number;
}
