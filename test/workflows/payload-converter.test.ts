import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import { payloadConverter } from '../../workflows/payload-converter.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a value is converted as by the converter of the SDK', () => {
  for (const value of [{ a: [1, 'b', null] }, 'text', 7, undefined, new Uint8Array([0, 255])]) {
    expect(payloadConverter.toPayload(value)).toEqual(defaultPayloadConverter.toPayload(value));
    expect(payloadConverter.fromPayload(payloadConverter.toPayload(value))).toEqual(value);
  }
});

test('a protobuf value of another language is read as JSON, or else as bytes', () => {
  const metadata = (encoding: string) => ({ encoding: bytes(encoding), messageType: bytes('shop.Order') });

  expect(
    payloadConverter.fromPayload({ metadata: metadata('json/protobuf'), data: bytes('{"id":"A-1"}') }),
  ).toEqual({ id: 'A-1' });
  expect(
    payloadConverter.fromPayload({ metadata: metadata('binary/protobuf'), data: new Uint8Array([10, 3]) }),
  ).toEqual(new Uint8Array([10, 3]));
  expect(payloadConverter.fromPayload({})).toEqual(new Uint8Array());
});
