import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHoldfastClient, type HoldfastClient } from 'holdfast/client';
import { budgetMessage, handbook, warehouse } from './names.ts';

/** Creates what the agent names. What is there already stays. */
export async function prepare(holdfast: HoldfastClient, warehouseUrl: string): Promise<void> {
  const connections = await holdfast.connections.list();
  if (!connections.items.some(({ name }) => name === warehouse)) {
    await holdfast.connections.create({
      ...{ name: warehouse, provider: 'mcp', endpoint: warehouseUrl },
      auth: { type: 'none' },
    });
  }
  const { items } = await holdfast.knowledgeBases.list();
  if (items.some(({ name }) => name === handbook)) return;
  const { id } = await holdfast.knowledgeBases.create({ name: handbook });
  const text = readFileSync(path.join(import.meta.dirname, 'handbook', 'returns.md'), 'utf8');
  const file = new File([text], 'returns.md', { type: 'text/markdown' });
  let document = await holdfast.knowledgeBases.documents.create(id, { file });
  while (document.status === 'queued' || document.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    document = await holdfast.knowledgeBases.documents.get(id, document.id);
  }
}

/** The values with which `server.ts` is configured. */
export interface Secrets {
  webhookSecret: string;
  /** The address and the secret for parcels that come back. */
  returnsUrl: string;
  returnsSecret: string;
  routineId: string;
}

/**
 * Creates the webhook, the budget, the routine, the schedule and the trigger, after the agent was pushed. What is there already
 * stays, with new secrets, since they cannot be read again.
 */
export async function setUp(holdfast: HoldfastClient, origin: string): Promise<Secrets> {
  const { items: agents } = await holdfast.agents.list();
  const agentId = agents.find(({ name }) => name === 'Support')?.id;
  if (agentId === undefined) throw new Error('The agent Support was not pushed.');
  const { items: budgets } = await holdfast.budgets.list();
  if (!budgets.some(({ message }) => message === budgetMessage)) {
    const limit = { scope: 'user', each: true, period: 'day', dollars: '0.50' } as const;
    await holdfast.budgets.create({ ...limit, message: budgetMessage });
  }
  const { items: schedules } = await holdfast.schedules.list();
  if (!schedules.some(({ name }) => name === 'Morning report')) {
    await holdfast.schedules.create({
      name: 'Morning report',
      times: { cron: '0 9 * * 1-5' },
      timeZone: 'Europe/Berlin',
      action: { kind: 'turn', agentId, message: 'Which items are out of stock?' },
    });
  }
  return {
    webhookSecret: await openWebhook(holdfast, `${origin}/hooks`),
    ...(await openReturns(holdfast, agentId)),
    routineId: await storeRoutine(holdfast, agentId),
  };
}

async function openWebhook(holdfast: HoldfastClient, url: string): Promise<string> {
  const { items } = await holdfast.webhooks.list();
  const found = items.find((one) => one.url === url);
  const events = ['turn.settled', 'turn.action_required'] as const;
  const { secret } = found
    ? await holdfast.webhooks.rotateSecret(found.id)
    : await holdfast.webhooks.create({ url, events: [...events] });
  return secret ?? '';
}

/** Each parcel that comes back starts a turn in a conversation of its order. */
async function openReturns(holdfast: HoldfastClient, agentId: string) {
  const { items } = await holdfast.triggers.list();
  const found = items.find(({ name }) => name === 'Returns');
  const { trigger, secret } = found
    ? await holdfast.triggers.rotateSecret(found.id)
    : await holdfast.triggers.create({
        name: 'Returns',
        provider: 'standard-webhooks',
        events: ['parcel.returned'],
        action: {
          kind: 'turn',
          agentId,
          message: 'The parcel of order {{ .data.order }} came back. Do what the handbook says.',
          conversationKey: '{{ .data.order }}',
          actingFor: '{{ .data.customer }}',
        },
      });
  return { returnsUrl: trigger.url, returnsSecret: secret ?? '' };
}

async function storeRoutine(holdfast: HoldfastClient, agentId: string): Promise<string> {
  const document = readFileSync(path.join(import.meta.dirname, 'follow-up.yaml'), 'utf8');
  const { items } = await holdfast.routines.list();
  const found = items.find(({ name, namespace }) => `${namespace}/${name}` === 'support/follow-up');
  return found?.id ?? (await holdfast.routines.create({ agentId, document })).id;
}

/** Returns the secrets as variables of `server.ts`. */
export function toVariables({ webhookSecret, returnsUrl, returnsSecret, routineId }: Secrets) {
  return {
    WEBHOOK_SECRET: webhookSecret,
    RETURNS_URL: returnsUrl,
    RETURNS_SECRET: returnsSecret,
    FOLLOW_UP_ROUTINE: routineId,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { HOLDFAST_URL: baseUrl = '', HOLDFAST_API_KEY: apiKey = '' } = process.env;
  const { APP_PORT = '4600', WAREHOUSE_PORT = '4700' } = process.env;
  const holdfast = createHoldfastClient({ baseUrl, apiKey });
  await prepare(holdfast, `http://127.0.0.1:${WAREHOUSE_PORT}/mcp`);
  // "npm start" pushes when a file is saved; the first time it could not, since the agent names what was created above.
  execFileSync('npx', ['holdfast', 'push'], { stdio: 'inherit' });
  const variables = toVariables(await setUp(holdfast, `http://127.0.0.1:${APP_PORT}`));
  const lines = Object.entries({ ...variables, APP_PORT }).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync('.env', lines.join(''), { mode: 0o600 });
  console.log('Everything is set up; the secrets are in .env.');
}
