import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConversationRepository } from '../../../src/modules/turns/conversations/conversation-repository.ts';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import { executionModes, type ExecutionMode } from '../../../src/domain/agent.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { storeTurn, submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { eventually } from '../../labs/eventually.ts';
import { fetchTurnHistory } from '../../labs/histories.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { withoutPlaces } from '../../labs/turn-grounds.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await startTurnLab({ environment: withoutPlaces });
});
afterAll(() => lab.close());

/** A workspace with an agent whose model answers when it is let go, by default at once. */
async function createTenant(maxRunningTurns: number | null, execution: ExecutionMode = 'direct') {
  const workspaceId = newId();
  const workspace = { id: workspaceId, name: 'Tenant', max_running_turns: maxRunningTurns };
  await lab.database.system('workspaces').insert(workspace);
  const model = `tenant-${workspaceId}`;
  const held = Promise.withResolvers<unknown>();
  const agent = await lab.database.inWorkspace(workspaceId, (trx) =>
    createAgentRepository(trx).createAgent({
      ...{
        name: 'Agent',
        model: `compatible/${model}`,
        instructions: 'Answer.',
        tools: [],
        limits: {},
        execution,
      },
    }),
  );
  const toSubmission = async (priority?: number) => {
    const { id: conversationId } = await lab.database.inWorkspace(workspaceId, (trx) =>
      createConversationRepository(trx).createConversation({ agentId: agent.id }),
    );
    const turn = { turnId: newId(), conversationId, input: { message: 'Hello', onBusy: 'reject' as const } };
    return { ...turn, ...(priority === undefined ? {} : { priority }) };
  };
  return {
    workspaceId,
    letGo: () => held.resolve(null),
    /** Lets the model answer so many turns, once it is let go. */
    reply: (count: number, isHeld = true) =>
      lab.model.reply(
        ...Array.from({ length: count }, () => ({
          ...{ text: 'Done.', when: (body: { model: string }) => body.model === model },
          ...(isHeld ? { until: held.promise } : {}),
        })),
      ),
    submit: async (priority?: number) => {
      const submission = await toSubmission(priority);
      return (await submitTurn(lab.turns, { workspaceId }, submission)).turn;
    },
    store: async () => (await storeTurn(lab.turns, { workspaceId }, await toSubmission())).turn,
    statuses: async () => {
      const rows = await lab.database
        .system('turns')
        .where({ workspace_id: workspaceId })
        .orderBy('created_at')
        .select<{ id: string; status: string; started_at: Date | null }[]>('id', 'status', 'started_at');
      return rows;
    },
  };
}

type Tenant = Awaited<ReturnType<typeof createTenant>>;

async function count({ statuses }: Tenant, status: string): Promise<number> {
  return (await statuses()).filter((turn) => turn.status === status).length;
}

function waitUntil(tenant: Tenant, status: string, wanted: number): Promise<number> {
  return eventually(
    () => count(tenant, status),
    (found) => found === wanted,
  );
}

describe.each(executionModes)('in %s execution', (execution) => {
  test('a tenant whose turns wait does not hold up the turn of another one', async () => {
    const busy = await createTenant(2, execution);
    const other = await createTenant(2, execution);
    busy.reply(30);
    other.reply(1, false);
    // All at the same moment: the limit holds between processes and connections too.
    await Promise.all(Array.from({ length: 30 }, () => busy.submit()));
    expect([await count(busy, 'running'), await count(busy, 'queued')]).toEqual([2, 28]);

    await other.submit();
    await waitUntil(other, 'completed', 1);
    expect([await count(busy, 'running'), await count(busy, 'queued')]).toEqual([2, 28]);

    busy.letGo();
    await waitUntil(busy, 'completed', 30);
  });

  test('turns that wait begin in the order in which they came', async () => {
    const tenant = await createTenant(1, execution);
    tenant.reply(6);
    for (let turn = 0; turn < 6; turn += 1) await tenant.submit();
    tenant.letGo();
    await waitUntil(tenant, 'completed', 6);
    const started = (await tenant.statuses()).map(({ started_at: at }) => at?.getTime() ?? 0);
    expect(started).toEqual(started.toSorted((one, next) => one - next));
  });
});

test('a turn of a person goes before one of a schedule that came earlier', async () => {
  const tenant = await createTenant(1);
  tenant.reply(3);
  await tenant.submit();
  const scheduled = await tenant.submit(4);
  const person = await tenant.submit();
  tenant.letGo();
  await waitUntil(tenant, 'completed', 3);
  const started = new Map(
    (await tenant.statuses()).map(({ id, started_at: at }) => [id, at?.getTime() ?? 0]),
  );
  expect(started.get(person.id)).toBeLessThan(started.get(scheduled.id) ?? 0);
  const { events } = await fetchTurnHistory(lab, scheduled.id);
  expect(events?.[0]?.workflowExecutionStartedEventAttributes?.priority).toMatchObject({ priorityKey: 4 });
});

test('the sweeper starts a turn that waits when nobody else does', async () => {
  const tenant = await createTenant(1);
  tenant.reply(1, false);
  // Its workspace had no place; then the process died that was to start it.
  await lab.database.system('workspaces').where({ id: tenant.workspaceId }).update({ max_running_turns: 1 });
  const { id } = await tenant.store();
  await lab.database
    .system('turns')
    .where({ id })
    .update({ status: 'queued', started_at: null, deadline_at: null });
  await lab.sweep();
  await waitUntil(tenant, 'completed', 1);
});

test('the turns of a workspace without a limit all run', async () => {
  const tenant = await createTenant(null);
  tenant.reply(5);
  await Promise.all(Array.from({ length: 5 }, () => tenant.submit()));
  expect(await count(tenant, 'running')).toBe(5);
  tenant.letGo();
  await waitUntil(tenant, 'completed', 5);
});

test('the weight of a workspace is given to Temporal', async () => {
  const tenant = await createTenant(null);
  await lab.database.system('workspaces').where({ id: tenant.workspaceId }).update({ turn_weight: 2.5 });
  tenant.reply(1, false);
  const { id } = await tenant.submit();
  await waitUntil(tenant, 'completed', 1);
  const { events } = await fetchTurnHistory(lab, id);
  expect(events?.[0]?.workflowExecutionStartedEventAttributes?.priority).toMatchObject({
    fairnessKey: tenant.workspaceId,
    fairnessWeight: 2.5,
  });
});
