import { expect, test } from 'vitest';
import { runChains } from '../../labs/rights-chains.ts';

/** Options of one run, such as `HOLDFAST_RANDOM_CHAINS=500`; without them 80 chains are made. */
const { HOLDFAST_RANDOM_CHAINS, HOLDFAST_RANDOM_SEED } = process.env;
const count = Number(HOLDFAST_RANDOM_CHAINS ?? 80);
const seed = Number(HOLDFAST_RANDOM_SEED ?? 1);

test(`no link of ${count} chains of rights (seed ${seed}) may do more than those above it, and none less`, async () => {
  const { chains, links } = await runChains({ count, seed });
  expect(chains).toBe(count);
  const kinds = ['person', 'key', 'user_token', 'session', 'stream', 'schedule', 'replay'];
  expect(Object.keys(links)).toEqual(expect.arrayContaining(kinds));
});
