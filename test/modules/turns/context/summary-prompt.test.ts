import { expect, test } from 'vitest';
import type { ContextMessage } from '../../../../src/domain/model-context.ts';
import { toTranscript } from '../../../../src/modules/turns/context/summary-prompt.ts';

test('data and files of messages are part of what a summary is made from', () => {
  const facts = { size: 3, pages: 1, width: null, height: null };
  const file = { id: 'f-1', name: 'offer.pdf', mediaType: 'application/pdf', ...facts };
  const message: ContextMessage = {
    ...{ turnOrdinal: 1, firstOrdinal: 1, iteration: 0, role: 'user', text: 'Compare these.' },
    parts: [
      { type: 'text', text: 'Compare these.' },
      { type: 'data', data: { price: 12 }, name: 'order' },
      { type: 'file', fileId: 'f-1', file },
      { type: 'image', fileId: 'f-2', file: null },
    ],
    ...{ providerContent: null, toolCalls: null },
  };
  expect(toTranscript([message])).toBe(
    'User: Compare these.\nUser sent Data "order" as JSON:\n{"price":12}\nUser sent file f-1 ("offer.pdf")\n' +
      'User sent image f-2, which was deleted',
  );
});
