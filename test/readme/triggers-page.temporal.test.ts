import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Trigger, TriggerDelivery } from '../../src/modules/triggers/trigger.ts';
import { webhookRuleSchema } from '../../src/domain/webhook-rule.ts';
import { createDemoAgent } from '../../src/main/dev/demo-agent.ts';
import { webhookSenders } from '../../src/engines/providers/webhook-senders.ts';
import { eventually } from '../labs/eventually.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/triggers.md');

test('the commands of docs/triggers.md create triggers, and a signed request starts a turn', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { name, instructions, model } = createDemoAgent('demo');
  const tools = [{ type: 'function', name: 'calculate' }];
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{ name, model, instructions, tools },
  });
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const environment = {
    ...{ HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, AGENT_ID: agent.id },
    HOOK_SECRET: 'a-long-random-text',
  };
  const [create = '', send = '', show = '', request = ''] = listCommands(page).map(({ command }) =>
    command.replace('npx holdfast', program),
  );
  const type = (command: string, more: Record<string, string> = {}) =>
    runTyped(command, { variables: { ...environment, ...more } });

  const created = await type(create);
  const [, id = ''] = /Trigger (\S+) is created/.exec(created) ?? [];
  const [url = ''] = /http:\S+\/hooks\/\S+/.exec(created) ?? [];
  const sent = JSON.parse(await type(send, { HOOK_URL: url })) as { deliveryId: string };
  const { deliveries } = await eventually(
    () => api.ask<{ deliveries: TriggerDelivery[] }>('GET', `/api/triggers/${id}/deliveries`),
    (list) => list.deliveries[0]?.status === 'started',
  );
  expect(deliveries).toMatchObject([{ id: sent.deliveryId, event: 'issues.opened' }]);
  const turnId = deliveries[0]?.turnId ?? '';
  expect(await lab.waitUntilSettled(turnId)).toMatchObject({ status: 'completed' });
  expect(await type(show, { TRIGGER_ID: id })).toMatch(
    new RegExp(`Triage: github, issues\\.opened[\\s\\S]*started {2}issues\\.opened {2}${turnId}`),
  );
  const answered = JSON.parse(await type(request)) as { data: { trigger: Trigger } };
  expect(answered.data.trigger).toMatchObject({ provider: 'slack', hasSecret: true });
});

test('docs/triggers.md names every sender, and shows a rule that the API takes', () => {
  const text = page.blocks.find(({ language }) => language === 'json')?.text ?? '';
  expect(webhookRuleSchema.safeParse(JSON.parse(text)).success).toBe(true);
  const source = readFileSync('docs/triggers.md', 'utf8');
  for (const name of Object.keys(webhookSenders)) expect(source).toContain(`| \`${name}\``);
});
