import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { toYaml } from '../../../../console/src/screens/routines/to-yaml.ts';
import type { JsonObject, JsonValue } from '../../../../src/domain/json.ts';

const examples = new URL('../../../../examples/routines/', import.meta.url);

describe('a document as YAML', () => {
  test.each(readdirSync(examples))('%s reads back as the same document', (name) => {
    const document = parse(readFileSync(new URL(name, examples), 'utf8')) as JsonObject;
    expect(parse(toYaml(document))).toEqual(document);
  });

  const texts = [
    ...[
      '',
      ' ',
      'plain text',
      'yes',
      'null',
      'True',
      '1.0.0',
      '12',
      '-',
      '- a',
      'a: b',
      '#x',
      "it's",
      '"',
      '~',
    ],
    ...[
      'a\nb',
      'a\nb\n',
      'a\n\nb',
      ' a\nb',
      'a\nb ',
      'a \nb',
      'a\n\n',
      '\n',
      'tab\tin',
      'a\ttab\nin',
      '\u2028',
      '\u0000',
    ],
    ...[
      '${ .a }',
      '.5',
      '.inf',
      '@daily',
      '%',
      '!x',
      '&x',
      '*x',
      '|',
      '>',
      '`',
      'a #b',
      'a:',
      ':a',
      '[1]',
      '{a}',
      '---',
    ],
    ...[
      '1e3',
      '0x1F',
      '0o7',
      'ü ñ 漢',
      '😀',
      'https://example.com/a?b=c#d',
      '/do/0',
      '$x',
      'a-b_c',
      '+1',
      '=',
      '<<',
    ],
  ];

  test.each(texts)('%j is the same text as a value, in a list and as a name', (text) => {
    const value = {
      value: text,
      list: [text, [text]],
      nested: { [text]: { [text]: text } },
      items: [{ [text]: text }],
    };
    expect(parse(toYaml(value))).toEqual(value);
  });

  test('any object reads back as the same object', () => {
    const values = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), values.value, { minKeys: 1, noNullPrototype: true }),
        (value) => {
          expect(parse(toYaml(value))).toEqual(value);
        },
      ),
    );
  });

  test('keeps empty objects and lists, numbers and null', () => {
    const value = {
      a: {},
      b: [],
      c: [{}, [], [[]], null],
      d: [1, -2.5, 1e21, true],
      e: null,
      f: [{ a: [] }, { b: {} }],
    };
    expect(parse(toYaml(value))).toEqual(value);
  });

  test('orders the fields of the standard as people write them', () => {
    const text = toYaml({
      do: [{ a: { then: 'end', with: {}, call: 'x' } }],
      document: { name: 'one', dsl: '1.0.0' },
    });
    expect(text).toBe(
      "document:\n  dsl: '1.0.0'\n  name: one\ndo:\n  - a:\n      call: x\n      with: {}\n      then: end\n",
    );
  });
});
