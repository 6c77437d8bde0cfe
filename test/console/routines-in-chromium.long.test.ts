import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolInput } from '../../src/domain/tool.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { createLabKey, startLabApi, type LabApi } from '../labs/lab-api.ts';
import { createRoutineScene } from '../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

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

const calculate: ToolInput = {
  type: 'function',
  name: 'calculate',
  description: 'Calculates.',
  schema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  config: { functionName: 'calculate' },
};

const askUser: ToolInput = {
  type: 'function',
  name: 'ask_user',
  description: 'Asks.',
  schema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
  config: { functionName: 'ask_user' },
};

const hostile = '<img src=x onerror="window.ran=true">';

/** A workspace has one routine of a name. */
let count = 0;
const toName = (name: string) => `${name}-${(count += 1)}`;

const createRefund =
  () => `document: { dsl: '1.0.0', namespace: test, name: ${toName('refund')}, version: '1.0.0' }
input: { schema: { document: { type: object, required: [amount], properties: { amount: { type: number } } } } }
do:
  - tax:
      call: calculate
      with: { expression: '\${ "\\(.amount) * 0.2" }' }
  - lines:
      for: { each: line, in: '[1, 2]' }
      do:
        - count:
            set: { counted: '\${ $line }', text: '${hostile}' }
  - shipped:
      listen: { to: { one: { with: { type: org.example.shipped } } } }
  - done:
      set: { done: true }
`;

const createQuestion =
  () => `document: { dsl: '1.0.0', namespace: test, name: ${toName('question')}, version: '1.0.0' }
do:
  - approve:
      call: ask_user
      with: { question: 'Go on?', options: ['yes', 'no'] }
`;

describe('the document of a routine', () => {
  test('shows its errors at their lines, and is created and changed when they are mended, by keyboard', async () => {
    const page = await chromium.open(api, '/routines/new', { expected: ['400'] });
    const field = page.getByLabel('Document');
    const sample = await field.inputValue();
    await field.fill(sample.replace('set:', 'sett:').replace("dsl: '1.0.0'", 'dsl: 2'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const errors = page.getByRole('listitem').filter({ hasText: /^Line/ });
    await errors.first().waitFor();
    expect(await errors.allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 2\s*expected a version 1.0, found 2$/),
      expect.stringMatching(/^Line 14\s*is no known task: it has sett$/),
    ]);
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Line 14' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('  - again:\n');
    // The new line is as deep as the one before.
    expect((await field.inputValue()).split('\n').slice(13, 16)).toEqual(['  - again:', '  ', '      sett:']);
    await field.fill(sample);
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'greet' }).waitFor();
    await page.getByRole('list', { name: 'Tasks' }).getByText('greeting').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Document' }).click();
    await page.getByLabel('Document').fill(sample.replace('Hello', hostile));
    await page.reload();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByRole('button', { name: 'Save as version 2' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Document' }).click();
    expect(await page.getByLabel('Document').inputValue()).toContain(hostile);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Routines' }).click();
    await page.getByRole('link', { name: 'default/greet' }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('says at which line a text is no YAML', async () => {
    const page = await chromium.open(api, '/routines/new', { expected: ['400'] });
    await page.getByLabel('Document').fill('document:\n  dsl: [1\ndo: []\n');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Line 3\s*is not valid YAML/ })
      .waitFor();
  });
});

describe('a run of a routine', () => {
  test('is started with an input, moves on the diagram, is paused, gets an event, and ends, by keyboard', async () => {
    const scene = await createRoutineScene(lab, { tools: [calculate] });
    const { id } = await scene.store(createRefund());
    const page = await chromium.open(api, `/routines/${id}`);
    const tasks = page.getByRole('list', { name: 'Tasks', exact: true });
    await tasks.getByText('org.example.shipped').waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Start a run …' }).focus();
    await page.keyboard.press('Enter');
    const input = page.getByRole('dialog').getByLabel('Input');
    await input.waitFor();
    expect(await input.inputValue()).toBe('{\n  "amount": 0\n}');
    await input.fill('{ "amount": 100 }');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Run of refund/ }).waitFor();
    await tasks.getByRole('link', { name: /^shipped listen .*waiting$/ }).waitFor();
    await expectNoBarriers(page);
    await tasks.getByRole('link', { name: /^tax call calculate completed/ }).focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('100 * 0.2').waitFor();
    await details.getByRole('heading', { name: 'Output' }).waitFor();
    await tasks.getByRole('link', { name: /^count set .*2 × completed/ }).click();
    await details.getByRole('navigation', { name: 'Rounds' }).getByRole('link', { name: '1' }).click();
    await details.getByText(hostile).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Send an event …' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Type').inputValue()).toBe('org.example.shipped');
    await page.getByRole('button', { name: 'Send the event' }).click();
    await tasks.getByRole('link', { name: /^done set done completed/ }).waitFor();
    await details.getByRole('link', { name: 'Show the run' }).click();
    await details.getByRole('heading', { name: 'Output' }).waitFor();
    await page.getByRole('button', { name: 'Start again …' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop …' }).count()).toBe(0);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Steps' }).click();
    await page.getByRole('table', { name: 'Steps' }).getByRole('link', { name: 'done' }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Raw' }).click();
    await page.getByText('routineName').waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('waits for a person who answers on its page, and is stopped', async () => {
    const scene = await createRoutineScene(lab, { tools: [askUser] });
    const { id } = await scene.store(createQuestion());
    const [answered, stopped] = [await scene.start(id), await scene.start(id)];
    const page = await chromium.open(api, `/routine-runs/${answered}`);
    await page.getByRole('button', { name: 'yes' }).click();
    await page.locator('header').getByText('completed').waitFor();
    expect((await scene.end(answered)).output).toBe('yes');
    await page.goto(`${api.url}/routine-runs/${stopped}`);
    await page.getByRole('button', { name: 'yes' }).waitFor();
    await page.getByRole('button', { name: 'Stop …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop now' }).click();
    await page.locator('header').getByText('cancelled').waitFor();
    await page.getByRole('link', { name: 'Routines' }).click();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('table', { name: 'Runs' }).getByText('cancelled').waitFor();
    await expectNoBarriers(page);
  });

  test('that fails shows where and why', async () => {
    const scene = await createRoutineScene(lab);
    const { id } =
      await scene.store(`document: { dsl: '1.0.0', namespace: test, name: fails, version: '1.0.0' }
do:
  - refuse:
      raise: { error: { type: 'https://example.com/no', status: 400, title: 'Not today' } }
`);
    const runId = await scene.start(id);
    const page = await chromium.open(api, `/routine-runs/${runId}`);
    await page.getByRole('link', { name: /^refuse raise Not today faulted/ }).waitFor();
    await page.getByRole('link', { name: 'The step that failed' }).click();
    await page.getByRole('group', { name: 'refuse' }).getByRole('heading', { name: 'Error' }).waitFor();
    await expectNoBarriers(page);
  });

  test('is good on a phone', async () => {
    const scene = await createRoutineScene(lab, { tools: [calculate] });
    const runId = await scene.start((await scene.store(createRefund())).id, { amount: 1 });
    const page = await chromium.open(api, `/routine-runs/${runId}`, {
      viewport: { width: 390, height: 844 },
    });
    await page
      .getByRole('link', { name: /^shipped/ })
      .first()
      .waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectNoBarriers(page);
  });
});

describe('the rights to routines', () => {
  test('a viewer sees routines and runs, and no button that would be refused', async () => {
    const scene = await createRoutineScene(lab, { tools: [calculate] });
    const { id } = await scene.store(createRefund());
    const runId = await scene.start(id, { amount: 1 });
    await scene.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
    const key = await createLabKey(lab, ['routines:read']);
    const page = await chromium.open({ url: api.url, key }, `/routine-runs/${runId}`);
    await page.getByRole('link', { name: /^shipped listen/ }).waitFor();
    const names = [
      'Pause',
      'Stop …',
      'Send an event …',
      'Start again …',
      'Start a run …',
      'Delete',
      'New routine …',
    ];
    const expectNone = async () => {
      for (const name of names) expect(await page.getByRole('button', { name }).count()).toBe(0);
    };
    await expectNone();
    await page.goto(`${api.url}/routines/${id}?view=document`);
    const field = page.getByLabel('Document');
    await field.waitFor();
    expect(await field.getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: /^(Save|Create)/ }).count()).toBe(0);
    await expectNone();
    await page.goto(`${api.url}/routines`);
    await page
      .getByRole('link', { name: /^test\/refund/ })
      .first()
      .waitFor();
    await expectNone();
  });

  test('a workspace has none of another one', async () => {
    const scene = await createRoutineScene(lab);
    const { id } = await scene.store(createQuestion());
    const other = await shareTurnLab();
    const key = await createLabKey(other);
    const page = await chromium.open({ url: api.url, key }, `/routines/${id}`, { expected: ['404'] });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('ask_user').count()).toBe(0);
    await page.getByRole('link', { name: 'Routines' }).click();
    await page.getByText('There is no routine yet').waitFor();
    await page.getByRole('link', { name: 'Create one' }).waitFor();
    await expectNoBarriers(page);
  });
});
