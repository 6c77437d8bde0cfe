import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../labs/api-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

// Without quotes, which a browser writes into a form as %22.
const hostileName = '<img src=x onerror=window.ran=true>.html';
const hostileText = '<script>window.ran = true</script><img src=x onerror="window.ran = true">';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">
  <script>window.ran = true</script><rect width="90" height="60" fill="teal"/></svg>`;

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

const file = (name: string, mimeType: string, content: string) => ({
  ...{ name, mimeType },
  buffer: Buffer.from(content),
});

/** Uploads a file as another program does. */
async function upload(name: string, content: string, key = api.key): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content], { type: 'text/plain' }), name);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${api.url}/api/files`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { file: { id: string } } }).data.file.id;
}

describe('the files', () => {
  test('are uploaded several at once, and shown as images and as text that does not run', async () => {
    const page = await lab.open(api, '/files');
    await page.getByText('There is no file yet').waitFor();
    await expectNoBarriers(page);
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('drawing.svg', 'image/svg+xml', svg),
        file(hostileName, 'text/html', hostileText),
        file('numbers.csv', 'text/csv', 'city,visitors\nParis,48\n'),
      ]);
    await page.getByRole('row', { name: /drawing\.svg.*90 × 60 pixels/ }).waitFor();
    await page.getByRole('row', { name: /numbers\.csv text\/csv/ }).waitFor();
    await expectNoBarriers(page);

    await page.getByRole('link', { name: 'drawing.svg' }).focus();
    await page.keyboard.press('Enter');
    const image = page.getByRole('dialog').getByRole('img', { name: 'drawing.svg' });
    await image.waitFor();
    await page.waitForFunction(`document.querySelector('[role=dialog] img').naturalWidth === 90`);
    await expectNoBarriers(page);
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: hostileName }).click();
    await page.getByRole('region', { name: 'Content' }).getByText('<script>').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('are downloaded, and deleted after a question', async () => {
    const id = await upload('letter.txt', 'Dear Ada');
    const page = await lab.open(api, `/files?file=${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('letter.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('Dear Ada');
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete letter.txt?' });
    await question.getByText('Its content is deleted for good').waitFor();
    await expectNoBarriers(page);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'letter.txt' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    expect((await api.call('GET', `/api/files/${id}`)).status).toBe(404);
  });

  test('of kinds that are not shown, and large texts, are said to be so', async () => {
    const zip = Buffer.from('504b0506' + '00'.repeat(18), 'hex').toString('latin1');
    const [archive, large] = [
      await upload('archive.zip', zip),
      await upload('large.txt', 'a'.repeat(2_100_000)),
    ];
    const page = await lab.open(api, `/files?file=${archive}`);
    await page.getByText('Files of this kind are not shown here.').waitFor();
    await page.goto(`${api.url}/files?file=${large}`);
    await page.getByText('It is too large to be shown here.').waitFor();
    await expectNoBarriers(page);
  });
});

describe('people', () => {
  test('who may only read see no button that would be refused', async () => {
    const id = await upload('read.txt', 'Read me');
    const refused: string[] = [];
    const key = await api.createKey(api.workspaceId, ['conversations:read']);
    const page = await lab.open({ url: api.url, key }, `/files?file=${id}`);
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByText('Read me').waitFor();
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual([
      'Close',
      'Copy the id',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'read.txt' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.locator('input[type=file]').count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('see their own files alone', async () => {
    const id = await upload('ours.txt', 'Of the workspace');
    const key = await api.createKey(api.workspaceId, ['conversations:read', 'conversations:write'], {
      actsFor: 'bob',
    });
    await upload('mine.txt', 'Of Bob', key);
    const page = await lab.open({ url: api.url, key }, '/files');
    await page.getByRole('link', { name: 'mine.txt' }).waitFor();
    expect(await page.getByRole('link', { name: 'ours.txt' }).count()).toBe(0);
    const foreign = await lab.open({ url: api.url, key }, `/files?file=${id}`, { expected: ['404'] });
    await foreign.getByRole('dialog').getByRole('alert').waitFor();
  });

  test('of another workspace get nothing', async () => {
    const id = await upload('secret.txt', 'A secret');
    const { key } = await api.createWorkspace();
    const page = await lab.open({ url: api.url, key }, `/files?file=${id}`, { expected: ['404'] });
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('There is no file yet').waitFor();
  });

  test('see names with script as texts, on a narrow page too', async () => {
    const id = await upload(hostileName, hostileText);
    const page = await lab.open(api, `/files?file=${id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('dialog', { name: hostileName }).getByText('<script>').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});
