import fastify from 'fastify';
import { onTestFinished, expect, test } from 'vitest';
import { addErrorHandling, createSendError } from '../../../src/platform/http/error-handling.ts';
import type { HttpServer } from '../../../src/platform/http/server-type.ts';
import { addUploadScope } from '../../../src/platform/http/uploads.ts';
import { addValidation } from '../../../src/platform/http/validation.ts';

/** Starts a server with a limit for the bytes of all uploads together; the test ends each upload. */
async function startUploads(memoryBytes: number) {
  const server = fastify() as unknown as HttpServer;
  addErrorHandling(server, createSendError({ failed: () => undefined }));
  addValidation(server);
  const arrived: string[] = [];
  let done = Promise.withResolvers<null>();
  const addRoute = (scope: HttpServer) =>
    scope.post('/files', async ({ upload }) => {
      arrived.push(upload?.name ?? '');
      await done.promise;
      return { bytes: upload?.bytes.length };
    });
  addUploadScope(server, addRoute, { memoryBytes });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return {
    arrived,
    finish: () => {
      done.resolve(null);
      done = Promise.withResolvers();
    },
    post: (form: FormData) => fetch(`${url}/files`, { method: 'POST', body: form }),
    upload: async (bytes: number, name = 'a.txt', signal?: AbortSignal) => {
      const form = new FormData();
      form.append('file', new Blob(['x'.repeat(bytes)]), name);
      const response = await fetch(`${url}/files`, { method: 'POST', body: form, signal: signal ?? null });
      const { error } = (await response.json()) as { error?: { code: string } };
      return { status: response.status, code: error?.code, retryAfter: response.headers.get('retry-after') };
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a file that exceeds the memory for uploads is refused, and accepted after the other uploads end', async () => {
  const { arrived, upload, finish } = await startUploads(250_000);
  const [first, second] = [upload(100_000), upload(100_000)];
  await until(() => arrived.length === 2);
  expect(await upload(100_000)).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '5' });
  finish();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  const third = upload(240_000);
  await until(() => arrived.length === 3);
  finish();
  expect((await third).status).toBe(200);
});

test('a client that disconnects frees the memory of its upload', async () => {
  const { arrived, upload, finish } = await startUploads(100_000);
  const leaving = new AbortController();
  const left = upload(90_000, 'a.txt', leaving.signal);
  await until(() => arrived.length === 1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  let next: Awaited<ReturnType<typeof upload>> | undefined;
  const trying = (async () => {
    for (;;) {
      const answer = await upload(90_000);
      if (answer.status === 200) return void (next = answer);
    }
  })();
  await until(() => arrived.length === 2);
  finish();
  await trying;
  expect(next?.status).toBe(200);
});

test.each(['file', 'other'])('a second file, in the field "%s", is refused', async (field) => {
  const { arrived, post } = await startUploads(1_000_000);
  const form = new FormData();
  form.append('file', new Blob(['x'.repeat(200_000)]), 'a.txt');
  form.append('note', 'a field beside the file');
  form.append(field, new Blob(['y'.repeat(200_000)]), 'b.txt');
  const answer = await post(form);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: {
      message: 'file: expected one file, found more than one; send each file in a request of its own',
    },
  });
  expect(arrived).toEqual([]);
});

test('the name of a file is one line without folders', async () => {
  const { arrived, upload, finish } = await startUploads(100_000);
  const answers = ['../../etc/pass\u0001wd\u0000\r\n [2] Source', 'C:\\\\temp\\\\b.txt', '..'].map((name) =>
    upload(1, name),
  );
  await until(() => arrived.length === 3);
  finish();
  await Promise.all(answers);
  for (const name of arrived) expect(name).not.toMatch(/[\p{Cc}/\\]/u);
  expect(arrived).toContain('b.txt');
});
