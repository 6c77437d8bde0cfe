import { describe, expect, test } from 'vitest';
import type { ActorRef } from '../../src/domain/actor.ts';
import { findApproverProblem, toApproverRules } from '../../src/domain/approver.ts';

const anybody = { approvers: [], selfApproval: true };
const ada = { apiKeyId: 'key-1', actingFor: 'Ada' };

test('settings are combined so that none loosens another', () => {
  expect(toApproverRules([undefined, {}])).toEqual(anybody);
  expect(
    toApproverRules([{ approvers: ['finance', 'legal'] }, { approvers: [] }, { approvers: ['cfo'] }]),
  ).toEqual({
    approvers: [['finance', 'legal'], ['cfo']],
    selfApproval: true,
  });
  expect(toApproverRules([{ selfApproval: true }, { selfApproval: false }]).selfApproval).toBe(false);
});

test.each([
  ['in none', [], 'NOT_AN_APPROVER'],
  ['in the first', ['finance'], 'NOT_AN_APPROVER'],
  ['in one of each', ['legal', 'cfo'], undefined],
])('a key that is %s of the lists of groups may decide, or not', (_, groups, code) => {
  const rules = { approvers: [['finance', 'legal'], ['cfo']], selfApproval: true };
  expect(findApproverProblem({ ...ada, groups }, rules, [])?.code).toBe(code);
});

describe('a call about which somebody else has to decide', () => {
  const rules = { approvers: [], selfApproval: false };
  const isRefused = (approver: ActorRef, ...askers: ActorRef[]) =>
    findApproverProblem({ ...approver, groups: [] }, rules, askers)?.code === 'SELF_APPROVAL_REFUSED';

  test.each<[refused: boolean, asker: ActorRef, approver: ActorRef]>([
    [true, ada, ada],
    [true, ada, { apiKeyId: 'key-2', actingFor: 'ada ' }],
    [false, ada, { apiKeyId: 'key-1', actingFor: 'Bob' }],
    // One of the two is not named, so that only the keys can be compared.
    [true, ada, { apiKeyId: 'key-1', actingFor: null }],
    [false, ada, { apiKeyId: 'key-2', actingFor: null }],
    [true, { apiKeyId: 'key-1', actingFor: null }, { apiKeyId: 'key-1', actingFor: 'Bob' }],
    [false, { apiKeyId: 'key-1', actingFor: null }, { apiKeyId: 'key-2', actingFor: 'Bob' }],
    // Without a key nothing can be compared.
    [true, { apiKeyId: null, actingFor: null }, { apiKeyId: 'key-2', actingFor: 'Bob' }],
    [true, { apiKeyId: null, actingFor: 'Ada' }, { apiKeyId: 'key-2', actingFor: null }],
    [false, { apiKeyId: null, actingFor: 'Ada' }, { apiKeyId: 'key-2', actingFor: 'Bob' }],
    [true, ada, { apiKeyId: null, actingFor: 'Bob' }],
  ])('is %s for %j by %j', (refused, asker, approver) => {
    expect(isRefused(approver, asker)).toBe(refused);
  });

  test('is refused to each of several who asked, and when nobody is known', () => {
    const bob = { apiKeyId: 'key-2', actingFor: 'Bob' };
    expect(isRefused(bob, ada, bob)).toBe(true);
    expect(isRefused(bob)).toBe(true);
    expect(findApproverProblem({ ...bob, groups: [] }, anybody, [bob])).toBeUndefined();
  });
});
