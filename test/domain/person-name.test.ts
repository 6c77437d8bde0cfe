import { expect, test } from 'vitest';
import { apiKeyInputSchema } from '../../src/domain/api-key.ts';
import { budgetInputSchema } from '../../src/domain/budget.ts';
import { personNameSchema } from '../../src/domain/person-name.ts';
import { turnInputSchema } from '../../src/domain/turn.ts';
import { memory as memoryKind } from '../../src/modules/resources/kinds/memory.ts';

test.each([
  ['a character without width', 'an\u200bn'],
  ['a mark of direction', '\u202eann'],
  ['a tag character', 'ann\u{e0041}'],
  ['a soft hyphen', 'an\u00adn'],
  ['a line break', 'ann\nbob'],
  ['a control character', 'ann\u0007'],
])('the name of a person is refused with %s, whatever names it', (_what, name) => {
  expect(personNameSchema.safeParse(name).success).toBe(false);
  expect(turnInputSchema.safeParse({ message: 'x', actingFor: name }).success).toBe(false);
  expect(apiKeyInputSchema.safeParse({ name: 'key', actsFor: name }).success).toBe(false);
  const budget = { scope: 'user', subject: name, period: 'day', credits: 1 };
  expect(budgetInputSchema.safeParse(budget).success).toBe(false);
  const memory = { scope: 'user', person: name, content: 'x' };
  expect(memoryKind.attributes.safeParse(memory).success).toBe(false);
});

test.each([' Ann ', 'José', 'Müller, Ann', '山田 太郎', 'ann@example.com', 'slack:T1/U2'])(
  'the name %j is taken, without blanks around it',
  (name) => {
    expect(personNameSchema.parse(name)).toBe(name.trim());
  },
);
