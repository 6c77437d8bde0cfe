import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createToolCallRepository } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { executionModes } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import type { AnswerEntry } from '../servers/scripted-model.ts';
import { call, fine, look, pay, ruled, startRulesLab } from './rules-lab.ts';

const gateway: ToolInput = {
  type: 'mcp',
  name: 'mcp',
  description: 'Lists and calls tools.',
  schema: { type: 'object', properties: {} },
  config: { gateway: true, servers: ['lab'] },
};

let rules: Awaited<ReturnType<typeof startRulesLab>>;

beforeAll(async () => {
  rules = await startRulesLab();
});

beforeEach(() => {
  rules.reached.length = 0;
});

afterAll(() => rules.close());

describe.each(executionModes)('rules in %s execution', (execution) => {
  test('block a call before anything is sent to the server of the tool', async () => {
    const scene = await rules.lab.scene({ ...ruled({ toolAllowlist: ['look'] }), execution });
    const { turn, events, told, requests } = await rules.play(scene, call('pay', { amount: 5 }), fine);

    expect(rules.reached).toEqual([]);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Understood.' });
    expect(turn.toolCalls).toMatchObject([
      { name: 'pay', status: 'blocked', error: { code: 'TOOL_BLOCKED' } },
    ]);
    expect(told).toContain('TOOL_BLOCKED: pay is not on the list of tools that this agent may call.');
    expect(requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['look']);
    const blocked = events.find(({ type }) => type === 'tool.blocked');
    expect(blocked?.payload).toMatchObject({
      name: 'pay',
      rule: 'allowlist',
      error: { code: 'TOOL_BLOCKED' },
    });
    expect(await rules.readAudit(turn.toolCalls[0]?.id)).toMatchObject([
      {
        type: 'tool.blocked',
        payload: {
          tool_name: 'pay',
          connector_name: 'lab',
          rule: 'allowlist',
          duration_ms: 0,
          error: { code: 'TOOL_BLOCKED' },
        },
      },
    ]);
  });

  test('end the turn after a blocked call when the agent is configured so', async () => {
    const options = ruled({ toolAllowlist: ['look'], onBlocked: 'end_turn' });
    const scene = await rules.lab.scene({ ...options, execution });
    const { turn, events } = await rules.play(scene, call('pay'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'TOOL_BLOCKED' } });
    expect(turn.answer).toMatch(/^The turn failed: pay is not on the list/);
    expect(turn.toolCalls).toMatchObject([{ status: 'blocked' }]);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['tool.blocked', 'turn.settled']);
  });
});

test('let allowed calls run, which are in the audit log with their connector', async () => {
  const scene = await rules.lab.scene(ruled({ toolAllowlist: ['pay', 'calculate'] }, [pay, calculate]));
  const both = {
    toolCalls: [
      { name: 'pay', arguments: {} },
      { name: 'calculate', arguments: { expression: '(' } },
    ],
  };
  const { turn } = await rules.play(scene, both, fine);

  const [paid, calculated] = await Promise.all(turn.toolCalls.map(({ id }) => rules.readAudit(id)));
  expect(paid).toMatchObject([
    { type: 'tool.executed', payload: { tool_name: 'pay', connector_name: 'lab', error: null } },
  ]);
  expect(typeof paid?.[0]?.payload['duration_ms']).toBe('number');
  expect(calculated).toMatchObject([
    { type: 'tool.failed', payload: { tool_name: 'calculate', connector_name: null } },
  ]);
  expect(await rules.lab.readLedger(turn.id)).toMatchObject([
    { connector: 'lab', target: null },
    { connector: null },
  ]);
});

describe('tool policies', () => {
  const policy = {
    maximums: { amount: 100 },
    allowedValues: { 'recipient.country': ['DE'] },
    patterns: { reference: 'R-\\d+' },
    forbiddenFields: ['items.discount'],
    schema: { required: ['amount'] },
  };

  test.each<[string, JsonObject, string]>([
    ['a maximum', { amount: 101 }, 'amount must be a number of at most 100'],
    [
      'an allowed value',
      { amount: 1, recipient: { country: 'FR' } },
      'recipient.country must be one of "DE"',
    ],
    ['a pattern', { amount: 1, reference: 'R-1 or so' }, 'reference must match R-\\d+'],
    ['a forbidden field', { amount: 1, items: [{ discount: 1 }] }, 'items.discount is forbidden'],
    ['its schema', {}, 'amount is required'],
  ])('block a call that violates %s, and the model corrects itself', async (_what, input, problem) => {
    const scene = await rules.lab.scene(ruled({ toolPolicies: { pay: policy } }));
    const good = { amount: 100, recipient: { country: 'DE' }, reference: 'R-17' };
    const { turn } = await rules.play(scene, call('pay', input), call('pay', good), fine);

    expect(turn.toolCalls).toMatchObject([{ status: 'blocked' }, { status: 'succeeded' }]);
    expect(turn.toolCalls[0]?.error?.message).toContain(problem);
    expect(turn.toolCalls[0]?.error?.details).toMatchObject({ rule: 'policy' });
    expect(rules.reached).toEqual([good]);
  });

  test('apply to a call through the gateway, which is named by its server and tool', async () => {
    const kept = { toolAllowlist: ['lab:pay'], toolPolicies: { 'lab:pay': { maximums: { amount: 100 } } } };
    const scene = await rules.lab.scene(ruled(kept, [gateway]));
    const through = (tool: string, args: JsonObject) =>
      call('mcp', { action: 'call', server: 'lab', tool, args });
    const { turn } = await rules.play(
      scene,
      through('look', {}),
      through('pay', { amount: 101 }),
      call('mcp', { action: 'list' }),
      through('pay', { amount: 100 }),
      fine,
    );

    expect(turn.toolCalls.map(({ status }) => status)).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'succeeded',
    ]);
    expect(rules.reached).toEqual([{ amount: 100 }]);
    const ledger = await rules.lab.readLedger(turn.id);
    expect(ledger.map(({ connector, target }) => [connector, target])).toEqual([
      ['lab', 'lab:look'],
      ['lab', 'lab:pay'],
      [null, null],
      ['lab', 'lab:pay'],
    ]);
    expect(await rules.readAudit(ledger[3]?.id)).toMatchObject([
      { type: 'tool.executed', payload: { tool_name: 'lab:pay', connector_name: 'lab' } },
    ]);
  });
});

describe('limits on the number of calls', () => {
  const threePays: AnswerEntry = {
    toolCalls: [0, 1, 2].map((index) => ({ id: `call_${index}`, name: 'pay', arguments: { index } })),
  };

  test('per turn let the first calls run and block the rest', async () => {
    const scene = await rules.lab.scene(ruled({ toolPolicies: { pay: { maxCallsPerTurn: 2 } } }));
    const { turn } = await rules.play(scene, threePays, call('pay', { index: 3 }), fine);

    expect(turn.toolCalls.map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
      'blocked',
      'blocked',
    ]);
    expect(rules.reached.map(({ index }) => index).sort()).toEqual([0, 1]);
    expect(turn.toolCalls[2]?.error).toMatchObject({
      code: 'TOOL_BLOCKED',
      message: 'pay may be called 2 times in one turn at most. Nothing was sent.',
    });

    const next = await rules.play(scene, call('pay', { index: 4 }), fine);
    expect(next.turn.toolCalls).toMatchObject([{ status: 'succeeded' }]);
  });

  test('per turn do not count calls of earlier iterations that were blocked', async () => {
    const toolPolicies = { pay: { maxCallsPerTurn: 1, maximums: { amount: 10 } } };
    const scene = await rules.lab.scene(ruled({ toolPolicies }));
    const [dear, fair] = [call('pay', { amount: 11 }), call('pay', { amount: 10 })];
    const { turn } = await rules.play(scene, dear, fair, fair, fine);

    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['blocked', 'succeeded', 'blocked']);
  });

  test('fail a call as not sent when it could not be counted, and the call is retried whatever its effect', async () => {
    await rules.lab.asOwner(`
      CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('public.refusals') = 1 THEN RAISE 'the disk is full'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse_once BEFORE INSERT ON tool_call_counts FOR EACH ROW EXECUTE FUNCTION refuse_once()`);
    const scene = await rules.lab.scene(ruled({ toolPolicies: { pay: { maxCallsPerDay: 4 } } }));
    const { turn } = await rules.play(scene, call('pay', { amount: 1 }), fine);
    await rules.lab.asOwner('DROP TRIGGER refuse_once ON tool_call_counts');

    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    expect(rules.reached).toEqual([{ amount: 1 }]);
  });

  test('per day count all turns of the agent together, and start again on the next day', async () => {
    const scene = await rules.lab.scene(ruled({ toolPolicies: { pay: { maxCallsPerDay: 4 } } }));
    await rules.play(scene, threePays, fine);
    const { turn } = await rules.play(scene, threePays, fine);

    const statuses = turn.toolCalls.map(({ status }) => status).sort();
    expect(statuses).toEqual(['blocked', 'blocked', 'succeeded']);
    expect(rules.reached).toHaveLength(4);
    const count = () =>
      rules.lab.database.inWorkspace(rules.lab.workspaceId, async (trx) =>
        trx('tool_call_counts').where({ agent_id: scene.agent.id }).orderBy('day').pluck('calls'),
      );
    expect(await count()).toEqual([4]);

    await rules.lab.database.inWorkspace(rules.lab.workspaceId, (trx) =>
      trx('tool_call_counts')
        .where({ agent_id: scene.agent.id })
        .update({ day: trx.raw("day - interval '1 day'") }),
    );
    const tomorrow = await rules.play(scene, call('pay', { index: 9 }), fine);
    expect(tomorrow.turn.toolCalls).toMatchObject([{ status: 'succeeded' }]);
    expect(await count()).toEqual([4, 1]);
  });

  test('count a call once when it is retried', async () => {
    const scene = await rules.lab.scene(
      ruled({ toolPolicies: { pay: { maxCallsPerDay: 1, maxCallsPerTurn: 1 } } }),
    );
    const { turn } = await rules.play(scene, call('pay'), fine);
    const again = await rules.lab.database.transact(rules.lab.workspaceId, (query) => {
      const counted = { key: 'pay', names: ['pay'], targets: [], perDay: true };
      return createToolCallRepository(query).count({
        id: turn.toolCalls[0]?.id ?? '',
        limits: [{ ...counted, turnId: turn.id, agentId: scene.agent.id }],
      });
    });
    expect(again).toEqual([]);
  });
});

test('a quarantined tool is not offered, and a call of it is blocked', async () => {
  const scene = await rules.lab.scene(ruled({}));
  const [paying] = scene.agent.tools;
  await rules.lab.database.inWorkspace(rules.lab.workspaceId, (trx) =>
    trx('tool_pins').insert({
      agent_id: scene.agent.id,
      tool_id: paying?.id ?? '',
      hash: 'one',
      definition: '{}',
      drift_hash: 'other',
      drift_definition: '{}',
      quarantined_at: new Date(),
    }),
  );
  const { turn, events, requests } = await rules.play(scene, call('pay'), fine);

  expect(requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['look']);
  expect(turn.toolCalls).toMatchObject([{ status: 'blocked', error: { code: 'TOOL_QUARANTINED' } }]);
  expect(events.find(({ type }) => type === 'tool.blocked')?.payload).toMatchObject({ rule: 'quarantine' });
  expect(rules.reached).toEqual([]);
});

test('a disabled tool is not offered', async () => {
  const scene = await rules.lab.scene(ruled({}, [mcpTool('pay', { enabled: false }), look]));
  const { requests } = await rules.play(scene, fine);

  expect(requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['look']);
});
