import { onTestFinished, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { createImageGenerator } from '../../../src/engines/models/create-image-generator.ts';
import { startHttpServer } from '../../servers/http-server.ts';

/** The smallest PNG there is. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function serve(status: number, body: JsonObject) {
  const requests: { url: string; key: string | undefined; body: JsonObject }[] = [];
  const server = await startHttpServer(({ url = '', headers }, response, text) => {
    requests.push({ url, key: headers.authorization, body: JSON.parse(text) as JsonObject });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  onTestFinished(server.close);
  return { baseUrl: `${server.url}/v1`, requests };
}

const signal = new AbortController().signal;
const image = { data: [{ b64_json: png.toString('base64') }] };

test.each(['openai', 'compatible'])('a model of %s generates an image', async (prefix) => {
  const { baseUrl, requests } = await serve(200, image);
  const generate = createImageGenerator({
    openai: { apiKey: 'key', baseUrl },
    compatible: { apiKey: 'key', baseUrl },
  });
  const made = await generate({
    model: `${prefix}/gpt-image-1`,
    prompt: 'A boat',
    size: '1024x1024',
    signal,
  });
  expect(made.mediaType).toBe('image/png');
  expect(Buffer.from(made.bytes)).toEqual(png);
  expect(requests).toMatchObject([
    {
      url: '/v1/images/generations',
      key: 'Bearer key',
      body: { model: 'gpt-image-1', prompt: 'A boat', size: '1024x1024', n: 1 },
    },
  ]);
});

test('a failed image generation is not retried, and its error quotes the vendor', async () => {
  const { baseUrl, requests } = await serve(500, { error: { message: 'overloaded' } });
  const generate = createImageGenerator({ openai: { apiKey: 'key', baseUrl } });
  const making = generate({ model: 'openai/gpt-image-1', prompt: 'A boat', signal });
  await expect(making).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(requests).toHaveLength(1);
});

test('a vendor without image models is refused with a clear error', async () => {
  const generate = createImageGenerator({ anthropic: { apiKey: 'key' } });
  await expect(generate({ model: 'anthropic/claude', prompt: 'A boat', signal })).rejects.toThrow(
    'makes no images',
  );
});
