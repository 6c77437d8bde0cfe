import { expect, test } from 'vitest';
import { isUuid } from '../../src/domain/uuid.ts';

test.each([
  ['019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b', true],
  ['019A1B2C-3D4E-7F50-8A6B-7C8D9E0F1A2B', true],
  ['019a1b2c3d4e7f508a6b7c8d9e0f1a2b', false],
  ['019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b\n', false],
  ['x19a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b', false],
  ['', false],
])('the check whether %j is a UUID returns %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
