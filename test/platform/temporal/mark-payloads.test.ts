import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';

function createCodec(installationId?: string): PayloadCodec {
  const { payloadCodecs } = createDataConverter({
    encryption: {},
    encryptPayloads: false,
    ...(installationId === undefined ? {} : { installationId }),
  });
  return payloadCodecs[0];
}

const payloads: Payload[] = [defaultPayloadConverter.toPayload({ turnId: 'one' })];

async function read(codec: PayloadCodec, encoded: Payload[]): Promise<unknown> {
  const [decoded = {}] = await codec.decode(encoded);
  return defaultPayloadConverter.fromPayload(decoded);
}

describe('payloads of an installation', () => {
  test('are read by the programs of the same installation', async () => {
    const encoded = await createCodec('first').encode(payloads);
    expect(await read(createCodec('first'), encoded)).toEqual({ turnId: 'one' });
  });

  test('are refused by the programs of another one, with both ids and what to do', async () => {
    const encoded = await createCodec('first').encode(payloads);
    await expect(createCodec('second').decode(encoded)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        /belongs to the installation first.*of the installation second.*HOLDFAST_TASK_QUEUE/,
      ) as string,
    });
  });

  test('are read by programs without an installation, and theirs are accepted', async () => {
    const encoded = await createCodec('first').encode(payloads);
    expect(await read(createCodec(), encoded)).toEqual({ turnId: 'one' });
    expect(await read(createCodec('first'), await createCodec().encode(payloads))).toEqual({ turnId: 'one' });
  });
});
