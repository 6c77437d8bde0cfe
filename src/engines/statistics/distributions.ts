import * as cephes from 'cephes';

// The module compiles its WebAssembly (3 ms) when it is imported; its functions throw until then.
await cephes.compiled;

/** Returns the value below which a standard normal variable lies with this probability. */
export const normalQuantile = (probability: number): number => cephes.ndtri(probability);

/** Returns the value below which Student's t with whole degrees of freedom lies with this probability. */
export const studentQuantile = (degreesOfFreedom: number, probability: number): number =>
  cephes.stdtri(degreesOfFreedom, probability);

/** Returns the probability of at most `successes` in `trials` trials; zero for fewer than none. */
export const binomialCdf = (successes: number, trials: number, probability: number): number => {
  if (successes < 0) return 0;
  return successes >= trials ? 1 : cephes.bdtr(successes, trials, probability);
};
