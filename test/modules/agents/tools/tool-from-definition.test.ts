import { expect, test } from 'vitest';
import {
  toSettingsAfter,
  toStorableParts,
} from '../../../../src/modules/agents/tools/tool-from-definition.ts';
import type { ToolDefinition } from '../../../../src/domain/discovered-tool.ts';

const definition: ToolDefinition = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } };
const readOnly: ToolDefinition = { ...definition, annotations: { readOnlyHint: true } };

test('a long description is cut, and characters that cannot be stored are replaced', () => {
  const description = `${'x'.repeat(3999)}😀`;
  const { description: cut, schema } = toStorableParts({ description, inputSchema: { title: 'a\0b' } });
  expect(cut).toBe(`${'x'.repeat(3999)}…`);
  expect(schema).toEqual({ title: 'a\uFFFDb' });
});

test('an effect that came from the old definition is replaced by that of the new definition', () => {
  expect(toSettingsAfter({ effect: 'read_only' }, { before: readOnly, after: definition })).toEqual({});
  expect(toSettingsAfter({ timeoutMs: 500 }, { before: definition, after: readOnly })).toEqual({
    timeoutMs: 500,
    effect: 'read_only',
  });
});

test('an effect that the operator chose is kept when the definition changes', () => {
  const settings = { effect: 'unsafe', timeoutMs: 700 } as const;
  expect(toSettingsAfter(settings, { before: readOnly, after: definition })).toEqual(settings);
});
