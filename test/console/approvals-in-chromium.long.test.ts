import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeFocus } from '../labs/chromium/chromium.ts';
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

describe('what waits', () => {
  test('is decided by keys: the one that expires first is approved, another is changed, another rejected', async () => {
    const late = await scene.ask('late_tool', { timeoutMs: 9_000_000 });
    const middle = await scene.ask('middle_tool', { timeoutMs: 5_000_000 });
    const early = await scene.ask('early_tool', { timeoutMs: 3_000_000 });
    const page = await scene.open('/approvals');
    await page.getByRole('heading', { name: 'early_tool' }).waitFor();
    expect(
      await page.getByRole('navigation', { name: 'What waits' }).getByRole('link').allInnerTexts(),
    ).toEqual([
      expect.stringContaining('early_tool'),
      expect.stringContaining('middle_tool'),
      expect.stringContaining('late_tool'),
    ]);
    await expectNoBarriers(page);

    await page.keyboard.press('a');
    await detailsOf(page).getByText('The call was approved').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'middle_tool' }).waitFor();
    await page.keyboard.press('c');
    await page.getByText('You have not changed anything yet.').waitFor();
    // The key has opened the form and is not in it; keys are texts in the field.
    expect(JSON.parse(await page.getByLabel('Arguments as JSON').inputValue())).toEqual({ amount: 950 });
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{ "amount": 7jar');
    await page.getByText('This is not JSON').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{ "amount": 700 }');
    const difference = page.getByLabel('What you change');
    await difference.locator('del', { hasText: '950' }).waitFor();
    await difference.locator('ins', { hasText: '700' }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await detailsOf(page).getByText('The call was approved').waitFor();
    await detailsOf(page).getByLabel('Changed arguments').locator('del', { hasText: '950' }).waitFor();

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'late_tool' }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Too much, a jackass could see that.');
    await page.keyboard.press('Enter');
    await detailsOf(page).getByText('Too much, a jackass could see that.').waitFor();
    await expectNoBarriers(page);

    expect(await scene.readAction(early)).toMatchObject({ status: 'approved', approvedArguments: null });
    expect(await scene.readAction(middle)).toMatchObject({
      status: 'approved',
      approvedArguments: { amount: 700 },
    });
    expect(await scene.readAction(late)).toMatchObject({
      status: 'rejected',
      reason: 'Too much, a jackass could see that.',
    });
    await page.reload();
    await detailsOf(page).getByText('The call was rejected').waitFor();
  });

  test('has a list of its keys, which turns them off', async () => {
    const id = await scene.ask('listed_tool');
    await scene.ask('other_tool', { timeoutMs: 90_000_000 });
    const page = await scene.open('/approvals');
    await page.getByRole('heading', { name: 'listed_tool' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await describeFocus(page)).toContain('h2');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('reject with a reason').waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('a');
    await dialog.getByLabel('Use these keys').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.reload();
    await page.getByRole('heading', { name: 'listed_tool' }).waitFor();
    await page.keyboard.press('a');
    expect((await scene.readAction(id)).status).toBe('pending');
    // Everything works without them.
    await page.getByRole('button', { name: 'Approve' }).click();
    await detailsOf(page).getByText('The call was approved').waitFor();
  });

  test('is counted in the navigation and in the title of every page, and grows and shrinks by itself', async () => {
    const page = await scene.open('/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const id = await scene.ask('counted_tool');
    await scene.ask('counted_tool');
    await page.getByRole('link', { name: 'Approvals 2 waiting' }).waitFor();
    expect(await page.title()).toBe('(2) Runs · Holdfast');
    await expectNoBarriers(page);
    await scene.decide(id, { decision: 'approve' });
    await page.getByRole('link', { name: 'Approvals 1 waiting' }).click();
    await page.getByRole('heading', { name: 'counted_tool' }).waitFor();
    expect(await page.title()).toBe('(1) Approvals · Holdfast');
  });

  test('shows what the call is about: the condition, credentials, the tool behind a gateway, people and the run', async () => {
    const body = `Dear Ada,\n${'and so on, '.repeat(100)}`;
    const id = await scene.ask('mcp', {
      input: { server: 'github', tool: 'delete', args: { name: 'site', body, tags: ['a', 'b'] } },
      start: { actingFor: 'ada' },
      rules: { approvers: [['finance'], ['legal', 'board']], selfApproval: false },
      asked: { askedBecause: ['amount > 500'] },
    });
    await scene.api.database
      .system('pending_actions')
      .where({ id })
      .update({ target: 'github:delete', connections: JSON.stringify(['GitHub of Acme']) });
    const page = await scene.open(`/approvals?action=${id}`);
    await page.getByRole('heading', { name: 'github:delete' }).waitFor();
    for (const text of [
      'Asks because amount > 500.',
      'GitHub of Acme',
      'Plain',
      'finance, and legal or board',
    ])
      await detailsOf(page).getByText(text, { exact: true }).waitFor();
    await detailsOf(page).getByText('Dear Ada,').waitFor();
    expect(await detailsOf(page).getByText('and so on, '.repeat(100).trim()).count()).toBe(0);
    await page.getByRole('button', { name: /^Show all 1,1\d\d characters/ }).click();
    await detailsOf(page).getByText('and so on, '.repeat(100).trim()).waitFor();
    await detailsOf(page).getByText('Only a person of finance may decide about this call.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectNoBarriers(page);
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
  });

  test('shows texts with script as texts', async () => {
    const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
    await scene.ask('hostile_tool', {
      input: { [hostile]: hostile, url: 'javascript:window.ran=1' },
      start: { actingFor: hostile },
      asked: { askedBecause: [hostile] },
    });
    await scene.ask('asks', {
      timeoutMs: 90_000_000,
      asked: {
        kind: 'question',
        question: hostile,
        schema: { type: 'object', properties: { [hostile]: { type: 'string', description: hostile } } },
        source: { server: hostile, via: 'result', url: 'javascript:window.ran=1' },
      },
    });
    const page = await scene.open('/approvals');
    await page.getByRole('heading', { name: 'hostile_tool' }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify({ [hostile]: `${hostile}!` }));
    await page.getByLabel('What you change').getByText(`${hostile}!`).waitFor();
    await page.getByRole('navigation', { name: 'What waits' }).getByRole('link').nth(1).click();
    await detailsOf(page).getByLabel(`${hostile} (optional)`).waitFor();
    expect(await detailsOf(page).locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });

  test('is good on a phone: the list, then the call alone, then the list again', async () => {
    await scene.ask('phone_tool', { input: { amount: 950, note: 'x'.repeat(500) } });
    const page = await scene.open('/approvals', { viewport: { width: 390, height: 844 } });
    await itemOf(page, 'phone_tool').waitFor();
    expect(await detailsOf(page).isVisible()).toBe(false);
    // A key decides about nothing that is not in sight.
    await page.keyboard.press('c');
    await expectNoBarriers(page);
    await itemOf(page, 'phone_tool').click();
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByLabel('Arguments as JSON').waitFor();
    expect(await itemOf(page, 'phone_tool').isVisible()).toBe(false);
    await expectNoBarriers(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await itemOf(page, 'phone_tool').waitFor();
  });
});
