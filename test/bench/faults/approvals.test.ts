import { describe, expect, it } from 'vitest';
import { findApprovalProblems, type StoredApproval } from '../../../bench/faults/approvals.ts';
import type { Execution, ShopArguments } from '../../../bench/faults/shop.ts';

const approved: StoredApproval = {
  actionId: 'a',
  status: 'approved',
  tool: 'pay',
  arguments: { order: 'one' },
  approvedArguments: null,
  callStatus: 'succeeded',
};

const paid = (input: ShopArguments = { order: 'one' }): Execution => ({
  tool: 'pay',
  order: input.order,
  arguments: input,
  key: undefined,
});

function find(approval: StoredApproval, executions: Execution[], status = approval.status) {
  const decisions = [{ actionId: 'a', status, approvedArguments: approval.approvedArguments }];
  return findApprovalProblems({ orders: ['one'], approvals: [approval], decisions, executions });
}

describe('findApprovalProblems', () => {
  it('finds nothing wrong with a call that took effect as it was approved', () => {
    const changed = { order: 'one', note: 'changed' };
    expect(find(approved, [paid()])).toEqual([]);
    expect(find({ ...approved, approvedArguments: changed }, [paid(changed)])).toEqual([]);
  });

  it('finds a call that took effect with other arguments than those that were approved', () => {
    const changed = { order: 'one', note: 'changed' };
    const told = ['pay of one is approved, and took effect with other arguments'];
    expect(find(approved, [paid(changed)])).toEqual(told);
    expect(find({ ...approved, approvedArguments: changed }, [paid()])).toEqual(told);
  });

  it('finds a call that was rejected and took effect', () => {
    const rejected: StoredApproval = { ...approved, status: 'rejected', callStatus: 'failed' };
    expect(find(rejected, [])).toEqual([]);
    expect(find(rejected, [paid()])).toEqual(['pay of one is rejected, and took effect']);
  });

  it('finds a call that was decided and waits for ever', () => {
    expect(find({ ...approved, callStatus: 'requested' }, [])).toEqual([
      'pay of one is approved, did not take effect, and its call is requested',
    ]);
    expect(find({ ...approved, status: 'pending', callStatus: 'requested' }, [])).toEqual([
      'pay of one is pending, and its call requested',
    ]);
  });

  it('finds a decision that was accepted and is not the one that is stored', () => {
    expect(find(approved, [paid()], 'rejected')).toEqual([
      'action a was rejected by its answer, and is approved',
    ]);
  });

  it('finds a call that took effect without a question', () => {
    const executions = [paid(), { ...paid(), tool: 'book' as const }, { ...paid(), tool: 'look' as const }];
    expect(find(approved, executions)).toEqual(['book of one took effect, and nobody was asked']);
  });
});
