import { expect, test } from 'vitest';
import { toApprovalMode, type ApprovalMode } from '../../src/domain/approval.ts';

const none = { isReadOnly: true, workspace: 'never' as const, policies: [] };

test.each<[ApprovalMode | undefined, boolean, ApprovalMode]>([
  [undefined, false, 'never'],
  ['never', true, 'ask'],
  ['ask', false, 'ask'],
  ['always_ask', false, 'always_ask'],
  ['always_ask', true, 'always_ask'],
])('a tool with %s whose condition matches (%s) has the mode %s', (setting, matches, mode) => {
  expect(toApprovalMode({ ...none, setting, matches })).toBe(mode);
});
