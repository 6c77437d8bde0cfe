import { expect, test } from 'vitest';
import { testModelKey } from '../../../src/engines/models/test-model-key.ts';
import { createGuardedFetch } from '../../../src/platform/egress/guarded-fetch.ts';
import { startVendorServer } from '../../servers/vendor-server.ts';

test('a refusal that repeats the key is shown without any part of the key, also where it is cut', async () => {
  const apiKey = `key${crypto.randomUUID().replaceAll('-', '')}`;
  const vendor = await startVendorServer(() => ({ status: 401, body: `${'x'.repeat(480)}${apiKey}` }));
  const fetch = createGuardedFetch({ allowLoopback: true });
  const verdict = await testModelKey({
    vendor: 'openai',
    apiKey,
    baseUrl: vendor.url,
    fetch,
    timeoutMs: 5_000,
  });
  await fetch.close();
  await vendor.close();
  expect(verdict.ok).toBe(false);
  expect(verdict.message).toContain('HTTP 401');
  expect(verdict.message).not.toContain(apiKey.slice(0, 8));
});
