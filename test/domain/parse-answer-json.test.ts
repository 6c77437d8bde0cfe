import { expect, test } from 'vitest';
import { parseAnswerJson } from '../../src/domain/parse-answer-json.ts';

const kiel = { city: 'Kiel' };

test.each([
  ['the whole text', ' {"city": "Kiel"}\n'],
  ['a fenced block', 'Here:\n```json\n{"city": "Kiel"}\n```\nAnything else?'],
  [
    'the last of several blocks',
    '```\n{"city": "Rome"}\n```\nNo, sorry.\n  ```json\n{"city": "Kiel"}\n  ```',
  ],
  ['an object with text around it', 'The answer is {"city": "Kiel"}. Good?'],
  ['an object behind braces of a thought', '<think>It is {maybe} Kiel.</think>\n{"city": "Kiel"}'],
  ['an object of several lines', 'Well {so}:\n{\n  "city": "Kiel"\n}\nThat is all.'],
])('an answer is read from %s', (_place, text) => {
  expect(parseAnswerJson(text)).toEqual(kiel);
});

test.each(['', 'No.', '[1]', '{"city": ', '}{', '```json\n{"city": \n```'])(
  'there is no object in %j',
  (text) => {
    expect(parseAnswerJson(text)).toBeNull();
  },
);

test.each([
  ['a list', '[\n  {"city": "Rome"},\n  {"city": "Kiel"}\n]'],
  ['a list with text around it', 'Here:\n[\n  {"city": "Rome"},\n  {"city": "Kiel"}\n]\nFine?'],
  ['a list without indentation', '[\n{"city": "Rome"},\n{"city": "Kiel"},\n'],
  ['a list of a fenced block', '```json\n[{"city": "Kiel"}]\n```'],
  ['an object that is not complete', '{\n  "cities": [\n    {"city": "Kiel"},\n    {"ci'],
  ['an object with a mistake', '{\n  "from":\n    {"city": "Kiel"},,\n'],
])('an object that is a part of %s is no answer', (_place, text) => {
  expect(parseAnswerJson(text)).toBeNull();
});

test('of a text that was cut off only the whole can be an answer', () => {
  expect(parseAnswerJson('{"city": "Kiel"}', { isCut: true })).toEqual(kiel);
  expect(parseAnswerJson('```json\n{"city": "Kiel"}\n```\nNo, it is\n```', { isCut: true })).toBeNull();
});

test('a long text of fences and braces is read in one pass', () => {
  expect(parseAnswerJson('```a\n{\n'.repeat(200_000))).toBeNull();
});
