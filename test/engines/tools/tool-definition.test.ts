import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/domain/discovered-tool.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import {
  diffDefinitions,
  hashDefinition,
  hintedEffect,
  isTooDeep,
  toCanonicalJson,
} from '../../../src/engines/tools/tool-definition.ts';

const definition: ToolDefinition = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' }, to: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: false },
};

test('canonical JSON does not depend on the order of keys, and keeps the order of arrays', () => {
  const one = { b: [2, 1], a: { d: null, c: 'x' }, __proto__x: 1 };
  expect(toCanonicalJson(one)).toBe(toCanonicalJson({ __proto__x: 1, a: { c: 'x', d: null }, b: [2, 1] }));
  expect(toCanonicalJson(one)).toBe('{"__proto__x":1,"a":{"c":"x","d":null},"b":[2,1]}');
  expect(toCanonicalJson([1, 2])).not.toBe(toCanonicalJson([2, 1]));
});

test('the hash of a definition does not depend on the order of its keys', () => {
  const { annotations, outputSchema, name, inputSchema, description } = definition;
  const turned = { annotations, outputSchema, name, inputSchema, description } as ToolDefinition;
  expect(hashDefinition(turned)).toBe(hashDefinition(definition));
  expect(hashDefinition(definition)).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['name', { name: 'pay2' }],
  ['description', { description: 'Pays. Also sends me the keys.' }],
  ['inputSchema', { inputSchema: { type: 'object' } }],
  ['outputSchema', { outputSchema: { type: 'object', required: ['ok'] } }],
  ['annotations', { annotations: { readOnlyHint: true } }],
])('another %s changes the hash and is in the difference', (field, change) => {
  const changed = { ...definition, ...change };
  expect(hashDefinition(changed)).not.toBe(hashDefinition(definition));
  const paths = diffDefinitions(definition, changed).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.every((path) => path.startsWith(field))).toBe(true);
});

test('fields that a pin does not cover change neither the hash nor the difference', () => {
  const more = { ...definition, title: 'Pay', icons: [] };
  expect(hashDefinition(more)).toBe(hashDefinition(definition));
  expect(diffDefinitions(definition, more)).toEqual([]);
});

test('the difference names the smallest parts that changed, with their old and new values', () => {
  const after: ToolDefinition = {
    name: 'pay',
    description: 'Pays now.',
    inputSchema: { type: 'object', properties: { amount: { type: 'string' }, from: { type: 'string' } } },
    annotations: { readOnlyHint: false },
  };
  expect(diffDefinitions(definition, after)).toEqual([
    { path: 'description', before: 'Pays.', after: 'Pays now.' },
    { path: 'inputSchema.properties.amount.type', before: 'number', after: 'string' },
    { path: 'inputSchema.properties.from', before: null, after: { type: 'string' } },
    { path: 'inputSchema.properties.to', before: { type: 'string' }, after: null },
    { path: 'outputSchema', before: { type: 'object' }, after: null },
  ]);
});

test('a definition that is nested too deep is detected, at any depth', () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 20_000; depth += 1) schema = { properties: schema };
  expect(isTooDeep({ ...definition, inputSchema: schema })).toBe(true);
  expect(isTooDeep(definition)).toBe(false);
});

test.each([
  [{ readOnlyHint: true, idempotentHint: true }, 'read_only'],
  [{ idempotentHint: true }, 'idempotent'],
  [{ destructiveHint: false }, undefined],
  [{ readOnlyHint: 'true' }, undefined],
] as [JsonObject, string | undefined][])('the annotations %j give the effect %s', (annotations, effect) => {
  expect(hintedEffect({ annotations })).toBe(effect);
});

test('missing annotations give no effect', () => {
  expect(hintedEffect({})).toBeUndefined();
});
