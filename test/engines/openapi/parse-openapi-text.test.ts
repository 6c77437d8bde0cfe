import { expect, test } from 'vitest';
import { parseOpenApiText } from '../../../src/engines/openapi/parse-openapi-text.ts';

test('a document is JSON or YAML', () => {
  expect(parseOpenApiText('{"a": 1}')).toEqual({ a: 1 });
  expect(parseOpenApiText('a: 1\n200: yes\nat: 2026-01-01')).toEqual({ 200: 'yes', a: 1, at: '2026-01-01' });
  expect(parseOpenApiText('{a: 1}')).toEqual({ a: 1 });
});

test('the line of a wrong character is told', () => {
  expect(() => parseOpenApiText('{"a": 1,\n"b" 2}')).toThrow(/it is no JSON: .*line 2 column 5/);
  expect(() => parseOpenApiText('a: 1\nb: [2')).toThrow(/neither JSON nor YAML: .*\(line 3, column 1\)/);
  expect(() => parseOpenApiText('"text"')).toThrow('it is no object');
  expect(() => parseOpenApiText('')).toThrow('it is no object');
});

test('aliases that grow, aliases that contain themselves and deep nesting are refused without being followed', () => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const before = `*a${level - 1},`.repeat(10).slice(0, -1);
    return `a${level}: &a${level} [${level === 0 ? 'x' : before}]`;
  });
  expect(() => parseOpenApiText(levels.join('\n'))).toThrow('aliases repeat it to more than 10 times');
  expect(() => parseOpenApiText('a: &a\n  b: *a')).toThrow('an alias of it contains itself');
  expect(() => parseOpenApiText(`{"a": ${'['.repeat(250)}${']'.repeat(250)}}`)).toThrow('nested deeper than');
  expect(() => parseOpenApiText(`a: ${'['.repeat(50_000)}`)).toThrow('neither JSON nor YAML');
  expect(parseOpenApiText('a: &a {x: 1}\nb: *a')).toEqual({ a: { x: 1 }, b: { x: 1 } });
});
