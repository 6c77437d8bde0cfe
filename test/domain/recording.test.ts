import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// Names schemas in zod's global registry, which the schema of a line must not depend on.
import '../../src/main/rest-routes.ts';
import { recordingSchema, toRecordingJsonSchema } from '../../src/domain/recording.ts';

const usage = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};
const createdAt = '2026-11-01T12:00:00.000Z';

/** The shortest line that can be read. */
const shortest = {
  schemaVersion: 1,
  conversation: { id: 'c1', createdAt },
  agent: { id: 'a1', name: 'Shop', model: 'demo' },
  turn: { id: 't1', ordinal: 1, outcome: 'completed', iterations: 0, usage, createdAt },
  message: { text: 'Hello' },
};

test('docs/recording.schema.json is the schema of a line', () => {
  const committed: unknown = JSON.parse(readFileSync('docs/recording.schema.json', 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(toRecordingJsonSchema())));
});

test('fields that may be missing get their defaults', () => {
  expect(recordingSchema.parse(shortest)).toMatchObject({
    conversation: { title: null, tags: [] },
    agent: { version: 1, instructions: '', toolCallsInText: null },
    turn: { hidden: false, parent: null },
    tools: [],
    steps: [],
    compactions: [],
  });
});

test('fields of later programs are accepted, and another version is refused', () => {
  const later = { ...shortest, mood: 'good', turn: { ...shortest.turn, mood: 'good' } };
  expect(recordingSchema.safeParse(later).success).toBe(true);
  expect(recordingSchema.safeParse({ ...shortest, schemaVersion: 2 }).success).toBe(false);
});
