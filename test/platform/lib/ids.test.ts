import { expect, it } from 'vitest';
import { newId, toChildIds, toTurnId } from '../../../src/platform/lib/ids.ts';

it('a workspace and a key always give the same turn id, a UUID of version 8', () => {
  expect(toTurnId('workspace', 'key')).toBe(toTurnId('workspace', 'key'));
  expect(toTurnId('workspace', 'key')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(toTurnId('workspace', 'key')).not.toBe(toTurnId('workspace', 'other'));
  expect(toTurnId('workspace', 'key')).not.toBe(toTurnId('other', 'key'));
});

it('the ids of stored turns stay the same', () => {
  expect(toTurnId('0198a000-0000-7000-8000-00000000000a', 'order-17')).toBe(
    '755d7572-79aa-86c6-93dd-5eb71e61fba1',
  );
});

it('new ids sort by time', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(100);
});

it('a tool call always gives the same ids of its child turn and conversation', () => {
  const { turnId, conversationId } = toChildIds('key');
  expect(toChildIds('key')).toEqual({ turnId, conversationId });
  expect(new Set([turnId, conversationId, toChildIds('other').turnId]).size).toBe(3);
});
