import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoutineScene, toDocument } from '../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab();
});

afterAll(() => lab.close());

test('the rules and approvals of the agent hold for the calls of its routines', async () => {
  const calculate = {
    ...{
      type: 'function' as const,
      name: 'calculate',
      description: 'Calculates.',
      schema: { type: 'object' },
    },
    config: { functionName: 'calculate' },
  };
  const tasks = '  - sum: { call: calculate, with: { expression: 1 + 1 } }';
  const blocked = await createRoutineScene(lab, {
    tools: [calculate],
    rules: { toolPolicies: {}, canaryTokens: [], toolAllowlist: ['other'], onBlocked: 'continue' },
  });
  const refused = await blocked.end(
    await blocked.start((await blocked.store(toDocument('blocked', tasks))).id),
  );
  expect(refused).toMatchObject({ status: 'faulted', error: { status: 403, title: 'TOOL_BLOCKED' } });

  const asking = await createRoutineScene(lab, {
    tools: [{ ...calculate, settings: { approval: 'always_ask' } }],
  });
  const runId = await asking.start((await asking.store(toDocument('asking', tasks))).id);
  await asking.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
  const [action] = (await lab.readTurn(runId)).pendingActions;
  await lab.decide(action?.id ?? '', { decision: 'approve' });
  expect(await asking.end(runId)).toMatchObject({ status: 'completed', output: 2 });
});
