import type { Payload, PayloadCodec } from '@temporalio/common';
import { HoldfastError } from '../../domain/errors.ts';

const field = 'holdfast-installation';

/**
 * Makes a codec name the installation in the metadata of each payload, and refuse payloads that another installation
 * wrote. A worker that polls the task queue of another installation then fails the workflow task before it runs any of
 * it; Temporal gives the task to another worker. Payloads of other programs name no installation and are accepted.
 * @throws HoldfastError `CONFLICT` from `decode`, for a payload of another installation
 */
export function markPayloads(codec: PayloadCodec, installationId: string): PayloadCodec {
  const mark = Buffer.from(installationId);
  return {
    encode: async (payloads) =>
      (await codec.encode(payloads)).map((payload) => ({
        ...payload,
        metadata: { ...payload.metadata, [field]: mark },
      })),
    decode: async (payloads) => {
      for (const payload of payloads) refuseForeign(payload, installationId);
      return codec.decode(payloads);
    },
  };
}

function refuseForeign({ metadata }: Payload, installationId: string): void {
  const writer = metadata?.[field];
  if (!writer) return;
  const writerId = Buffer.from(writer).toString('utf8');
  if (writerId === installationId) return;
  throw new HoldfastError(
    'CONFLICT',
    `Refused: this belongs to the installation ${writerId}, but the database of this program is that of the ` +
      `installation ${installationId}. Stop this program, or give it a task queue of its own ` +
      '(HOLDFAST_TASK_QUEUE) or the database of that installation (DATABASE_URL).',
  );
}
