import { describe, expect, test } from 'vitest';
import {
  toAnswer,
  toAnswerFields,
  toPlainAnswer,
} from '../../../../console/src/live/actions/answer-fields.ts';
import { seat } from '../../../labs/asking-scene.ts';

describe('the fields of the answer to a question', () => {
  test('follow from its schema', () => {
    const fields = toAnswerFields({
      ...seat,
      properties: {
        ...seat.properties,
        name: { type: 'string', title: 'Your name', description: 'As in the passport.' },
        vegan: { type: 'boolean' },
        size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
        extra: { type: 'object' },
      },
    });
    expect(
      fields.map(({ name, label, kind, isRequired, initial }) => [name, label, kind, isRequired, initial]),
    ).toEqual([
      ['row', 'row', 'number', true, ''],
      ['side', 'side', 'choice', false, '"aisle"'],
      ['name', 'Your name', 'text', false, ''],
      ['vegan', 'vegan', 'choice', false, ''],
      ['size', 'size', 'choice', false, ''],
      ['extra', 'extra', 'json', false, ''],
    ]);
    expect(fields.find(({ name }) => name === 'size')?.options).toEqual([
      { value: '"s"', text: 'Small' },
      { value: '"l"', text: 'l' },
    ]);
  });

  test('are none for a question that is answered by a text', () => {
    expect(toAnswerFields({ type: 'string' })).toEqual([]);
    expect(toAnswerFields(null)).toEqual([]);
  });
});

describe('an answer', () => {
  const fields = toAnswerFields({
    type: 'object',
    properties: { row: { type: 'integer' }, note: { type: 'string' }, ok: { type: 'boolean' }, at: {} },
  });

  test('has the types of the schema, and leaves out what is empty', () => {
    expect(toAnswer(fields, { row: '7', note: '7', ok: 'true', at: '' })).toEqual({
      row: 7,
      note: '7',
      ok: true,
    });
  });

  test('keeps a text that has no value of the type, so that the API refuses it', () => {
    expect(toAnswer(fields, { row: 'seven', at: '{' })).toEqual({ row: 'seven', at: '{' });
  });

  test('without fields is a text, or JSON when the schema asks for another type', () => {
    expect(toPlainAnswer('7', null)).toBe('7');
    expect(toPlainAnswer('7', { type: 'string' })).toBe('7');
    expect(toPlainAnswer('7', { type: 'integer' })).toBe(7);
    expect(toPlainAnswer('seven', { type: 'integer' })).toBe('seven');
  });
});
