import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Schedule, ScheduleRun } from '../../src/domain/schedule.ts';
import { createDemoAgent } from '../../src/main/dev/demo-agent.ts';
import { eventually } from '../labs/eventually.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

test('the commands of docs/schedules.md create a schedule, run it and show its runs', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { name, instructions, model } = createDemoAgent('demo');
  const tools = [{ type: 'function', name: 'calculate' }];
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    name,
    model,
    instructions,
    tools,
  });
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, AGENT_ID: agent.id };
  const [create = '', run = '', show = '', request = ''] = listCommands(readPage('docs/schedules.md')).map(
    ({ command }) => command.replace('npx holdfast', program).replace('http://127.0.0.1:3400', api.url),
  );
  const type = (command: string, more: Record<string, string> = {}) =>
    runTyped(command, { variables: { ...environment, ...more } });

  const [, id = ''] = /Schedule (\S+) is created/.exec(await type(create)) ?? [];
  expect(await type(run, { SCHEDULE_ID: id })).toContain('runs now');
  await eventually(
    () => api.ask<{ runs: ScheduleRun[] }>('GET', `/api/schedules/${id}/runs`),
    ({ runs }) => runs[0]?.status === 'completed',
  );
  const shown = await type(show, { SCHEDULE_ID: id });
  expect(shown).toMatch(/Morning report: 0 9 \* \* 1-5 Europe\/Berlin/);
  expect(shown).toMatch(/next {2}\d{4}-/);
  expect(shown).toMatch(/ran {3}\d{4}-\S+ {2}completed/);
  const answered = JSON.parse(await type(request)) as { data: { schedule: Schedule } };
  expect(answered.data.schedule).toMatchObject({ name: 'Every hour', paused: false });
});
