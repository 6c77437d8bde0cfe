import { expect, test } from 'vitest';
import type { AgentVersion } from '../../../../console/src/api/types.ts';
import { listChanges } from '../../../../console/src/screens/agents/comparable.ts';
import { emptyDraft, readDraft, toChange, toDraft } from '../../../../console/src/screens/agents/draft.ts';

const calculate = {
  ...{ id: 't1', type: 'function' as const, name: 'calculate', description: 'Calculates.', schema: {} },
  config: { functionName: 'calculate' },
};

const version: AgentVersion = {
  ...{ id: 'v1', agentId: 'a1', version: 1, createdAt: '2026-01-01T00:00:00.000Z', madeBy: null },
  connectors: [],
  ...{ name: 'Support', model: 'demo', instructions: 'Help.', limits: {}, execution: 'inspectable' },
  ...{ modelConnectionId: null, fallbackModels: [], modelSettings: {}, toolCallsInText: null },
  ...{ compaction: 'oldest_first', compactionThreshold: null, summaryModel: null },
  rules: { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
  skills: [{ skillId: 's1', version: 2, name: 'refunds', description: 'How to refund.' }],
  tools: [calculate],
};

test('a draft has what a request can set: tools without ids, skills by id and version', () => {
  const draft = toDraft(version);
  expect(draft.tools).toEqual([
    {
      ...{ type: 'function', name: 'calculate', description: 'Calculates.', schema: {} },
      config: { functionName: 'calculate' },
    },
  ]);
  expect(draft.skills).toEqual([{ skillId: 's1', version: 2 }]);
  expect(Object.keys(draft).toSorted()).toEqual(Object.keys(emptyDraft).toSorted());
});

test('a change has the fields alone that differ', () => {
  const draft = toDraft(version);
  expect(toChange(draft, { ...draft })).toEqual({});
  expect(toChange(draft, { ...draft, name: 'Desk', limits: { maxIterations: 3 } })).toEqual({
    ...{ name: 'Desk', limits: { maxIterations: 3 } },
  });
});

test('the changes of a version are named, those of tools without their ids and their order', () => {
  const other = { ...calculate, id: 't9', name: 'compute' };
  const both = { ...version, tools: [calculate, other] };
  expect(listChanges(both, { ...both, tools: [calculate, other], version: 2 })).toBe('nothing');
  expect(listChanges(version, { ...version, tools: [{ ...calculate, id: 't2' }] })).toBe('nothing');
  expect(
    listChanges(version, { ...both, summaryModel: 'demo', compaction: 'summarize', instructions: 'Aid.' }),
  ).toBe('instructions, compaction, tools');
});

test.each([
  [[], 'Expected an object, found a list.'],
  [{ name: 7 }, 'name: expected string, found number.'],
  [{ limits: null }, 'limits: expected an object, found null.'],
  [{ rules: { toolPolicies: [] } }, 'rules.toolPolicies: expected an object.'],
])('the JSON %j is no draft, and says why', (value, message) => {
  expect(readDraft(value, emptyDraft)).toBe(message);
});

test('fields that are left out of the JSON stay as they are', () => {
  const present = { ...emptyDraft, name: 'Support', modelConnectionId: 'c1' };
  expect(readDraft({ model: 'demo' }, present)).toEqual({ ...present, model: 'demo' });
});
