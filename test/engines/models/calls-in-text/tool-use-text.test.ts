import { describe, expect, test } from 'vitest';
import { createToolUseFilter } from '../../../../src/engines/models/calls-in-text/tool-use-stream.ts';
import { parseToolUse } from '../../../../src/engines/models/calls-in-text/tool-use-text.ts';
import { createRandom } from '../../../labs/random.ts';

const search =
  '<tool_use><server>brave</server><tool>search</tool><arguments>{"q":"weather"}</arguments></tool_use>';
const called = { server: 'brave', tool: 'search', arguments: { q: 'weather' }, id: null };

/** Returns a block with the given text as its arguments. */
function withArguments(written: string): string {
  return `<tool_use><server>s</server><tool>t</tool><arguments>${written}</arguments></tool_use>`;
}

describe('a tool_use block is read', () => {
  test.each<[string, string]>([
    ['as it is', search],
    ['on several lines', search.replaceAll('><', '>\n  <').replaceAll('brave', '\n brave\t')],
    [
      'in any case',
      search.replaceAll('tool_use', 'TOOL_Use').replaceAll('server', 'SERVER').replace('</tool>', '</Tool>'),
    ],
    [
      'with spaces in its tags',
      search.replace('<tool_use>', '<tool_use >').replace('</tool_use>', '</tool_use\n>'),
    ],
    [
      'with attributes',
      search.replace('<tool_use>', '<tool_use version="1">').replace('<tool>', '<tool kind="x">'),
    ],
    [
      'with its children in another order',
      search.replace(/(<server>.*<\/server>)(.*)(<\/tool_use>)/, '$2$1$3'),
    ],
    ['with children that mean nothing', search.replace('<tool>', '<thought>hm</thought><tool>')],
    [
      'with CDATA',
      search.replace('{"q":"weather"}', '<![CDATA[{"q":"weather"}]]>').replace('brave', '<![CDATA[brave]]>'),
    ],
    ['with entities', search.replace('{"q":"weather"}', '{&quot;q&quot;:&#34;weath&#x65;r&QUOT;}')],
  ])('%s', (_how, text) => {
    expect(parseToolUse(text)).toEqual({ text: '', calls: [called], malformed: [] });
  });

  test('when it has an id', () => {
    const text = search.replace('<tool>', '<id> call-7 </id><tool>');
    expect(parseToolUse(text).calls).toEqual([{ ...called, id: 'call-7' }]);
  });

  test.each<[string, string, unknown]>([
    ['nothing', '', {}],
    ['an empty object', ' { } ', {}],
    ['objects that span lines', '{\n "a": [1,\n 2]\n}', { a: [1, 2] }],
    ['entities for markup', '{"a":"&lt;b&gt; &amp;amp; &apos;c&apos;"}', { a: "<b> &amp; 'c'" }],
    ['entities for quotes within text', '{"a":"say &quot;hi&quot;"}', { a: 'say "hi"' }],
    [
      'entities that are none',
      '{"a":"&nothing; &#0; &#xd800; &#x110000; AT&T"}',
      { a: '&nothing; &#0; &#xd800; &#x110000; AT&T' },
    ],
    ['line breaks in a text', '{"a":"one\ntwo\t\\"three\\"\r\n"}', { a: 'one\ntwo\t"three"\r\n' }],
    [
      'markup as it stands',
      '{"a":"<b>x</b> </arguments> <tool>y</tool>"}',
      { a: '<b>x</b> </arguments> <tool>y</tool>' },
    ],
    ['a block that opens', '{"a":"what is <tool_use>?"}', { a: 'what is <tool_use>?' }],
    ['a block that closes, in CDATA', '<![CDATA[{"a":"</tool_use> &lt;"}]]>', { a: '</tool_use> &lt;' }],
    ['a code fence', '{"a":"\n```\ncode\n```\n"}', { a: '\n```\ncode\n```\n' }],
    ['a name of every object', '{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
  ])('with %s in its arguments', (_what, written, expected) => {
    const { calls, malformed } = parseToolUse(withArguments(written));
    expect(malformed).toEqual([]);
    expect(calls.map((call) => call.arguments)).toEqual([expected]);
  });
});

test('several blocks are read in order, and the text around them is kept', () => {
  const other = search.replace('search', 'news');
  const text = `Let me look.\n\n${search}\n${other}\n\nThen I go on ${search} and on.`;
  expect(parseToolUse(text)).toEqual({
    text: 'Let me look.\n\nThen I go on and on.',
    calls: [called, { ...called, tool: 'news' }, called],
    malformed: [],
  });
});

test('a text without a block is not changed', () => {
  for (const text of [
    '',
    '  Hello.\n',
    'a < b, <tool_user>',
    'The <tool_use> tag begins a block.',
    '</tool_use>',
  ]) {
    expect(parseToolUse(text)).toEqual({ text, calls: [], malformed: [] });
  }
});

describe('a malformed block is reported', () => {
  test.each<[string, string, RegExp]>([
    ['without a server', search.replace('<server>brave</server>', ''), /no <server>/],
    ['with an empty server', search.replace('brave', ' '), /no <server>/],
    ['without a tool', search.replace('<tool>search</tool>', ''), /no <tool>/],
    ['with nothing in it', '<tool_use></tool_use>', /no <server>/],
    ['that closes itself', '<tool_use/>', /no <server>/],
    ['with two tools', search.replace('<server>', '<tool>x</tool><server>'), /two <tool>/],
    ['with a tool that is not closed', search.replace('</tool>', ''), /<tool> is not closed/],
    ['with arguments that are not closed', search.replace('</arguments>', ''), /<arguments> is not closed/],
    ['with arguments that are no JSON', withArguments('{q: weather}'), /not a JSON object/],
    ['with arguments that are no object', withArguments('["weather"]'), /not a JSON object/],
    ['with arguments cut off', withArguments('{"q": "wea'), /not a JSON object/],
    [
      'with arguments nested too deep',
      withArguments('{"a":'.repeat(70) + '1' + '}'.repeat(70)),
      /not a JSON object/,
    ],
  ])('%s, and the other blocks are read', (_what, block, reason) => {
    const parsed = parseToolUse(`One ${block} two ${search} three`);
    expect(parsed).toMatchObject({ text: 'One two three', calls: [called], malformed: [{ block }] });
    expect(parsed.malformed[0]?.reason).toMatch(reason);
  });

  test('when it is not closed, and the rest of the text is kept', () => {
    const text = 'I search. <tool_use><server>brave</server> That was it.';
    expect(parseToolUse(text)).toEqual({
      text,
      calls: [],
      malformed: [
        {
          form: 'tool_use',
          block: '<tool_use><server>brave</server> That was it.',
          reason: 'it is not closed with </tool_use>',
        },
      ],
    });
  });

  test('when the next block begins before it is closed, and the next block is read', () => {
    const parsed = parseToolUse(`<tool_use><server>brave</server> oops\n${search} Done.`);
    expect(parsed).toMatchObject({
      text: '<tool_use><server>brave</server> oops\n\nDone.',
      calls: [called],
      malformed: [{ block: '<tool_use><server>brave</server> oops\n' }],
    });
  });
});

describe('text is not read as a block', () => {
  test.each<[string, string]>([
    ['in a fence', `\`\`\`xml\n${search}\n\`\`\``],
    ['in a fence of tildes', `~~~\n${search}\n~~~`],
    ['in an indented fence', `   \`\`\`\n   ${search}\n   \`\`\``],
    [
      'in a longer fence that shows a shorter one',
      `\`\`\`\`md\n\`\`\`\n${search}\n\`\`\`\n${search}\n\`\`\`\`\``,
    ],
    ['in a fence that shows the other kind', `~~~\n\`\`\`\n~~~~ x\n${search}\n~~~`],
    ['in a fence that nobody closes', `\`\`\`\n${search}\n\ntext\n`],
    ['in a fence with Windows line breaks', `\`\`\`\r\n${search}\r\n\`\`\`\r\n`],
    ['in a fence in a quote', `> \`\`\`\n> ${search}\n> \`\`\``],
    ['in a fence of a list', `1. So:\n   - \`\`\`xml\n     ${search}\n     \`\`\``],
    ['in inline code', `Write \`${search}\` for it.`],
    ['in inline code of two backticks', `Write \`\` \` ${search} \`\` for it.`],
    ['in inline code that goes over a line', `Write \`this:\n${search}\` for it.`],
  ])('%s', (_where, quoted) => {
    const text = `Like this:\n\n${quoted}`;
    expect(parseToolUse(text)).toEqual({ text, calls: [], malformed: [] });
    const both = parseToolUse(`${search}\n\n${text}`);
    expect(both).toEqual({ text, calls: [called], malformed: [] });
  });

  test.each<[string, string]>([
    ['after a fence', `\`\`\`\n${search}\n\`\`\`\n`],
    ['after a fence that a quote took with it', `> \`\`\`\n> ${search}\n\n`],
    ['after inline code', `Write \`${search}\` for it. `],
    ['after a single backtick', 'A ` stands alone.\n'],
    ['after a backtick in another paragraph', 'A ` here.\n\nAnd ` there '],
    ['after code that looks like a fence', '```inline``` and '],
    ['after an indented line with backticks', 'Text\n    ```\n'],
  ])('but not %s', (_where, before) => {
    expect(parseToolUse(before + search).calls).toEqual([called]);
  });
});

const fragments = [
  ...[
    '<tool_use>',
    '</tool_use>',
    '<tool_use',
    '<server>',
    '</server>',
    '<tool>',
    '</tool>',
    '<arguments>',
    '</arguments>',
  ],
  ...[
    '<id>',
    '<![CDATA[',
    ']]>',
    '&lt;',
    '&#x41;',
    '&',
    '<',
    '>',
    '/',
    '"',
    '\\',
    '\\"',
    '{',
    '}',
    '[',
    ':',
    '`',
    '```',
    '~~~',
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '    ',
    '> ',
    '- ',
    '\r\n',
    '\0',
    '\ud800',
    '🦓',
    'a'.repeat(300),
    search,
    search.toUpperCase(),
  ],
];

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text;
  for (let count = 1 + random(8); count > 0; count -= 1) {
    const start = random(mutated.length + 1);
    const end = start + random(20);
    const fragment = fragments[random(fragments.length)] ?? '';
    const change = random(4);
    if (change === 0) mutated = mutated.slice(0, start) + fragment + mutated.slice(start);
    else if (change === 1) mutated = mutated.slice(0, start) + mutated.slice(end);
    else if (change === 2) mutated = mutated.slice(0, start) + fragment + mutated.slice(end);
    else mutated += mutated.slice(start, end).repeat(1 + random(30));
  }
  return mutated;
}

test('10,000 random mutations are read without an error, and no block is left in the remaining text', () => {
  const random = createRandom(20_260_129);
  const whole = `Text.\n${search}\n\`\`\`\n${search}\n\`\`\`\n<tool_use>\n<server>a</server>\n<tool>b</tool>\n</tool_use> end`;
  let read = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const text = mutate(whole, random);
    const { calls, malformed, text: left } = parseToolUse(text);
    read += calls.length;
    expect(left.length).toBeLessThanOrEqual(text.length + 2 * (calls.length + malformed.length));
    for (const call of calls) expect(call).toMatchObject({ server: /./, tool: /./ });
  }
  expect(read).toBeGreaterThan(5_000);
});

test.each(fragments)('100,000 repetitions of %j are read in linear time', (fragment) => {
  for (const text of [
    fragment.repeat(100_000 / Math.ceil(fragment.length / 10)),
    `<tool_use><arguments>"${fragment.repeat(20_000)}`,
  ]) {
    expect(parseToolUse(text + search).text.length).toBeLessThanOrEqual(
      text.length + search.length + 200_000,
    );
  }
});

describe('while a text is streamed', () => {
  function stream(text: string, size: number): string {
    const filter = createToolUseFilter();
    let shown = '';
    for (let start = 0; start < text.length; start += size) shown += filter(text.slice(start, start + size));
    return shown;
  }

  test.each([1, 2, 5, 1000])('no part of a block is shown in pieces of %i characters', (size) => {
    expect(stream(`Let me look.\n\n${search}\nDone.`, size)).toBe('Let me look.');
    expect(stream(`Look: ${search.toUpperCase()}`, size)).toBe('Look:');
  });

  test.each([1, 2, 5, 1000])(
    'a text without a block is shown except for its end in pieces of %i characters',
    (size) => {
      const text = 'a <b>c</b> <tool> <tool_usher> `x`\n\n<to\n<tool_us: the end of <tool';
      expect(stream(text, size)).toBe('a <b>c</b> <tool> <tool_usher> `x`\n\n<to\n<tool_us: the end of');
    },
  );

  test.each([1, 2, 5, 1000])('a block in a code fence is shown in pieces of %i characters', (size) => {
    const text = `Like this:\n\`\`\`xml\n${search}\n\`\`\`\nThat is all.`;
    expect(stream(text, size)).toBe(text);
  });

  test('the shown text is a prefix of the text without its blocks', () => {
    const random = createRandom(7);
    for (let round = 0; round < 2_000; round += 1) {
      const text = mutate(`Text.\n\`\`\`\n${search}\n\`\`\`\nMore\n${search} end.`, random);
      const shown = stream(text, 1 + random(12));
      const { text: left, calls } = parseToolUse(text);
      if (calls.length > 0) expect(left.slice(0, shown.length)).toBe(shown);
    }
  });
});
