import { expect, test } from 'vitest';
import { createAuditChain } from '../../../src/platform/outbox/audit-chain.ts';
import { deleteConversation } from '../../../src/modules/turns/conversations/delete-conversation.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { countRows } from '../../labs/removal-rows.ts';

const timings = { HOLDFAST_SWEEP_INTERVAL_MS: '1000', HOLDFAST_RETENTION_DAYS: '30' };

async function sayAndWait(lab: TurnLab) {
  const scene = await lab.scene();
  scene.reply({ text: 'Noted.' });
  const turnId = await scene.say('Remember this.');
  await lab.waitForOutcome(turnId);
  return { turnId, conversationId: scene.conversationId };
}

function untilGone(lab: TurnLab, conversationId: string) {
  return eventually(
    () => lab.database.system('conversations').where({ id: conversationId }),
    ({ length }) => length === 0,
  );
}

test('a Temporal schedule removes the rows of deleted conversations, and the audit chain stays whole', async () => {
  const lab = await startTurnLab({ environment: timings });
  try {
    const { conversationId } = await sayAndWait(lab);
    const { database, workspaceId } = lab;
    const notifier = { events: () => undefined, stop: () => undefined, steerNow: () => undefined };
    await deleteConversation({ database, notifier }, { workspaceId }, conversationId);
    await untilGone(lab, conversationId);
    expect(await countRows(database.system, workspaceId)).toEqual({});
    const report = await createAuditChain(database.system).verify(workspaceId);
    expect(report.faults).toEqual([]);
  } finally {
    await lab.close();
  }
});

test('the removal goes by the retention setting, and leaves newer conversations', async () => {
  const lab = await startTurnLab({ worker: false, environment: timings });
  try {
    const starting = await lab.startWorker();
    const old = await sayAndWait(lab);
    await starting.stop();
    const age = { created_at: new Date('2020-01-01'), settled_at: new Date('2020-01-01') };
    await lab.database.system('turns').where({ id: old.turnId }).update(age);
    await lab.database
      .system('conversations')
      .where({ id: old.conversationId })
      .update({ created_at: age.created_at });
    // The worker that starts now has not looked for old rows yet.
    await lab.startWorker();
    const fresh = await sayAndWait(lab);
    await untilGone(lab, old.conversationId);
    expect(await lab.readTurn(fresh.turnId)).toMatchObject({ outcome: 'completed' });
  } finally {
    await lab.close();
  }
});

test('a removal that fails is tried again', async () => {
  const lab = await startTurnLab();
  try {
    await lab.asOwner('REVOKE SELECT ON workspaces FROM holdfast_system');
    const args: [object] = [{ intervalMs: 300, durationMs: 1_000 }];
    const { taskQueue } = lab;
    const workflowId = `removal-${newId()}`;
    const running = await lab.client.workflow.start('recordRemoval', { taskQueue, workflowId, args });
    await eventually(
      async () => {
        const { raw } = await running.describe();
        return raw.pendingActivities?.[0]?.attempt ?? 0;
      },
      (attempt) => attempt > 1,
    );
    await lab.asOwner('GRANT SELECT ON workspaces TO holdfast_system');
    expect(await running.result()).toEqual({
      turns: 0,
      conversations: 0,
      agents: 0,
      workspaces: 0,
      more: false,
    });
    await recordWorkflow(lab, 'record-removal', workflowId);
  } finally {
    await lab.close();
  }
});
