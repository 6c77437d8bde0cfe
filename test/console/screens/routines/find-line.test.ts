import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { findLine } from '../../../../console/src/screens/routines/find-line.ts';

const yaml = `# A comment: with a colon
document:
  dsl: '1.0.0' # patch
do:
- first:
    set: { a: 1, "b:c": [1, { d: 2 }] }
- 'second/part':
    try:
      - inner:
          call: http
          with:
            text: |
              call: not this one
            method: get
    catch: {
      do: [
        { handled: { set: { a: "}" } } },
        { last: { set: {} } }
      ]
    }
`;

describe('the line of a value', () => {
  test.each([
    ['', 0],
    ['/document/dsl', 2],
    ['/do', 3],
    ['/do/0/first', 4],
    ['/do/0/first/set/b:c/1/d', 5],
    ['/do/1', 6],
    ['/do/1/second~1part/try/0/inner/with/method', 13],
    ['/do/1/second~1part/try/0/inner/call', 9],
    ['/do/1/second~1part/catch/do/0/handled/set', 16],
    ['/do/1/second~1part/catch/do/1/last', 17],
    ['/do/1/second~1part/catch/when', 14],
    ['/do/7/unknown', 3],
    ['/use', 0],
  ])('%s of a document of YAML', (pointer, line) => {
    expect(findLine(yaml, pointer)).toBe(line);
  });

  test.each([
    ['', ''],
    ['', '/do/0'],
    ['do: [', '/do/0/x'],
    ['{"do": [{"x": ', '/do/0/x/set'],
    ['a:\n\t- b', '/a/0/c'],
    ['"open', '/open'],
  ])('a text that breaks off has some line: %j', (text, pointer) => {
    const line = findLine(text, pointer);
    expect(line).toBeGreaterThanOrEqual(0);
    expect(line).toBeLessThan(text.split('\n').length);
  });

  const value = {
    document: { dsl: '1.0.0', 'a key: with': ['x', { y: 'it\'s "quoted", [not] a {list}' }] },
    do: [
      { one: { do: [{ two: { set: { text: 'several\nlines\n- of: text' } } }] } },
      { three: {} },
      [[1], [2]],
    ],
    'a/b~c': { '': null, 0: { 1: true } },
  };

  test.each([
    ['YAML', stringify(value)],
    ['YAML with short lists', stringify(value, { collectionStyle: 'any', indentSeq: false })],
    ['YAML with wide indents', stringify(value, { indent: 4 })],
    ['JSON', JSON.stringify(value, null, 2)],
    ['JSON in one line', JSON.stringify(value)],
  ])('agrees with a parser about each value of %s', (_name, text) => {
    const found = listLines(text).map(({ pointer }) => ({ pointer, line: findLine(text, pointer) }));
    expect(found).toEqual(listLines(text));
    expect(found.length).toBeGreaterThan(15);
  });
});

/** The lines of all values of a text by a parser: that of its name, and of an item of a list that of its dash. */
function listLines(text: string): { pointer: string; line: number }[] {
  const counter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: counter });
  const lines: { pointer: string; line: number }[] = [];
  const add = (at: unknown, pointer: string) => {
    const [start = 0] = isNode(at) ? (at.range ?? []) : [];
    lines.push({ pointer, line: counter.linePos(start).line - 1 });
  };
  const walk = (node: unknown, pointer: string) => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        const name = String(isScalar(key) ? key.value : '');
        const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        add(key, inner);
        walk(value, inner);
      }
    if (isSeq(node))
      for (const [index, item] of node.items.entries()) {
        add(item, `${pointer}/${index}`);
        walk(item, `${pointer}/${index}`);
      }
  };
  walk(contents, '');
  return lines;
}
