import { describe, expect, it } from 'vitest';
import { summarizeToolCall } from '../../../src/engines/tools/tool-summary.ts';

describe('summarizeToolCall', () => {
  it.each([
    [
      'slack_sendMessage',
      { text: 'The printer is on fire', channel: '#support' },
      'slack_sendMessage #support',
    ],
    ['calculate', { expression: '2 + 2' }, 'calculate 2 + 2'],
    ['current_time', {}, 'current_time'],
    ['current_time', null, 'current_time'],
    ['add', { a: 1, b: 2 }, 'add a=1 b=2'],
    ['login', { password: 'hunter2', apiKey: 'abc', user: 'ada' }, 'login ada'],
    [
      'http_request',
      { url: 'https://example.com/a?token=secret', method: 'GET' },
      'http_request https://example.com/a',
    ],
    ['note', { text: 'first line\n\n  second line' }, 'note first line second line'],
  ])('summarizes %s %j', (name, toolArguments, summary) => {
    expect(summarizeToolCall({ name, tool: null, arguments: toolArguments })).toBe(summary);
  });

  it('returns at most 120 characters', () => {
    expect(
      summarizeToolCall({ name: 'note', tool: null, arguments: { text: 'word '.repeat(100) } }),
    ).toHaveLength(120);
  });
});
