import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';

interface Listed {
  name: string;
  title: string;
  category: string;
  authTypes: string[];
  operationCount: number;
  logo: string;
  webhooks: { secretFrom: string } | null;
}

interface Detailed extends Listed {
  baseUrl: string;
  setup: string;
  variables: { name: string; authTypes: string[] }[];
  auth: {
    types: { type: string; fields: { name: string; secret: boolean; required: boolean; value?: string }[] }[];
    scopes: string[];
    hint: string | null;
  };
  operations: {
    name: string;
    description: string;
    inputSchema: JsonObject;
    executeRef: string;
    effect: string;
  }[];
}

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

async function list(query = '') {
  const { status, data } = await api.call('GET', `/api/providers${query}`);
  expect(status).toBe(200);
  return data as unknown as { providers: Listed[]; categories: string[] };
}

async function get(name: string): Promise<Detailed> {
  const { status, data } = await api.call('GET', `/api/providers/${name}`);
  expect(status).toBe(200);
  return (data as unknown as { provider: Detailed }).provider;
}

test('the providers are listed by title with their categories', async () => {
  const { providers, categories } = await list();
  expect(providers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['github', 'google-calendar', 'notion', 'slack']),
  );
  expect(providers.map(({ title }) => title)).toEqual(providers.map(({ title }) => title).sort());
  expect(new Set(providers.map(({ category }) => category))).toEqual(new Set(categories));
  expect(providers.find(({ name }) => name === 'slack')).toEqual({
    name: 'slack',
    title: 'Slack',
    description: 'Send and read messages of a Slack workspace.',
    category: 'communication',
    ...{ source: 'catalogue', version: null },
    authTypes: ['oauth2_authorization_code', 'bearer'],
    operationCount: 8,
    webhooks: { secretFrom: 'vendor' },
    unverified: null,
    logo: expect.stringMatching(/^<svg\s[^]*aria-label="Slack"[^]*>\s*Sl\s*<\/text[^]*<\/svg\s*>$/) as string,
  });
  expect(new Set(providers.map(({ logo }) => logo)).size).toBe(providers.length);
});

test('the providers whose webhooks a trigger takes are marked', async () => {
  const { providers } = await list();
  const marked = providers.filter(({ webhooks }) => webhooks !== null).map(({ name }) => name);
  const all = [
    'github',
    'hubspot',
    'intercom',
    'linear',
    'pagerduty',
    'shopify',
    'slack',
    'stripe',
    'zendesk',
  ];
  expect(marked.sort()).toEqual(all);
  expect((await get('github')).webhooks).toEqual({ secretFrom: 'registration' });
});

test('a variable tells which types of auth need it', async () => {
  const { variables } = await get('jira');
  expect(variables.map(({ name, authTypes }) => [name, authTypes])).toEqual([
    ['site', ['basic']],
    ['cloudId', ['oauth2_authorization_code']],
  ]);
});

test('the list can be filtered by words and by category', async () => {
  expect((await list('?search=slack')).providers.map(({ name }) => name)).toEqual(['slack']);
  expect((await list('?search=queryFreeBusy')).providers.map(({ name }) => name)).toEqual([
    'google-calendar',
  ]);
  expect((await list('?category=documents')).providers.map(({ name }) => name)).toContain('notion');
  expect((await list('?category=documents&search=slack')).providers).toEqual([]);
  await expectRefusal(api, () => api.call('GET', '/api/providers?category=cooking'));
  await expectRefusal(api, () => api.call('GET', '/api/providers?colour=red'));
});

test('a provider is returned with its operations as tools and with the fields of its auth', async () => {
  const slack = await get('slack');
  expect(slack.baseUrl).toBe('https://slack.com/api');
  expect(slack.operations[0]).toMatchObject({
    name: 'slack_sendMessage',
    executeRef: 'sendMessage',
    effect: 'unsafe',
    inputSchema: { type: 'object', required: ['channel', 'text'], additionalProperties: false },
  });
  expect(slack.auth.scopes).toContain('chat:write');
  expect(slack.setup).toMatch(/\d\. For OAuth, register `http\S+\/api\/oauth\/callback` as/);
  expect(slack.setup).toMatch(/\d\. Allow the app these scopes: .*`chat:write`/);
  expect(slack.auth.types).toMatchObject([
    {
      type: 'oauth2_authorization_code',
      fields: [{ name: 'clientId' }, { name: 'clientSecret', secret: true }],
    },
    { type: 'bearer', fields: [{ name: 'token', secret: true, required: true }] },
  ]);
  const brave = await get('brave-search');
  expect(brave.setup).toMatch(/^1\. \S.*\n2\. \S.*\n$/);
  expect(brave.auth.types[0]?.fields).toMatchObject([
    { name: 'key', secret: true },
    { name: 'header', value: 'X-Subscription-Token' },
    { name: 'prefix', value: '' },
  ]);
});

test('an unknown provider is answered with 404, and a key without the scope is refused', async () => {
  const unknown = await api.call('GET', '/api/providers/nobody');
  expect([unknown.status, unknown.error.code]).toEqual([404, 'NOT_FOUND']);
  const key = await api.createKey(api.workspaceId, ['agents:read']);
  const answers = await Promise.all(
    ['/api/providers', '/api/providers/slack'].map((path) => api.call('GET', path, { key })),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
});
