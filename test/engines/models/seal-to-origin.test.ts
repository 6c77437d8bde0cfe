import { expect, test } from 'vitest';
import { sealToOrigin } from '../../../src/engines/models/seal-to-origin.ts';

test('a sealed fetch reaches the origin of the model and no other one', async () => {
  const reached: string[] = [];
  const request = (input: string | URL | Request) => {
    reached.push(input instanceof Request ? input.url : String(input));
    return Promise.resolve(new Response());
  };
  const sealed = sealToOrigin(request, 'https://api.example.com/v1');

  await sealed('https://api.example.com/v1/chat/completions');
  await sealed(new Request('https://api.example.com/other'));
  for (const url of [
    'https://api.example.com:8443/v1',
    'http://api.example.com/v1',
    'https://example.com',
    'http://127.0.0.1',
  ]) {
    await expect(sealed(url)).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    await expect(sealed(new Request(url))).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  }
  expect(reached).toEqual(['https://api.example.com/v1/chat/completions', 'https://api.example.com/other']);
});
