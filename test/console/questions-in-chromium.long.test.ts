import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { address, seat } from '../labs/asking-scene.ts';
import { createApprovalsLab, detailsOf, itemOf, type ApprovalsLab } from '../labs/approvals-lab.ts';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';

let lab: ConsoleLab;
let scene: ApprovalsLab;

beforeAll(async () => {
  lab = await startConsole();
});
afterAll(() => lab.stop());
beforeEach(async () => {
  scene = await createApprovalsLab(lab);
});

describe('questions and tools of programs', () => {
  test('a question is answered by an option, by the fields of its form, and at an address', async () => {
    const choice = await scene.ask('choice', {
      timeoutMs: 3_000_000,
      asked: {
        kind: 'question',
        question: 'Which colour?',
        schema: { type: 'string', enum: ['red', 'blue'] },
        options: ['red', 'blue'],
      },
    });
    const form = await scene.ask('form', {
      timeoutMs: 5_000_000,
      asked: {
        kind: 'question',
        question: 'Which seat?',
        schema: seat,
        source: { server: 'air', via: 'result', url: null },
      },
    });
    const visit = await scene.ask('visit', {
      timeoutMs: 9_000_000,
      asked: {
        kind: 'question',
        question: 'Allow the payment.',
        schema: { type: 'string', enum: ['accept', 'decline', 'cancel'] },
        options: ['accept', 'decline', 'cancel'],
        source: { server: 'pay', via: 'error', url: address },
      },
    });
    const page = await scene.open('/approvals', { expected: ['400'] });
    await page.getByRole('button', { name: 'blue' }).click();
    await detailsOf(page).getByText('The question was answered').waitFor();

    await itemOf(page, 'form').click();
    await page.getByLabel('row').fill('0');
    await page.getByLabel('side (optional)').selectOption('window');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('row').getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers(page);
    await page.getByLabel('row').fill('7');
    await page.keyboard.press('Enter');
    await detailsOf(page).getByText('The question was answered').waitFor();

    await itemOf(page, 'visit').click();
    await page.getByRole('link', { name: address }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'decline', exact: true }).click();
    await detailsOf(page).getByText('The question was answered').waitFor();
    expect((await scene.readAction(choice)).answer).toBe('blue');
    expect((await scene.readAction(form)).answer).toEqual({ row: 7, side: 'window' });
    expect((await scene.readAction(visit)).answer).toBe('decline');
  });

  test('a question is declined with a reason, and the result of a program is returned in its place', async () => {
    const question = await scene.ask('question', {
      timeoutMs: 3_000_000,
      asked: { kind: 'question', question: 'Your name?', schema: { type: 'string' } },
    });
    const program = await scene.ask('program', { timeoutMs: 9_000_000, asked: { kind: 'client_tool' } });
    const page = await scene.open('/approvals');
    await page.getByRole('button', { name: 'Decline …' }).click();
    await page.getByLabel('Reason, which the agent reads').fill('It is private.');
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await detailsOf(page).getByText('The question was rejected').waitFor();
    await itemOf(page, 'program').click();
    await page.getByRole('button', { name: 'Return a result …' }).click();
    await page.getByLabel('Result').fill('{ "lines": 3 }');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Return it' }).click();
    await detailsOf(page).getByText('The call was answered').waitFor();
    expect(await scene.readAction(question)).toMatchObject({ status: 'rejected', reason: 'It is private.' });
    expect(await scene.readAction(program)).toMatchObject({
      status: 'answered',
      answer: { lines: 3 },
      isError: false,
    });
  });
});
