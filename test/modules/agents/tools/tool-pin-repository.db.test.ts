import type { Knex } from 'knex';
import { beforeEach, describe, expect, test } from 'vitest';
import { createToolQuarantine } from '../../../../src/modules/agents/tools/create-tool-quarantine.ts';
import { createAgentRepository } from '../../../../src/modules/agents/agent-repository.ts';
import {
  createToolPinReader,
  createToolPinRepository,
} from '../../../../src/modules/agents/tools/tool-pin-repository.ts';
import type { ToolDefinition } from '../../../../src/domain/discovered-tool.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { newId, toInnerToolId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces, plainAgent } from '../../../labs/two-workspaces.ts';
import { chainAudit } from '../../../labs/chain-audit.ts';

const workspaces = openForTests(openTwoWorkspaces);
let agentId: string;
const tool = { id: newId(), name: 'pay' };

beforeEach(async () => {
  const agent = await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent));
  agentId = agent.id;
});

const definition: ToolDefinition = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } };
const drifted: ToolDefinition = { ...definition, description: 'Pays me.' };

function inPins<Result>(run: (pins: ReturnType<typeof createToolPinRepository>) => Promise<Result>) {
  return workspaces.inOwn((trx: Knex) => run(createToolPinRepository(trx)));
}

function check(live: ToolDefinition, behind: { target?: string } = {}) {
  const pins = createToolQuarantine(workspaces.database);
  return pins.check({ workspaceId: workspaces.ownId, agentId, tool, definition: live, ...behind });
}

function listQuarantined() {
  return workspaces.database.pipelined(workspaces.ownId, (query) =>
    createToolPinReader(query).listQuarantined(agentId),
  );
}

async function countQuarantines() {
  await chainAudit(workspaces.database.system);
  return workspaces.inOwn((trx) =>
    trx('audit_events').where({ type: 'tool.quarantined', subject_id: agentId }).pluck('id'),
  );
}

test('a tool without a pin is pinned by its first check, and the same definition passes later checks', async () => {
  expect(await check(definition)).toBeNull();
  expect(await check({ ...definition })).toBeNull();
  expect(await inPins((pins) => pins.findPin(agentId, tool.id))).toMatchObject({ definition, drift: null });
  expect(await listQuarantined()).toEqual([]);
});

test('a changed definition quarantines the tool, also when the server changes it again', async () => {
  await check(definition);
  const violation = await check(drifted);
  expect(violation).toEqual({ rule: 'quarantine', message: expect.stringContaining('"pay"') as string });
  expect(await check(definition)).toEqual(violation);
  expect(await listQuarantined()).toEqual([tool.id]);
  const pin = await inPins((pins) => pins.findPin(agentId, tool.id));
  expect(pin).toMatchObject({ definition, drift: { definition: drifted } });
});

test('concurrent calls quarantine a tool once', async () => {
  await check(definition);
  const violations = await Promise.all(Array.from({ length: 8 }, () => check(drifted)));
  expect(violations.every((violation) => violation?.rule === 'quarantine')).toBe(true);
  expect(await countQuarantines()).toHaveLength(1);
});

test('the first of several concurrent checks pins the tool, and another definition does not pass', async () => {
  const answers = await Promise.all([check(definition), check(drifted)]);
  expect(answers.filter((violation) => violation === null)).toHaveLength(1);
  expect(await listQuarantined()).toEqual([tool.id]);
});

test('only the definition that a tool has changed to can be accepted, and once', async () => {
  await check(definition);
  await check(drifted);
  const hash = (await inPins((pins) => pins.findPin(agentId, tool.id)))?.drift?.hash ?? '';
  expect(await inPins((pins) => pins.acceptDrift(agentId, tool.id, 'other'))).toBe(false);
  expect(await inPins((pins) => pins.acceptDrift(agentId, tool.id, hash))).toBe(true);
  expect(await inPins((pins) => pins.acceptDrift(agentId, tool.id, hash))).toBe(false);
  expect(await check(drifted)).toBeNull();
  expect(await check(definition)).not.toBeNull();
});

test('a new pin of a tool lifts its quarantine', async () => {
  await check(definition);
  await check(drifted);
  await inPins((pins) => pins.pin([{ agentId, toolId: tool.id, hash: 'h', definition }]));
  expect(await listQuarantined()).toEqual([]);
  await inPins((pins) => pins.removePins(agentId, [tool.id]));
  expect(await inPins((pins) => pins.listPins(agentId))).toEqual(new Map());
});

test('a definition with characters that cannot be stored is pinned', async () => {
  const odd = { ...definition, description: 'a\0b\ud800' };
  expect(await check(odd)).toBeNull();
  expect(await check(odd)).toBeNull();
});

test('a definition that is nested too deep is refused and not stored', async () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 10_000; depth += 1) schema = { properties: schema };
  expect(await check({ ...definition, inputSchema: schema })).toMatchObject({ rule: 'quarantine' });
  expect(await inPins((pins) => pins.findPin(agentId, tool.id))).toBeNull();
});

describe('tools behind a gateway', () => {
  const [first, second] = [{ target: 'bank:pay' }, { target: 'shop:pay' }];

  test('have one pin each, separate from the pin of the gateway', async () => {
    expect(await check(definition)).toBeNull();
    expect(await check(drifted, first)).toBeNull();
    expect(await check(definition, second)).toBeNull();
    expect(await check(definition, second)).toBeNull();
    const inner = await inPins((pins) => pins.listInnerPins(agentId, tool.id));
    expect(inner).toMatchObject([
      { ...first, definition: drifted, drift: null },
      { ...second, definition, drift: null },
    ]);
    expect([...(await inPins((pins) => pins.listPins(agentId))).keys()]).toEqual([tool.id]);
  });

  test('are quarantined one by one, and the audit log names each', async () => {
    await check(definition, first);
    await check(definition, second);
    expect(await check(drifted, first)).toEqual({
      rule: 'quarantine',
      message: expect.stringContaining('"bank:pay"') as string,
    });
    expect(await check(definition, first)).not.toBeNull();
    expect(await check(definition, second)).toBeNull();
    const pins = createToolQuarantine(workspaces.database);
    const stopped = await pins.listQuarantined({ workspaceId: workspaces.ownId, agentId });
    expect([...stopped]).toEqual([toInnerToolId(tool.id, 'bank:pay')]);
    await chainAudit(workspaces.database.system);
    const audited = await workspaces.inOwn((trx) =>
      trx('audit_events')
        .where({ type: 'tool.quarantined', subject_id: agentId })
        .pluck<JsonObject[]>('payload'),
    );
    expect(audited).toMatchObject([{ tool_id: tool.id, tool_name: 'pay', target: 'bank:pay' }]);
  });

  test('stay pinned when the gateway changes, and their pins are deleted with the gateway', async () => {
    await check(definition, first);
    await inPins((pins) => pins.removePins(agentId, [tool.id]));
    expect(await inPins((pins) => pins.listInnerPins(agentId, tool.id))).toHaveLength(1);
    await inPins((pins) => pins.forgetTools(agentId, [newId()]));
    expect(await inPins((pins) => pins.listInnerPins(agentId, tool.id))).toHaveLength(1);
    await inPins((pins) => pins.forgetTools(agentId, [tool.id]));
    expect(await inPins((pins) => pins.listInnerPins(agentId, tool.id))).toEqual([]);
  });

  test('with names that cannot be stored are pinned', async () => {
    const odd = { target: 'bank:p\0y\ud800' };
    expect(await check(definition, odd)).toBeNull();
    expect(await check(drifted, odd)).not.toBeNull();
    const [pin] = await inPins((pins) => pins.listInnerPins(agentId, tool.id));
    expect(toInnerToolId(tool.id, pin?.target ?? '')).toBe(pin?.toolId);
  });
});
