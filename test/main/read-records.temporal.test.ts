import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { seedDevelopment } from '../../src/main/dev/seed-development.ts';
import { createTestDatabase } from '../labs/postgres.ts';
import { startProgram, type Program } from '../labs/program.ts';

/** Makes a program write a line for each record of the catalogue that it reads. */
const noteReads = `import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) => {
    if (url.includes('/providers/catalogue/')) console.log('READ ' + url.split('/').at(-1));
    return next(url, context);
  },
});`;

function listRead({ log }: Program): string[] {
  return Array.from(log().matchAll(/READ (.+)\.ts/g), ([, name = '']) => name).sort();
}

test('the API and a worker start without a record of the catalogue, and read the one that is asked for', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const seed = await seedDevelopment({ databaseUrl: database.url, existingKey: null, model: 'demo' });
  const start = async (program: string) => {
    const started = await startProgram(path.join(import.meta.dirname, '../../src/main', program), {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noteReads)}`,
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      HOLDFAST_TASK_QUEUE: 'read-records',
      HOLDFAST_DATA_DIR: '/no/such/folder',
    });
    onTestFinished(started.stop);
    return started;
  };
  const [api, worker] = await Promise.all([start('api.ts'), start('worker.ts')]);
  expect([...listRead(api), ...listRead(worker)]).toEqual([]);

  const headers = { authorization: `Bearer ${seed.apiKey}` };
  const ask = (resource: string) =>
    fetch(`http://127.0.0.1:${api.port}/api/providers${resource}`, { headers });
  expect((await ask('/slack')).status).toBe(200);
  await expect.poll(() => listRead(api)).toEqual(['slack']);
  const listed = (await (await ask('')).json()) as { data: { providers: { name: string }[] } };
  const names = listed.data.providers.map(({ name }) => name).sort();
  await expect.poll(() => listRead(api)).toEqual(names);
  expect(listRead(worker)).toEqual([]);
});
