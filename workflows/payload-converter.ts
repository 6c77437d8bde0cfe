import { defaultPayloadConverter, type PayloadConverter } from '@temporalio/common';

/** The encodings that the SDK can read. */
const knownEncodings = new Set(['binary/null', 'binary/plain', 'json/plain']);

const nothing = new Uint8Array();

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/**
 * Reads the results of workflows in any language. The SDK's own converter throws on encodings that it does not know,
 * such as protobuf, and a workflow whose child ends with one of them would then hang.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: (payload) => {
    const encoding = toText(payload.metadata?.['encoding'] ?? nothing);
    if (knownEncodings.has(encoding)) return defaultPayloadConverter.fromPayload(payload);
    const data = payload.data ?? nothing;
    return (encoding === 'json/protobuf' ? JSON.parse(toText(data)) : data) as never;
  },
};
