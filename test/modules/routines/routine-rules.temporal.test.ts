import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitEvent } from '../../../src/modules/routines/runs/emit-event.ts';
import { parseApiKeyText } from '../../../src/modules/workspaces/keys/api-key-text.ts';
import { createLabKey } from '../../labs/lab-api.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

const calculate = {
  ...{ type: 'function' as const, name: 'calculate', description: 'Calculates.', schema: { type: 'object' } },
  config: { functionName: 'calculate' },
};

test('the rules and approvals of the agent hold for the calls of its routines', async () => {
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

test('who emits an event to a run that waits for it took part in its calls, as those of a run that emits one', async () => {
  const settings = { approval: 'always_ask' as const, selfApproval: false };
  const scene = await createRoutineScene(lab, { tools: [{ ...calculate, settings }] });
  const apiKeyId = parseApiKeyText(await createLabKey(lab))?.id ?? '';
  const by = (actingFor: string) => ({ apiKeyId, actingFor });
  const emitting = await scene.store(
    toDocument(
      'emitting',
      "  - tell: { emit: { event: { with: { source: 'https://test', type: second } } } }",
    ),
  );
  const waiting = await scene.store(
    toDocument(
      'waiting',
      `  - both: { listen: { to: { all: [{ with: { type: first } }, { with: { type: second } }] } } }
  - sum: { call: calculate, with: { expression: 1 + 1 } }`,
    ),
  );
  const runId = await scene.start(waiting.id, {}, { startedBy: by('Ann') });
  await scene.untilListening(runId);

  const eve = { workspaceId: lab.workspaceId, apiKeyId, actsFor: 'Eve' };
  await emitEvent(scene.dependencies, eve, { source: 'https://test', type: 'first' });
  await scene.end(await scene.start(emitting.id, {}, { startedBy: by('Bob') }));
  await scene.until(runId, ({ steps }) => steps.at(-1)?.name === 'sum' && steps.at(-1)?.state === 'waiting');

  const [action] = (await lab.readTurn(runId)).pendingActions;
  expect(action?.askedBy).toEqual([by('Ann'), by('Bob'), by('Eve')]);
  const decideAs = (actingFor: string) =>
    lab.decide(action?.id ?? '', { decision: 'approve', actingFor }, { apiKeyId });
  await expect(decideAs('Eve')).rejects.toMatchObject({ code: 'SELF_APPROVAL_REFUSED' });
  await expect(decideAs('Bob')).rejects.toMatchObject({ code: 'SELF_APPROVAL_REFUSED' });
  await decideAs('Zoe');
  expect(await scene.end(runId)).toMatchObject({ status: 'completed', output: 2 });
});
