import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { eventually } from '../labs/eventually.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const hostile = '<img src=x onerror="window.ran = true">';
// Without quotes, which a browser writes into a form as %22.
const hostileFile = '<img src=x onerror=window.ran=true>.txt';
const handbook = `# Leave\n\nParental leave is 14 months.\n\n# Travel\n\nTrains are booked by the office. ${hostile}`;

let chromium: ConsoleLab;
let lab: TurnLab;
let api: LabApi;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await shareTurnLab();
  api = await startLabApi(lab);
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
});

interface Base {
  id: string;
  name: string;
}

interface StoredDocument {
  id: string;
  name: string;
  status: string;
}

async function createBase(name = `Base ${newId()}`): Promise<Base> {
  const body = { name, description: hostile };
  return (await api.ask<{ knowledgeBase: Base }>('POST', '/api/knowledge-bases', body)).knowledgeBase;
}

/** Adds a document as another program does, and waits until it is read. */
async function addDocument(baseId: string, name = 'handbook.md'): Promise<StoredDocument> {
  const path = `/api/knowledge-bases/${baseId}/documents`;
  const body = { name, text: handbook, mediaType: 'text/markdown' };
  const { document } = await api.ask<{ document: StoredDocument }>('POST', path, body);
  return eventually(
    async () => (await api.ask<{ document: StoredDocument }>('GET', `${path}/${document.id}`)).document,
    ({ status }) => status === 'ready',
  );
}

const listDocuments = async (baseId: string) =>
  (await api.ask<{ documents: StoredDocument[] }>('GET', `/api/knowledge-bases/${baseId}/documents`))
    .documents;

const file = (name: string, content: string, mimeType: string) => ({
  ...{ name, mimeType },
  buffer: Buffer.from(content),
});

describe('the knowledge bases', () => {
  test('are created by keyboard alone, changed, and deleted with what they have', async () => {
    const page = await chromium.open(api, '/knowledge');
    await page.getByRole('button', { name: 'New knowledge base …' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('By keyboard');
    await expectNoBarriers(page);
    await page.keyboard.press('Enter');
    await page.getByText('There is no document yet').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByLabel('Name').fill('Changed');
    await page.getByLabel('Characters of a passage at most').fill('800');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Changed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('It has no documents.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Knowledge', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Changed' }).waitFor({ state: 'detached' });
  });

  test('say which field of a change is refused', async () => {
    const { id } = await createBase();
    const page = await chromium.open(api, `/knowledge/${id}`, { expected: ['400'] });
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByLabel('Characters of a passage at most').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    const field = page.getByLabel('Characters of a passage at most');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
  });
});

describe('the documents', () => {
  test('are uploaded several at once, and show their states and why one has failed', async () => {
    const { id } = await createBase();
    const page = await chromium.open(api, `/knowledge/${id}`);
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('handbook.md', handbook, 'text/markdown'),
        file(hostileFile, 'The office opens at eight.', 'text/plain'),
        file('damaged.pdf', '%PDF-1.4 but not really', 'application/pdf'),
      ]);
    await page.getByRole('row', { name: /handbook\.md.*ready/ }).waitFor();
    await page.getByRole('row', { name: /onerror.*ready/ }).waitFor();
    await page.getByRole('row', { name: /damaged\.pdf.*failed.*The PDF is damaged/ }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await page.getByRole('link', { name: 'damaged.pdf' }).click();
    const dialog = page.getByRole('dialog', { name: 'damaged.pdf' });
    await dialog.getByText('DOCUMENT_UNREADABLE').waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('link', { name: 'damaged.pdf' }).waitFor({ state: 'detached' });
    expect((await listDocuments(id)).map(({ name }) => name).sort()).toEqual([hostileFile, 'handbook.md']);
  });

  test('are dropped onto the page', async () => {
    const { id } = await createBase();
    const page = await chromium.open(api, `/knowledge/${id}`);
    await page.getByText('or drop them here').waitFor();
    await page.evaluate(`(() => {
      const dropped = new DataTransfer();
      for (const name of ['one.txt', 'two.txt'])
        dropped.items.add(new File(['Dropped as ' + name], name, { type: 'text/plain' }));
      const place = document.querySelector('input[type=file]').parentElement;
      place.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole('row', { name: /one\.txt.*ready/ }).waitFor();
    await page.getByRole('row', { name: /two\.txt.*ready/ }).waitFor();
  });

  test('that are refused are named with the reason, and the others are taken', async () => {
    const { id } = await createBase();
    const page = await chromium.open(api, `/knowledge/${id}`, { expected: ['400'] });
    const empty = file('empty.txt', '', 'text/plain');
    await page
      .locator('input[type=file]')
      .setInputFiles([empty, file('full.txt', 'There is something in it.', 'text/plain')]);
    await page.getByRole('alert').getByText('empty.txt').waitFor();
    await page.getByRole('row', { name: /full\.txt.*ready/ }).waitFor();
    await expectNoBarriers(page);
  });

  test('are processed again', async () => {
    const base = await createBase();
    const document = await addDocument(base.id);
    const page = await chromium.open(api, `/knowledge/${base.id}?document=${document.id}`);
    const answered = page.waitForResponse(/\/reprocess$/);
    await page.getByRole('button', { name: 'Process it again' }).click();
    expect((await answered).status()).toBe(202);
    await page.getByRole('dialog').getByText('ready').waitFor();
  });
});

describe('the search', () => {
  test('shows what an agent would find, and keeps the question in the address', async () => {
    const base = await createBase();
    await addDocument(base.id);
    const page = await chromium.open(api, `/knowledge/${base.id}`);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByLabel('What an agent would search for').focus();
    await page.keyboard.type('how are trains booked');
    await page.keyboard.press('Enter');
    const passage = page.getByRole('listitem').filter({ hasText: 'Trains are booked by the office.' });
    await passage.getByText('Travel').waitFor();
    await passage.getByText('passage 2').waitFor();
    await passage.getByText(/^score 0\./).waitFor();
    await passage.getByText('onerror').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await expectNoBarriers(page);
    await page.reload();
    await passage.waitFor();
    await passage.getByRole('link', { name: 'handbook.md' }).click();
    await page.getByRole('dialog', { name: 'handbook.md' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('What an agent would search for').fill('zeppelins');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing is found').waitFor();
    await expectNoBarriers(page);
  });
});

describe('people', () => {
  test('who may only read see no button that would be refused', async () => {
    const base = await createBase();
    const document = await addDocument(base.id);
    const key = await createLabKey(lab, ['knowledge:read']);
    const page = await chromium.open({ url: api.url, key }, `/knowledge/${base.id}?document=${document.id}`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('dialog').getByText('ready').waitFor();
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Close']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'handbook.md' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.locator('input[type=file]').count()).toBe(0);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByLabel('What an agent would search for').fill('leave');
    await page.keyboard.press('Enter');
    await page.getByText('Parental leave').waitFor();
    expect(refused).toEqual([]);
  });

  test('of another workspace get nothing', async () => {
    const base = await createBase();
    const workspaceId = newId();
    await lab.database.system('workspaces').insert({ id: workspaceId, name: 'other' });
    const key = await createLabKey({ database: lab.database, workspaceId });
    const page = await chromium.open({ url: api.url, key }, `/knowledge/${base.id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByText('There is no knowledge base yet').waitFor();
  });

  test('see names with script as texts, on a narrow page too', async () => {
    const { id } = await createBase(hostile);
    await addDocument(id, `${hostile}.md`);
    const page = await chromium.open(api, `/knowledge/${id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.getByRole('row', { name: /ready/ }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});
