import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { allowOrigins } from '../platform/http/allow-origins.ts';
import type { Route } from '../platform/http/route.ts';
import { toRouteSchema } from '../platform/http/route-schema.ts';

const bytes = z.base64().nullish().describe('Bytes in base64');

/** A payload in the JSON form of protobuf. */
const payloadSchema = z.looseObject({
  metadata: z.record(z.string(), z.base64()).nullish(),
  data: bytes,
});
const payloadsSchema = z.looseObject({ payloads: z.array(payloadSchema).max(10_000) });
type JsonPayload = z.infer<typeof payloadSchema>;
type Direction = 'decode' | 'encode';

/** Everything that the codec needs from outside. */
export interface CodecDependencies {
  /** Encrypts and decrypts the payloads in Temporal. */
  payloadCodec: PayloadCodec;
  /** Origins from which browsers may ask to decrypt payloads. @default none */
  codecOrigins?: readonly string[];
}

/** The headers that the Temporal Web UI sends; `authorization-extras` identifies the user who is signed in. */
const headers = ['authorization', 'content-type', 'x-namespace', 'authorization-extras'];

const operations = {
  decode: {
    operationId: 'decodePayloads',
    summary: 'Decode Temporal payloads',
    description:
      'Decrypts payloads for the Temporal Web UI and CLI; set their codec endpoint to this address without ' +
      '`/decode`. The answer has no envelope. A key with this scope can read the payloads of all workspaces: give ' +
      'the scope to operators only. A payload that Holdfast has not encrypted is returned unchanged.',
  },
  encode: {
    operationId: 'encodePayloads',
    summary: 'Encode Temporal payloads',
    description:
      'Encrypts payloads, for starting or signalling workflows with the CLI. Payloads are returned unchanged unless ' +
      '`HOLDFAST_ENCRYPT_PAYLOADS` is true.',
  },
};

/** Declares an endpoint without `route`, since answers have no envelope and browsers of other origins may call it. */
function codecRoute(direction: Direction): Route<CodecDependencies> {
  const path = `/api/temporal/codec/${direction}`;
  const right = 'payloads.read' as const;
  const described = { ...operations[direction], tag: 'Temporal', right, body: payloadsSchema, answers: {} };
  const schema = toRouteSchema({ ...described, errors: ['SECRETS_UNAVAILABLE'] });
  const done = { description: 'Done', content: { 'application/json': { schema: payloadsSchema } } };
  return {
    method: 'POST',
    path,
    operationId: described.operationId,
    clientName: `codec.${direction}`,
    right,
    addTo: (server, { payloadCodec, codecOrigins = [] }) => {
      server.route({
        method: 'POST',
        url: path,
        config: { right },
        schema: { ...schema, response: { ...schema.response, 200: done } },
        ...allowOrigins(server, { path, method: 'POST', origins: codecOrigins, headers }),
        handler: async ({ body }) => {
          const { payloads } = body as z.infer<typeof payloadsSchema>;
          return { payloads: await convert(payloads, (given) => payloadCodec[direction](given)) };
        },
      });
    },
  };
}

async function convert(
  payloads: JsonPayload[],
  run: (given: Payload[]) => Promise<Payload[]>,
): Promise<JsonPayload[]> {
  const given = payloads.map(toPayload);
  const converted = await run(given);
  return payloads.map((payload, index) => {
    const result = converted[index];
    // A payload that the codec left unchanged may have fields that `toJson` would drop.
    return result === undefined || result === given[index] ? payload : toJson(result);
  });
}

function toPayload({ metadata, data }: JsonPayload): Payload {
  const entries = Object.entries(metadata ?? {});
  return {
    metadata: Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value, 'base64')])),
    data: data ? Buffer.from(data, 'base64') : null,
  };
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const toBase64 = (value: Uint8Array) => Buffer.from(value).toString('base64');
  const entries = Object.entries(metadata ?? {});
  return {
    metadata: Object.fromEntries(entries.map(([name, value]) => [name, toBase64(value)])),
    data: toBase64(data ?? new Uint8Array()),
  };
}

/** The endpoints of the codec of Temporal payloads. */
export const codecRoutes = [codecRoute('decode'), codecRoute('encode')];
