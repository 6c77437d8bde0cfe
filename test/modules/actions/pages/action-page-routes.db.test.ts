import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApproverRules } from '../../../../src/domain/approver.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { askForApproval } from '../../../labs/asked-call.ts';
import { createBrowser } from '../../../labs/browser.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

interface LinkedParts {
  input?: JsonObject;
  rules?: ApproverRules;
  timeoutMs?: number;
  key?: string;
  wish?: object;
}

/** Lets a call wait, and creates a link to it. */
async function link({ wish = {}, key = api.key, ...parts }: LinkedParts = {}) {
  const { actionId } = await askForApproval(api, { start: { actingFor: 'Eve' }, ...parts });
  const body = { actingFor: 'Ada', ...wish };
  const answer = await api.call('POST', `/api/pending-actions/${actionId}/link`, { body, key });
  return { actionId, answer, url: answer.status === 201 ? answer.data.url : '' };
}

async function readAction(id: string) {
  return (await api.call('GET', `/api/pending-actions/${id}`)).data.action;
}

async function open(url: string) {
  const response = await createBrowser().open(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function press(page: string, decision: string, written: Record<string, string> = {}) {
  const response = await createBrowser().press(page, { name: 'decision', value: decision }, written);
  return { status: response.status, text: await response.text() };
}

describe('a link to an action', () => {
  test('opens a page that shows the call, and decides nothing, whatever looks at it', async () => {
    const { actionId, url, answer } = await link();
    expect(answer.status).toBe(201);
    expect(Date.parse(answer.data.expiresAt)).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1000);
    const page = await open(url);

    expect(page.status).toBe(200);
    for (const text of [
      'Let calculate run?',
      'Plain',
      'Eve',
      '&quot;expression&quot;: &quot;1 + 1&quot;',
      'UTC',
    ])
      expect(page.text).toContain(text);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${url}&decision=approve`)).status).toBe(200);
    expect(await readAction(actionId)).toMatchObject({ status: 'pending' });
  });

  test('decides by its form, and then says who has decided', async () => {
    const { actionId, url } = await link();
    const { text } = await open(url);
    const decided = await press(text, 'approve', { reason: 'Looks right.' });

    expect(decided.status).toBe(200);
    for (const part of ['Approved: calculate', 'Ada', 'Looks right.']) expect(decided.text).toContain(part);
    expect(decided.text).not.toContain('<form');
    expect(await readAction(actionId)).toMatchObject({
      ...{ status: 'approved', reason: 'Looks right.', approvedArguments: null },
      decidedBy: { actingFor: 'Ada', apiKeyId: expect.any(String) as string },
    });
    expect(api.calls.told).toContain(actionId);
    const again = await open(url);
    expect(again.text).toContain('Approved: calculate');
    const late = await press(text, 'reject');
    expect(late).toMatchObject({ status: 409, text: expect.stringContaining('Approved') as string });
  });

  test('rejects, and needs no reason', async () => {
    const { actionId, url } = await link();
    const decided = await press((await open(url)).text, 'reject');
    expect(decided.text).toContain('Rejected: calculate');
    expect(await readAction(actionId)).toMatchObject({ status: 'rejected', reason: null });
  });

  test('takes changed arguments, and shows what is wrong with them', async () => {
    const { actionId, url } = await link();
    const { text } = await open(url);
    for (const written of ['{ "expression": 7 }', '{ "expression": ', '[]']) {
      const refused = await press(text, 'approve', { arguments: written, reason: 'Because <of> me.' });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('class="problem"');
      expect(refused.text).toContain('Because &lt;of&gt; me.');
      expect(refused.text).toContain(written.replaceAll('"', '&quot;'));
    }
    expect(await readAction(actionId)).toMatchObject({ status: 'pending' });
    const decided = await press(text, 'approve', { arguments: '{ "expression": "2 + 2" }' });
    expect(decided.text).toContain('A person approved it with these arguments instead');
    expect(await readAction(actionId)).toMatchObject({ approvedArguments: { expression: '2 + 2' } });
  });

  test('shows hostile arguments as text, and characters that nobody sees by their codes', async () => {
    const hostile = '</pre><script>alert(1)</script>"\'<img src=x onerror=alert(1)>\u202etxt.exe\u200b';
    const { actionId, url } = await link({ input: { expression: hostile } });
    const { text } = await open(url);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<img');
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect(text).toContain('\\u202etxt.exe\\u200b');

    // The form sends back what the page shows, which is not a change.
    await press(text, 'approve');
    expect(await readAction(actionId)).toMatchObject({ status: 'approved', approvedArguments: null });
  });

  test('opens nothing when it was changed, is for another action, or its time is over', async () => {
    const { url } = await link();
    const other = await link();
    const token = new URL(url).searchParams.get('token') ?? '';
    const [workspace, sealed = ''] = token.split('.');
    const foreign = await api.createWorkspace();
    const wrong = [
      other.url.replace(/token=.*/, `token=${token}`),
      url.replace(/token=.*/, ''),
      url.replace(/token=.*/, `token=${workspace}.${sealed.slice(0, -2)}AA`),
      url.replace(/token=.*/, `token=${foreign.workspaceId}.${sealed}`),
      url.replace(/actions\/[^?]*/, 'actions/none'),
      ...['.', '.more', '=', '!', '%20', '~AA', sealed.slice(0, 4)].map((more) => `${url}${more}`),
      url.replace(/token=.*/, `token=${workspace?.toUpperCase()}.${sealed}`),
    ];
    for (const one of wrong) {
      const page = await open(one);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.text).toContain('Nothing to decide');
    }
    const { text } = await open(url);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1000);
    try {
      expect(await open(url)).toMatchObject({ status: 403 });
      expect(await press(text, 'approve')).toMatchObject({ status: 403 });
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('shows an action whose time is over as it is', async () => {
    const { url } = await link({ timeoutMs: 1 });
    const page = await open(url);
    expect(page).toMatchObject({
      status: 200,
      text: expect.stringContaining('Expired: calculate') as string,
    });
    expect(page.text).not.toContain('<form');
  });

  test('ends with the key that has created it', async () => {
    const key = await api.createKey(api.workspaceId, ['approvals:decide']);
    const { url } = await link({ key });
    const { text } = await open(url);
    const [, id = ''] = key.split('_');
    await api.database.system('api_keys').where({ id }).update({ revoked_at: new Date() });
    expect((await open(url)).status).toBe(403);
    expect((await press(text, 'approve')).status).toBe(403);
  });

  test('decides as its key and its person may', async () => {
    const rules = { approvers: [['finance']], selfApproval: false };
    expect((await link({ rules })).answer).toMatchObject({ status: 403, error: { code: 'NOT_AN_APPROVER' } });
    const scopes = ['approvals:decide', 'conversations:read'] as const;
    const finance = await api.createKey(api.workspaceId, [...scopes], { groups: ['finance'] });
    const own = await link({ rules, key: finance, wish: { actingFor: 'Eve' } });
    expect(own.answer).toMatchObject({ status: 403, error: { code: 'SELF_APPROVAL_REFUSED' } });
    const { url, actionId } = await link({ rules, key: finance });
    expect((await press((await open(url)).text, 'approve')).status).toBe(200);
    expect(await readAction(actionId)).toMatchObject({ status: 'approved', decidedBy: { actingFor: 'Ada' } });

    const reader = await api.createKey(api.workspaceId, ['conversations:read']);
    expect((await link({ key: reader })).answer.status).toBe(403);
    const bound = await api.createKey(api.workspaceId, ['approvals:decide'], { actsFor: 'Bob' });
    const ofBob = await link({ key: bound });
    await press((await open(ofBob.url)).text, 'reject');
    expect(await readAction(ofBob.actionId)).toMatchObject({ decidedBy: { actingFor: 'Bob' } });
  });

  test('ends with the maker of its key, and opens no more than that may decide', async () => {
    const maker = await api.createKey(api.workspaceId, ['api_keys:write', 'approvals:decide']);
    const body = { name: 'made', scopes: ['approvals:decide'] };
    const { key } = (await api.call('POST', '/api/api-keys', { key: maker, body })).data;
    const [{ url }, other] = [await link({ key }), await link({ key })];
    const page = await open(url);
    expect(page.status).toBe(200);
    const id = maker.split('_')[1];
    const setMaker = (change: object) => api.database.system('api_keys').where({ id }).update(change);
    await setMaker({ scopes: ['api_keys:write'] });
    expect((await press(page.text, 'approve')).status).toBe(403);
    await setMaker({ scopes: ['approvals:decide'], expires_at: new Date() });
    expect((await open(other.url)).status).toBe(403);
    expect(await readAction(other.actionId)).toMatchObject({ status: 'pending' });
  });
});
