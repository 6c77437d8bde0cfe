import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import type { Rules } from '../../../src/domain/rules.ts';
import type { ToolSettings } from '../../../src/domain/tool.ts';
import { parseApiKeyText } from '../../../src/modules/workspaces/keys/api-key-text.ts';
import { createLabKey } from '../../labs/lab-api.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

const call = { toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] };
const ask = { approval: 'ask' as const };

function openScene(settings: ToolSettings, rules?: Rules): Promise<LabScene> {
  return lab.scene({ tools: [{ ...calculate, settings }], ...(rules ? { rules } : {}) });
}

async function askAs(scene: LabScene, actingFor?: string) {
  scene.reply(call, { text: 'Two.' });
  const turnId = await scene.say('Calculate.', { actingFor });
  const [action] = await lab.waitForActions(turnId);
  return { turnId, actionId: action?.id ?? '', action };
}

const rememberAll = {
  ...{ tool: 'calculate', pins: {}, scope: 'agent' as const },
  until: new Date(Date.now() + 600_000).toISOString(),
};

let key: string;
beforeEach(async () => {
  key = parseApiKeyText(await createLabKey(lab))?.id ?? '';
});

test('the groups of the tool and those of the policy of the agent both have to approve', async () => {
  const policy = { approvers: ['managers'] };
  const scene = await openScene(
    { ...ask, approvers: ['finance', 'legal'] },
    { toolPolicies: { calculate: policy }, canaryTokens: [], onBlocked: 'continue' },
  );
  const { turnId, actionId, action } = await askAs(scene);
  expect(action).toMatchObject({ approvers: [['finance', 'legal'], ['managers']], selfApproval: true });
  const approve = (groups: string[]) =>
    lab.decide(actionId, { decision: 'approve' }, { apiKeyId: key, groups });

  await expect(approve(['finance'])).rejects.toMatchObject({ code: 'NOT_AN_APPROVER' });
  await approve(['legal', 'managers']);
  expect((await lab.waitForOutcome(turnId)).outcome).toBe('completed');
});

test('a decision through Temporal is in no group and is nobody, so that it is refused', async () => {
  const scenes = await Promise.all([
    openScene({ ...ask, approvers: ['finance'] }),
    openScene({ ...ask, selfApproval: false }),
  ]);
  for (const scene of scenes) {
    const { turnId, actionId } = await askAs(scene, 'Ada');
    const workflow = lab.client.workflow.getHandle(`turn-${turnId}`);
    const update = { actionId, decision: 'approve', actingFor: 'Bob' };
    await expect(workflow.executeUpdate('decideAction', { args: [update] })).rejects.toThrow();
    await lab.decide(
      actionId,
      { decision: 'approve', actingFor: 'Bob' },
      { apiKeyId: key, groups: ['finance'] },
    );
    expect((await lab.waitForOutcome(turnId)).outcome).toBe('completed');
  }
});

test('an approval that somebody remembered does not approve the calls that they ask for', async () => {
  const scene = await openScene({ ...ask, selfApproval: false });
  const first = await askAs(scene, 'Ada');
  const decision = { decision: 'approve' as const, actingFor: 'Bob', remember: rememberAll };
  await lab.decide(first.actionId, decision, { apiKeyId: key });
  await lab.waitForOutcome(first.turnId);

  const own = await askAs(scene, 'bob');
  await lab.decide(own.actionId, { decision: 'approve', actingFor: 'Ada' }, { apiKeyId: key });
  await lab.waitForOutcome(own.turnId);
  scene.reply(call, { text: 'Two.' });
  const turn = await lab.waitForOutcome(await scene.say('Calculate.', { actingFor: 'Eve' }));
  expect(turn.toolCalls).toMatchObject([{ approval: { decidedBy: { actingFor: 'Bob' } } }]);
});

test('an approval is not remembered for groups that its approver is not in', async () => {
  const scene = await openScene(ask);
  const first = await askAs(scene);
  await lab.decide(first.actionId, { decision: 'approve', remember: rememberAll }, { apiKeyId: key });
  await lab.waitForOutcome(first.turnId);
  await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createAgentRepository(trx).reviseAgent(scene.agent.id, ({ tools }) => ({
      tools: tools.map((tool) => ({ ...tool, settings: { ...ask, approvers: ['finance'] } })),
    })),
  );
  scene.reply(call);
  const turnId = await scene.say('Calculate.');
  expect(await lab.waitForActions(turnId)).toMatchObject([{ approvers: [['finance']] }]);
  await lab.cancelTurn(turnId);
  await lab.waitForOutcome(turnId);
});
