import { expect, it } from 'vitest';
import { toUsageLine } from '../../../src/clients/cli/format.ts';

const usage = {
  ...{ inputTokens: 10, cacheReadTokens: 2, cacheWriteTokens: 0 },
  ...{ outputTokens: 5, reasoningTokens: 0 },
};

it('says when the vendor has not reported the usage', () => {
  expect(toUsageLine(usage)).toBe('12 tokens in (2 from the cache), 5 out');
  expect(toUsageLine({ ...usage, isEstimated: true })).toBe(
    'usage unknown, counted as about 12 tokens in (2 from the cache), 5 out',
  );
});
