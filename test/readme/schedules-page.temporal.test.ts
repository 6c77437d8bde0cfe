import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { Routine, RoutineRun } from '../../src/domain/routine.ts';
import type { Schedule, ScheduleRun } from '../../src/modules/schedules/schedule.ts';
import { createDemoAgent } from '../../src/main/dev/demo-agent.ts';
import { eventually } from '../labs/eventually.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { toDocument } from '../labs/routine-scene.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

test('the commands of docs/schedules.md create schedules of turns and routines, run them and show their runs', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
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
  const [create = '', run = '', show = '', request = '', routine = ''] = listCommands(
    readPage('docs/schedules.md'),
  ).map(({ command }) => command.replace('npx holdfast', program));
  const type = (command: string, more: Record<string, string> = {}) =>
    runTyped(command, { variables: { ...environment, ...more } });

  const [, id = ''] = /Schedule (\S+) is created/.exec(await type(create)) ?? [];
  expect(await type(run, { SCHEDULE_ID: id })).toContain('runs now');
  await eventually(
    () => api.ask<{ runs: ScheduleRun[] }>('GET', `/api/schedules/${id}/runs`),
    ({ runs }) => runs[0]?.status === 'completed',
  );
  // The times of the next runs are not known while Temporal does not answer.
  const shown = await eventually(
    () => type(show, { SCHEDULE_ID: id }),
    (text) => /next {2}\d{4}-/.test(text),
  );
  expect(shown).toMatch(/Morning report: 0 9 \* \* 1-5 Europe\/Berlin/);
  expect(shown).toMatch(/ran {3}\d{4}-\S+ \S+ [+-]\d\d:\d\d \S+ {2}completed/);
  const answered = JSON.parse(await type(request)) as { data: { schedule: Schedule } };
  expect(answered.data.schedule).toMatchObject({ name: 'Every hour', paused: false });

  const document = toDocument('clean-up', "  - clean: { set: { kept: '${ .days }' } }");
  const { routine: stored } = await api.ask<{ routine: Routine }>('POST', '/api/routines', {
    ...{ agentId: agent.id, document },
  });
  const created = await type(routine, { ROUTINE_ID: stored.id });
  const [, nightly = ''] = /Schedule (\S+) is created/.exec(created) ?? [];
  await type(run, { SCHEDULE_ID: nightly });
  await eventually(
    () => type(show, { SCHEDULE_ID: nightly }),
    (text) => /ran {3}\d{4}-\S+ \S+ [+-]\d\d:\d\d \S+ {2}completed/.test(text),
  );
  const { runs } = await api.ask<{ runs: RoutineRun[] }>('GET', '/api/routine-runs');
  expect(runs[0]).toMatchObject({ routineId: stored.id, output: { kept: 30 } });
});
