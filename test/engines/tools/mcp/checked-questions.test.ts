import { expect, test } from 'vitest';
import type { CallDialogue, QuestionRequest } from '../../../../src/domain/question.ts';
import { schemaChecksOf } from '../../../../src/engines/tools/json-schema/schema-checks.ts';
import {
  toCheckedDialogue,
  toCheckedQuestions,
} from '../../../../src/engines/tools/mcp/checked-questions.ts';

const checks = schemaChecksOf('workspace-1');
const usable = { type: 'object', properties: { name: { type: 'string' } } };
// The time for this pattern grows with the power of the text.
const unusable = { type: 'object', properties: { name: { $ref: '#/$defs/missing' } } };

test('a question of an open call is cancelled when its answers cannot be checked', async () => {
  const signal = new AbortController().signal;
  const hold = { deadline: Date.now() + 1_000, over: signal, withdrawn: signal };
  const people: CallDialogue = { resumed: null, ask: () => Promise.resolve({ action: 'accept' }) };
  const { ask } = toCheckedDialogue(checks, people);
  const question = { server: 'own', message: 'Who?', options: null, url: null };

  expect(await ask({ ...question, schema: usable }, hold)).toEqual({ action: 'accept' });
  expect(await ask({ ...question, schema: unusable }, hold)).toEqual({ action: 'cancel' });
});

test('a call fails that waits for an answer which cannot be checked', async () => {
  const toWait = (schema: QuestionRequest['schema']) => ({
    status: 'waits' as const,
    requests: [{ kind: 'question' as const, question: 'Who?', schema, options: null }],
  });

  expect(await toCheckedQuestions(checks, toWait(usable))).toEqual(toWait(usable));
  expect(await toCheckedQuestions(checks, toWait(unusable))).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_FAILED' },
  });
});
