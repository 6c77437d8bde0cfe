import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { createRedactor } from '../../../../src/domain/redact.ts';
import {
  toAskingMessage,
  toDecidedMessage,
  type ShownAction,
} from '../../../../src/modules/webhooks/slack/slack-message.ts';

const action: ShownAction = {
  ...{
    id: 'action-1',
    tool: 'pay',
    target: null,
    ...{ connections: [], askedBecause: [] },
    arguments: { amount: 5 },
    turnId: 'turn-1',
  },
  ...{ expiresAt: '2026-01-08T00:00:00.000Z', status: 'pending', decidedBy: null, reason: null },
  approvedArguments: null,
};

const { redact } = createRedactor(['xoxb-planted-token']);

function ask(parts: Partial<ShownAction> = {}, buttons = true) {
  return toAskingMessage({ ...action, ...parts }, { redact, buttons });
}

function textOf(blocks: JsonObject[], type: string): string {
  const found = blocks.find((block) => block['type'] === type);
  return ((found?.['text'] ?? (found?.['elements'] as JsonObject[])[0]) as { text: string }).text;
}

function decided(parts: Partial<ShownAction>) {
  return toDecidedMessage({ ...action, ...parts }, redact);
}

describe('a message that asks', () => {
  test('names the tool, its arguments and its end, and has two buttons', () => {
    const { text, blocks } = ask();
    expect(text).toBe('Approval needed: pay');
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context', 'actions']);
    expect(textOf(blocks, 'section')).toBe('{\n  "amount": 5\n}');
    expect(textOf(blocks, 'context')).toContain('Turn turn-1 · Expires <!date^1767830400^');
    expect(blocks.at(-1)?.['elements']).toMatchObject([
      { type: 'button', action_id: 'holdfast_approve', value: 'action-1', style: 'primary' },
      { type: 'button', action_id: 'holdfast_reject', value: 'action-1', style: 'danger' },
    ]);
  });

  test('says whose credentials the call carries, and why it asks', () => {
    const { blocks } = ask({ connections: ['shop', 'bank'], askedBecause: ['amount > 3'] });
    const texts = blocks.map(({ text }) => (text as { text: string } | undefined)?.text);
    expect(texts).toContain('With the credentials of shop, bank');
    expect(texts).toContain('Asks because amount > 3');
  });

  test('shows 2,000 characters of the arguments, and 150 of the tool', () => {
    const { blocks } = ask({ arguments: { text: 'x'.repeat(5_000) }, target: 'y'.repeat(300) });
    expect(textOf(blocks, 'section')).toHaveLength(2_000);
    expect(textOf(blocks, 'section')).toMatch(/x…$/);
    expect(textOf(blocks, 'header')).toHaveLength(150);
  });

  test('shows no secrets, by their values and by the names of their fields', () => {
    const input = {
      password: 'p',
      nested: [{ api_key: 'k' }],
      note: 'the key is xoxb-planted-token',
      to: 'Ada',
    };
    const shown = textOf(ask({ arguments: input }).blocks, 'section');
    expect(JSON.parse(shown)).toEqual({
      password: '[redacted]',
      nested: [{ api_key: '[redacted]' }],
      note: 'the key is [redacted]',
      to: 'Ada',
    });
  });

  test('takes nothing of a call as markup', () => {
    const { text, blocks } = ask({ target: '<!channel>:pay', arguments: { to: '<@U1> <https://a|b> *b*' } });
    expect(text).toBe('Approval needed: &lt;!channel&gt;:pay');
    for (const block of blocks.slice(0, 2)) expect(block['text']).toMatchObject({ type: 'plain_text' });
  });

  test('has no buttons where nobody may decide', () => {
    const { blocks } = ask({}, false);
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context']);
    expect(textOf(blocks, 'context')).toContain('cannot be decided in this channel');
  });
});

describe('a message about a decision', () => {
  test.each<[string, Partial<ShownAction>]>([
    [
      'Approved by slack:T1/U2',
      { status: 'approved', decidedBy: { apiKeyId: null, actingFor: 'slack:T1/U2' } },
    ],
    [
      'Rejected by Ada &lt;a@b.example&gt;: Too &lt;much&gt;.',
      {
        status: 'rejected',
        decidedBy: { apiKeyId: 'key', actingFor: 'Ada <a@b.example>' },
        reason: 'Too <much>.',
      },
    ],
    [
      'Approved by a program with an API key, with other arguments',
      {
        status: 'approved',
        decidedBy: { apiKeyId: 'key', actingFor: null },
        approvedArguments: { amount: 4 },
      },
    ],
    [
      'Approved by an approval that is remembered',
      { status: 'approved', decidedBy: { apiKeyId: 'key', actingFor: 'Ada', grantId: 'grant' } },
    ],
    [
      'Approved by somebody who works with Temporal',
      { status: 'approved', decidedBy: { apiKeyId: null, actingFor: null } },
    ],
    ['Nobody decided in time; it was not run.', { status: 'expired' }],
    ['The turn no longer waits for it (cancelled).', { status: 'cancelled' }],
    [
      'Approved by slack:T1/&lt;!here&gt;',
      { status: 'approved', decidedBy: { apiKeyId: null, actingFor: 'slack:T1/<!here>' } },
    ],
  ])('says: %s', (detail, parts) => {
    const { blocks } = decided(parts);
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context']);
    expect(textOf(blocks, 'context')).toBe(detail);
  });
});
