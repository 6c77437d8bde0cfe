import { describe, expect, test } from 'vitest';
import { createToolUseFilter } from '../../../../src/engines/models/calls-in-text/tool-use-stream.ts';
import { parseToolUse } from '../../../../src/engines/models/calls-in-text/tool-use-text.ts';

const toolCall = '<tool_call>\n{"name": "search", "arguments": {"q": "weather"}}\n</tool_call>';
const toolCode = '```tool_code\nsearch(q="weather")\n```';
const called = { server: '', tool: 'search', arguments: { q: 'weather' }, id: null };

function inCode(source: string): string {
  return `\`\`\`tool_code\n${source}\n\`\`\``;
}

describe('a tool_call block of Hermes and Qwen is read', () => {
  test.each<[string, string]>([
    ['as it is', toolCall],
    ['on one line', toolCall.replaceAll('\n', '')],
    ['in any case', toolCall.replaceAll('tool_call', 'TOOL_Call')],
    [
      'with its fields in another order',
      '<tool_call>{"arguments":{"q":"weather"},"name":"search"}</tool_call>',
    ],
    ['with parameters', toolCall.replace('arguments', 'parameters')],
    ['with its arguments as text', toolCall.replace('{"q": "weather"}', String.raw`"{\"q\":\"weather\"}"`)],
  ])('%s', (_how, text) => {
    expect(parseToolUse(`Text.\n${text}`)).toEqual({ text: 'Text.', calls: [called], malformed: [] });
  });

  test.each<[string, string, unknown]>([
    ['its own closing tag', '{"a":"</tool_call>"}', { a: '</tool_call>' }],
    ['a line break in a text', '{"a":"one\ntwo"}', { a: 'one\ntwo' }],
    ['nothing', '{}', {}],
  ])('with %s in its arguments', (_what, written, expected) => {
    const { calls, malformed } = parseToolUse(
      `<tool_call>{"name":"lab:get-sum","arguments":${written}}</tool_call>`,
    );
    expect(malformed).toEqual([]);
    expect(calls).toEqual([{ server: 'lab', tool: 'get-sum', arguments: expected, id: null }]);
  });

  test.each<[string, string, RegExp]>([
    ['without a name', '<tool_call>{"arguments":{}}</tool_call>', /no "name"/],
    [
      'with arguments that are no object',
      '<tool_call>{"name":"a","arguments":[1]}</tool_call>',
      /"arguments"/,
    ],
    ['that is no JSON', '<tool_call>{name: search}</tool_call>', /not a JSON object/],
  ])('and reported when it cannot be: %s', (_what, block, reason) => {
    const { calls, malformed, text } = parseToolUse(`One ${block} two ${toolCall}`);
    expect({ calls, text }).toEqual({ calls: [called], text: 'One two' });
    expect(malformed).toMatchObject([{ form: 'tool_call', block }]);
    expect(malformed[0]?.reason).toMatch(reason);
  });

  test('and reported when it is not closed, with its text kept', () => {
    const text = 'I search. <tool_call>{"name":"search"';
    expect(parseToolUse(text)).toMatchObject({ text, calls: [], malformed: [{ form: 'tool_call' }] });
  });

  test.each(['Write <tool_call> and </tool_call>.', `\`${toolCall}\``, `\`\`\`xml\n${toolCall}\n\`\`\``])(
    'but not as a mention or in code: %j',
    (text) => {
      expect(parseToolUse(text)).toEqual({ text, calls: [], malformed: [] });
    },
  );
});

describe('a block tool_code of Gemma is read', () => {
  test.each<[string, string]>([
    ['as it is', toolCode],
    ['with print', inCode('print(search(q="weather"))')],
    ['with the module of Gemini', inCode('print(default_api.search(q = "weather",))')],
    ['with comments and empty lines', inCode('# I look it up.\n\nsearch(  # now\n  q="weather",\n)\n')],
    ['in a list', inCode('[search(q="weather")]')],
    ['with a fence of tildes', '~~~ tool_code\r\nsearch(q="weather")\r\n~~~'],
    ['with single quotes', inCode("search(q='weather');")],
  ])('%s', (_how, text) => {
    expect(parseToolUse(`Text.\n${text}\n`)).toEqual({ text: 'Text.', calls: [called], malformed: [] });
  });

  test.each<[string, unknown]>([
    ['3', 3],
    ['-2.5e3', -2500],
    ['1_000', 1000],
    ['True', true],
    ['None', null],
    ['[1, "two", (3,), []]', [1, 'two', [3], []]],
    [`{"a": {'b': False}, "__proto__": 1}`, JSON.parse('{"a":{"b":false},"__proto__":1}')],
    [String.raw`"a \"quoted\" \n \x41 \u00e9 \d"`, 'a "quoted" \n A é \\d'],
    [String.raw`r"\d+"`, '\\d+'],
    ['"""two\n"lines" of text"""', 'two\n"lines" of text'],
    ['"```"', '```'],
  ])('with the argument %s', (written, expected) => {
    const { calls, malformed } = parseToolUse(inCode(`lab.get_sum(a=${written})`));
    expect(malformed).toEqual([]);
    expect(calls).toEqual([{ server: 'lab', tool: 'get_sum', arguments: { a: expected }, id: null }]);
  });

  test('with several calls, in order', () => {
    const { calls } = parseToolUse(inCode('search(q="one")\nprint(search(q="two"))\n[a(), b()]'));
    expect(calls.map(({ tool, arguments: input }) => [tool, input])).toEqual([
      ['search', { q: 'one' }],
      ['search', { q: 'two' }],
      ['a', {}],
      ['b', {}],
    ]);
  });

  test.each<[string, RegExp]>([
    ['search("weather")', /named arguments/],
    ['import os', /expected "\("/],
    ['x = search(q="a")', /expected "\("/],
    ['search(q=other(1))', /expected a value/],
    ['search(q="a" + "b")', /expected "\)"/],
    ['search(q="open', /a string that ends with/],
    ['search(q=f"{a}")', /expected a value/],
    ['search(q=1e999)', /a number of usual size/],
    [`search(q=${'['.repeat(100)}${']'.repeat(100)})`, /less nesting/],
  ])('and reported when it cannot be, without any of its calls: %s', (source, reason) => {
    const { text, calls, malformed } = parseToolUse(`One\n${inCode(`first()\n${source}`)}\ntwo`);
    expect({ text, calls }).toEqual({ text: 'One\n\ntwo', calls: [] });
    expect(malformed).toMatchObject([{ form: 'tool_code' }]);
    expect(malformed[0]?.reason).toMatch(reason);
  });

  test.each(['', '# Nothing.', 'print()'])('and reported when it has no call: %j', (source) => {
    expect(parseToolUse(inCode(source)).malformed).toMatchObject([{ reason: 'it has no call' }]);
  });

  test('and reported when its fence is not closed, with its text kept', () => {
    const text = 'I search.\n```tool_code\nsearch(q="weather")';
    expect(parseToolUse(text)).toMatchObject({ text, calls: [], malformed: [{ form: 'tool_code' }] });
  });

  test.each([
    'Gemma writes tool_code.',
    '```python\nsearch(q="weather")\n```',
    `\`\`\`\`md\n${toolCode}\n\`\`\`\``,
    `> ${toolCode.replaceAll('\n', '\n> ')}`,
    '`tool_code`',
  ])('but not as a mention or in other code: %j', (text) => {
    expect(parseToolUse(text)).toEqual({ text, calls: [], malformed: [] });
  });
});

test('the three forms can be in one text', () => {
  const toolUse = '<tool_use><server>s</server><tool>t</tool></tool_use>';
  const { text, calls } = parseToolUse(`A ${toolUse}\n${toolCode}\nB ${toolCall} C`);
  expect(text).toBe('A\n\nB C');
  expect(calls.map(({ tool }) => tool)).toEqual(['t', 'search', 'search']);
});

const fragments = [
  ...['<tool_call>', '<tool_call>{', '</tool_call>', toolCall, '{"name":"a"}', '"', '\\', '{', '[', '\n'],
  ...[
    '```tool_code\n',
    '```tool_code\na(b=',
    '\n```\n',
    toolCode + '\n',
    'a(',
    'print(',
    '"""',
    "'",
    '#',
    '\\x',
  ],
];

test.each(fragments)('100,000 characters of %j are read in linear time', (fragment) => {
  const many = fragment.repeat(Math.ceil(100_000 / fragment.length));
  for (const text of [many, `<tool_call>{${many}`, `\`\`\`tool_code\n${many}`, inCode(`a(b="${many}")`)]) {
    expect(parseToolUse(`${text}\n${toolCall}`).text.length).toBeLessThanOrEqual(text.length + 200_000);
    const filter = createToolUseFilter();
    for (let start = 0; start < text.length; start += 50) filter(text.slice(start, start + 50));
  }
});

describe('while a text is streamed', () => {
  function stream(text: string, size: number): string {
    const filter = createToolUseFilter();
    let shown = '';
    for (let start = 0; start < text.length; start += size) shown += filter(text.slice(start, start + size));
    return shown;
  }

  test.each([1, 2, 5, 1000])('no part of a call is shown in pieces of %i characters', (size) => {
    for (const call of [toolCall, toolCode, toolCode.toUpperCase(), toolCode.replaceAll('`', '~')]) {
      expect(stream(`Let me look.\n\n${call}\nDone.`, size)).toBe('Let me look.');
    }
  });

  test.each([1, 2, 5, 1000])('other code is shown in pieces of %i characters', (size) => {
    const quoted = `\`\`\`\`md\n${toolCode}\n${toolCall}\n\`\`\`\``;
    const text = `Like this:\n\`\`\`python\na()\n\`\`\`\n\`tool_code\`\n\`\`\`tool\nb()\n\`\`\`\n${quoted}\nThat is all.`;
    expect(stream(text, size)).toBe(text);
  });
});
