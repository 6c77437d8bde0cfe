import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { HoldfastError } from '../../domain/errors.ts';
import type { FileBucket } from '../../domain/file.ts';

/** Where a bucket is, and how to log in there. */
export interface BucketSettings {
  bucket: string;
  region: string;
  /** The address of a server that is not Amazon's; buckets are then parts of the path. */
  endpoint?: string | undefined;
  /** @default found as every program of AWS does: in files, from the container or the machine */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
}

/** The size of the parts of a large object, in bytes: the smallest that S3 accepts. Two of them are held in memory. */
const partBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;

/**
 * A download holds a socket as long as its client reads, so their number has no limit: with the limit of the SDK, 50 slow
 * readers would let all others time out. Uploads are limited by the API.
 */
const sockets = { maxSockets: Infinity };
const connections = {
  ...{ connectionTimeout: 5_000, socketTimeout: 30_000 },
  ...{ httpAgent: sockets, httpsAgent: sockets },
};

/** A bucket that closes its connections. */
export type S3Bucket = FileBucket & { close: () => Promise<void> };

/** Builds the access to a bucket of any server that speaks the S3 API. The SDK is loaded with the first request. */
export function createS3Bucket(settings: BucketSettings): S3Bucket {
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  const open = () => {
    opened ??= openClient(settings);
    return opened;
  };
  const { bucket: Bucket } = settings;
  return {
    put: async ({ key, mediaType, content, signal }) => {
      const [{ client }, { Upload }] = await Promise.all([open(), import('@aws-sdk/lib-storage')]);
      const object = { Bucket, Key: key, ContentType: mediaType };
      // A small object is sent by one request, a large one in parts, which are removed when it breaks off.
      const upload = new Upload({
        ...{ client, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false },
        params: { ...object, Body: Readable.from(content, { objectMode: false }) },
      });
      const abort = () => void upload.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        if (signal.aborted) abort();
        await upload.done();
      } catch (error) {
        throw signal.aborted ? signal.reason : toUnavailable(error);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    open: async ({ key, signal }) => {
      const { sdk, client } = await open();
      const command = new sdk.GetObjectCommand({ Bucket, Key: key });
      try {
        const { Body } = await client.send(command, signal ? { abortSignal: signal } : {});
        return readBody(Body as Readable);
      } catch (error) {
        throw toReadError(error);
      }
    },
    remove: async ({ key, isWhole }) => {
      const { sdk, client } = await open();
      try {
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }));
        if (!isWhole) await removeParts(sdk, client, { Bucket, Key: key });
      } catch (error) {
        throw toUnavailable(error);
      }
    },
    close: async () => (await opened)?.client.destroy(),
  };
}

async function openClient({ region, endpoint, credentials }: BucketSettings) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    requestHandler: connections,
    maxAttempts: 3,
    // Many S3 servers do not support checksums behind the body (trailing checksums).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

/** Removes the parts that an upload has left whose process was killed. Servers without such a list leave none. */
async function removeParts(
  sdk: typeof Sdk,
  client: Sdk.S3Client,
  { Bucket, Key }: { Bucket: string; Key: string },
): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
    for (const { UploadId } of Uploads)
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  } catch (error) {
    if (!isNamed(error, 'NotImplemented')) throw error;
  }
}

async function* readBody(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toUnavailable(error);
  }
}

function toReadError(error: unknown): HoldfastError {
  if (!isNamed(error, 'NoSuchKey')) return toUnavailable(error);
  return new HoldfastError('NOT_FOUND', 'The bucket does not have the file any more.', { cause: error });
}

/** Keeps errors of the bytes, such as one that there are too many of them. */
function toUnavailable(error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const reason = error instanceof Error ? error.name : 'no answer';
  const message = `The bucket for files cannot be used now (${reason}). Try again shortly.`;
  return new HoldfastError('SERVICE_UNAVAILABLE', message, { cause: error });
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
