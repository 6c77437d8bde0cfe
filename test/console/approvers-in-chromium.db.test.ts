import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/domain/scope.ts';
import { eventually } from '../labs/eventually.ts';
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

const approver: Scope[] = ['conversations:read', 'approvals:decide'];

describe('people who decide', () => {
  test('two decide one: the second gets who has decided and when, and the call becomes decided', async () => {
    const id = await scene.ask('raced_tool');
    const ada = await scene.api.createKey(scene.api.workspaceId, approver, { actsFor: 'ada' });
    const bob = await scene.api.createKey(scene.api.workspaceId, approver, { actsFor: 'bob' });
    const page = await lab.open({ url: scene.api.url, key: bob }, '/approvals', { expected: ['409'] });
    await page.getByRole('heading', { name: 'raced_tool' }).waitFor();
    // The decision of the first is stored while that of the second is on its way.
    await page.route('**/decision', async (route) => {
      expect((await scene.decide(id, { decision: 'reject', reason: 'No.' }, ada)).status).toBe(200);
      await route.continue();
    });
    await page.keyboard.press('a');
    const late = page.getByRole('alert');
    await late.getByText('Your decision came too late: it was rejected by ada').waitFor();
    await detailsOf(page).getByText('The call was rejected by ada: No.').waitFor();
    await itemOf(page, 'raced_tool').getByText('rejected').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectNoBarriers(page);
    expect((await scene.readAction(id)).status).toBe('rejected');
  });

  test('what another person decides becomes decided under the open page', async () => {
    const id = await scene.ask('shared_tool');
    const { page } = await scene.openFor({ person: 'bob', scopes: approver });
    await page.getByRole('button', { name: 'Reject …' }).click();
    const ada = await scene.api.createKey(scene.api.workspaceId, approver, { actsFor: 'ada' });
    await scene.decide(id, { decision: 'approve' }, ada);
    await detailsOf(page).getByText('The call was approved by ada').waitFor();
    expect(await page.getByLabel('Reason, which the agent reads').count()).toBe(0);
  });

  test('a person sees only what belongs to the person, and an approver the calls of all people', async () => {
    await scene.ask('tool_of_ada', { start: { actingFor: 'ada' } });
    await scene.ask('question_of_ada', {
      start: { actingFor: 'ada' },
      asked: { kind: 'question', question: 'Which colour?', schema: { type: 'string' } },
    });
    const bobs = await scene.openFor({
      person: 'bob',
      scopes: ['conversations:read', 'conversations:write'],
    });
    await bobs.page.getByText('Nothing waits for a decision').waitFor();

    const adas = await scene.openFor({
      person: 'ada',
      scopes: ['conversations:read', 'conversations:write'],
    });
    await itemOf(adas.page, 'question_of_ada').click();
    await adas.page.getByLabel('Your answer').fill('blue');
    await itemOf(adas.page, 'tool_of_ada').click();
    await adas.page.getByRole('link', { name: 'Open the run' }).waitFor();
    expect(await adas.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const approvers = await scene.openFor({ person: 'carol', scopes: approver });
    await approvers.page.getByRole('heading', { name: 'tool_of_ada' }).waitFor();
    await approvers.page.getByText('Its conversation belongs to another person.').waitFor();
    expect(await itemOf(approvers.page, 'question_of_ada').count()).toBe(0);
    await approvers.page.getByRole('button', { name: 'Approve' }).click();
    await detailsOf(approvers.page).getByText('The call was approved by carol').waitFor();
    expect([...bobs.refused, ...adas.refused, ...approvers.refused]).toEqual([]);
  });

  test('a viewer has no buttons, and no request is refused', async () => {
    await scene.ask('viewed_tool', { start: { actingFor: 'ada' } });
    await scene.ask('viewed_question', {
      start: { actingFor: 'ada' },
      asked: { kind: 'question', question: 'Which?', schema: { type: 'string' }, options: ['a', 'b'] },
    });
    const { page, refused } = await scene.openFor({ person: 'ada', scopes: ['conversations:read'] });
    for (const name of ['viewed_tool', 'viewed_question']) {
      await itemOf(page, name).click();
      await page.getByRole('heading', { name }).waitFor();
      await page.keyboard.press('a');
      expect(await detailsOf(page).getByRole('button').count()).toBe(0);
    }
    await page.getByRole('link', { name: 'Remembered' }).click();
    await page.getByText('No approval is remembered').waitFor();
    expect(refused).toEqual([]);
  });

  test('who took part in the turn decides nothing where another person has to', async () => {
    const rules = { approvers: [['finance']], selfApproval: false };
    await scene.ask('guarded_tool', { start: { actingFor: 'ada' }, rules });
    const adas = await scene.openFor({ person: 'ada', scopes: approver, groups: ['finance'] });
    await adas.page.getByText('You took part in this turn: another person has to decide.').waitFor();
    expect(await adas.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const bobs = await scene.openFor({ person: 'bob', scopes: approver, groups: ['finance'] });
    await bobs.page.getByRole('button', { name: 'Approve' }).click();
    await detailsOf(bobs.page).getByText('The call was approved by bob').waitFor();
  });

  test('another workspace gets nothing', async () => {
    const id = await scene.ask('foreign_tool');
    const { key } = await scene.api.createWorkspace();
    const page = await lab.open({ url: scene.api.url, key }, `/approvals?action=${id}`, {
      expected: ['404'],
    });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('foreign_tool').count()).toBe(0);
    expect(await page.title()).toBe('Approvals · Holdfast');
  });
});

describe('what was decided', () => {
  test('is listed with who decided what and when, the reason and the changed arguments', async () => {
    const ada = await scene.api.createKey(scene.api.workspaceId, approver, { actsFor: 'ada' });
    const changed = await scene.ask('changed_tool', { input: { amount: 950, note: 'one\ntwo' } });
    await scene.decide(changed, { decision: 'approve', arguments: { amount: 700, note: 'one\nthree' } }, ada);
    await scene.decide(await scene.ask('refused_tool'), { decision: 'reject', reason: 'Not today.' }, ada);
    await scene.ask('waiting_tool');
    const page = await scene.open('/approvals?tab=decided');
    await page.getByRole('heading', { name: 'refused_tool' }).waitFor();
    await detailsOf(page).getByText('The call was rejected by ada: Not today.').waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'changed_tool' }).waitFor();
    const difference = detailsOf(page).getByLabel('Changed arguments');
    expect(await difference.locator('del').allInnerTexts()).toEqual(expect.arrayContaining(['950', 'two']));
    expect(await difference.locator('ins').allInnerTexts()).toEqual(expect.arrayContaining(['700', 'three']));
    expect(await page.getByText('waiting_tool').count()).toBe(0);
    await expectNoBarriers(page);
    await page.getByLabel('How they ended').selectOption('approved');
    await page.getByText('refused_tool').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('status')).toBe('approved');
  });

  test('an approval is remembered with pins, and revoked', async () => {
    const id = await scene.ask('remembered_tool', { input: { amount: 950, to: { name: 'Ada' } } });
    const page = await scene.open('/approvals');
    await page.getByRole('button', { name: 'Remember …' }).click();
    await page.getByRole('checkbox', { name: 'amount' }).uncheck();
    await page.getByLabel('Calls').selectOption('agent');
    await page.getByLabel('Time').selectOption('for a week');
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Approve and remember' }).click();
    await detailsOf(page).getByText('The call was approved').waitFor();
    const { data } = await scene.api.call('GET', `/api/approval-grants?actionId=${id}`);
    expect(data.approvalGrants).toMatchObject([
      { tool: 'remembered_tool', scope: 'agent', pins: { 'to.name': 'Ada' }, revokedAt: null },
    ]);

    await page.getByRole('link', { name: 'Remembered', exact: true }).click();
    const row = page.getByRole('row', { name: 'remembered_tool' });
    await row.getByText('to.name Ada').waitFor();
    await row.getByText('of the agent Plain').waitFor();
    await expectNoBarriers(page);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No approval is remembered').waitFor();
    await page.getByLabel('Which are listed').selectOption('shown');
    await row.getByText('revoked').waitFor();
    await expectNoBarriers(page);
    const after = await eventually(
      () => scene.api.call('GET', `/api/approval-grants?actionId=${id}`),
      ({ data: { approvalGrants } }) => approvalGrants[0]?.revokedAt !== null,
    );
    expect(after.data.approvalGrants).toHaveLength(1);
  });
});
