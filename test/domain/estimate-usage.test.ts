import { expect, test } from 'vitest';
import { estimateUsage } from '../../src/domain/estimate-usage.ts';
import type { ModelMessage } from '../../src/domain/model.ts';
import { createModelCall } from '../fixtures/model-call.ts';

const said = { text: 'Seen.', reasoning: '', toolCalls: [] };

function countInput(messages: ModelMessage[]): number {
  return estimateUsage(createModelCall({ model: 'compatible/plain', messages }).call, said).inputTokens;
}

test('files that are sent as they are count by their kind, and not by their bytes', () => {
  const shown = { as: 'bytes' as const, base64: 'A'.repeat(400_000) };
  const file = {
    id: 'f',
    name: null,
    mediaType: 'image/png',
    size: 300_000,
    ...{ pages: null, width: null, height: null },
  };
  const tokens = countInput([
    { role: 'user', text: 'Look.', parts: [{ type: 'file', from: 'image', file, shown }] },
  ]);
  expect(tokens).toBeGreaterThan(1_500);
  expect(tokens).toBeLessThan(1_600);
});

test('an answer that is sent as the content of its vendor counts once', () => {
  const text = 'a'.repeat(4_000);
  const message: ModelMessage = { role: 'assistant', text, toolCalls: [] };
  const plain = countInput([message]);
  expect(countInput([{ ...message, providerContent: [{ type: 'text', text }] }])).toBeLessThan(plain + 30);
});
