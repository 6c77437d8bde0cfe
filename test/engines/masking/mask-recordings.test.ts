import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { createMasker } from '../../../src/engines/masking/mask-recordings.ts';
import { parseMaskingRules } from '../../../src/engines/masking/masking-rules.ts';
import { createCompaction, createLine, createStep } from '../../labs/recording-lines.ts';

/** A turn in which a person is named in the message, the arguments and the result of a tool. */
function createPersonLine(ordinal: number, text: string, parts: object = {}): JsonObject {
  const call = {
    ...{ index: 0, modelCallId: 'call_0', name: 'find_customer', status: 'succeeded' },
    arguments: { email: 'Ann@Example.com', customer: { name: 'Ann Miller' }, limit: 7 },
    result: '{"name":"Ann Miller","emails":["ann@example.com"],"age":41}',
    ...parts,
  };
  const steps = [createStep({ toolCalls: [call] })];
  const line = JSON.parse(createLine('person', ordinal, { steps })) as JsonObject & { message: JsonObject };
  return { ...line, message: { ...line.message, text } };
}

test('equal values get equal replacements, whether a path or a pattern finds them', async () => {
  const rules = parseMaskingRules({
    paths: [
      { path: 'steps[].toolCalls[].arguments.email', name: 'email' },
      { path: 'steps[].toolCalls[].arguments.customer', name: 'person' },
      'steps[].toolCalls[].result.age',
    ],
    patterns: ['email', { name: 'order', pattern: 'ORD-[0-9]{6}' }],
  });
  const masker = createMasker(rules);
  const lines = await masker.maskConversation([
    createPersonLine(1, 'Ann Miller here, ann@example.com or bob@example.com, about ORD-123456.'),
    createPersonLine(2, 'ORD-123456 and ORD-654321 for Ann Miller, not Joann Millers.'),
  ]);
  expect(lines).toMatchObject([
    {
      conversation: { id: 'person' },
      message: { text: '<person-1> here, <email-1> or <email-2>, about <order-1>.' },
      turn: { ordinal: 1, answer: 'Fine.' },
      steps: [
        {
          toolCalls: [
            {
              name: 'find_customer',
              arguments: { email: '<email-1>', customer: { name: '<person-1>' }, limit: 7 },
              result: '{"name":"<person-1>","emails":["<email-1>"],"age":"<age-1>"}',
            },
          ],
        },
      ],
    },
    { message: { text: '<order-1> and <order-2> for <person-1>, not Joann Millers.' } },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/ann@|\bAnn Miller/i);
  const [next] = await masker.maskConversation([createPersonLine(1, 'Write to ANN@example.com')]);
  expect(next).toMatchObject({ message: { text: 'Write to <email-1>' } });
  expect(masker.count()).toBe(6);
});

test('the texts, data and file names of parts are masked, and the ids and hashes of files stay', async () => {
  const masker = createMasker(
    parseMaskingRules({ patterns: ['email', { name: 'letters', pattern: 'a{64}|f-[0-9]' }] }),
  );
  const file = { name: 'ann@example.com.pdf', mediaType: 'application/pdf', size: 7, sha256: 'a'.repeat(64) };
  const line = createPersonLine(1, 'From ann@example.com');
  const parts = [
    { type: 'text', text: 'From ann@example.com' },
    { type: 'file', fileId: 'f-1', file },
    { type: 'data', data: { from: ['ann@example.com'] } },
  ];
  const [masked] = await masker.maskConversation([
    { ...line, message: { ...(line['message'] as JsonObject), parts } },
  ]);
  expect(masked).toMatchObject({
    message: {
      text: 'From <email-1>',
      parts: [
        { type: 'text', text: 'From <email-1>' },
        {
          type: 'file',
          fileId: 'f-1',
          file: { ...file, name: expect.not.stringContaining('ann@') as string },
        },
        { type: 'data', data: { from: ['<email-1>'] } },
      ],
    },
  });
});

test('summaries are masked as messages are, and their ids stay', async () => {
  const masker = createMasker(parseMaskingRules({ patterns: ['email', { name: 'id', pattern: 's[0-9]' }] }));
  const summary = { text: 'ann@example.com asked.', model: 'demo', answeredBy: 'demo' };
  const error = { code: 'MODEL_REJECTED_REQUEST', message: 'No words of ann@example.com.' };
  const compactions = [createCompaction({ summary, error })];
  const [masked] = await masker.maskConversation([
    JSON.parse(createLine('summarized', 2, { compactions })) as JsonObject,
  ]);
  expect(masked).toMatchObject({
    compactions: [
      {
        ...{ summaryId: 's1', throughOrdinal: 1 },
        summary: { text: '<email-1> asked.', model: 'demo' },
        error: { message: 'No words of <email-1>.' },
      },
    ],
  });
});

test('a function replaces what it finds, in all texts of the conversation', async () => {
  const masker = createMasker(parseMaskingRules({}), (line, { replace }) => {
    const [, name = ''] = /name is (\w+)/.exec(JSON.stringify(line)) ?? [];
    if (name !== '') replace(name, 'name');
    return { ...line, mood: 'good' };
  });
  const lines = await masker.maskConversation([
    createPersonLine(1, 'Is Zebulon there?'),
    createPersonLine(2, 'My name is Zebulon.'),
  ]);
  expect(lines).toMatchObject([
    { message: { text: 'Is <name-1> there?' }, mood: 'good' },
    { message: { text: 'My name is <name-1>.' } },
  ]);
  const broken = createMasker(parseMaskingRules({}), () => [] as unknown as JsonObject);
  await expect(broken.maskConversation([createPersonLine(1, 'a')])).rejects.toThrow('expected an object');
});

test('signed content of a vendor that holds a value is left out, and other content stays', async () => {
  const masker = createMasker(parseMaskingRules({ patterns: ['email'] }));
  const create = (text: string) =>
    JSON.parse(
      createLine('signed', 1, {
        steps: [createStep({ providerContent: [{ thinking: text, signature: 'x' }] })],
      }),
    ) as JsonObject;
  const lines = await masker.maskConversation([create('ann@example.com asks'), create('somebody asks')]);
  expect(lines).toMatchObject([
    { steps: [{ providerContent: null }] },
    { steps: [{ providerContent: [{ thinking: 'somebody asks' }] }] },
  ]);
});

test.each([
  [{ paths: ['a..b'] }, 'invalid path "a..b"'],
  [{ paths: ['a[0]'] }, 'invalid path "a[0]"'],
  [{ patterns: ['name'] }, 'expected one of email, phone, iban, credit_card, ipv4'],
  [{ patterns: [{ name: 'a', pattern: '(?=a)' }] }, 'pattern "a": expected a regular expression of RE2'],
  [{ patterns: [{ name: 'a b', pattern: 'a' }] }, 'patterns.0'],
  [{ pathes: [] }, 'pathes: unknown field: did you mean "paths"?'],
])('rules that are not valid are refused: %j', (rules, message) => {
  expect(() => parseMaskingRules(rules)).toThrow(message);
});
