import { expect, test } from 'vitest';
import { runChains } from '../../labs/rights-chains.ts';

/** Options of one run, such as `HOLDFAST_RANDOM_SEED=7`; without them 500 chains are made. */
const { HOLDFAST_RANDOM_CHAINS, HOLDFAST_RANDOM_SEED } = process.env;
const count = Number(HOLDFAST_RANDOM_CHAINS ?? 500);
const seed = Number(HOLDFAST_RANDOM_SEED ?? 2);

test(`no link of ${count} chains of rights (seed ${seed}) may do more than those above it, and none less`, async () => {
  const counts = await runChains({ count, seed });
  console.info(JSON.stringify(counts));
  expect(counts.chains).toBe(count);
}, 600_000);
