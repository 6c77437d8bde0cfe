import { z } from 'zod';
import type { BucketSettings } from '../platform/buckets/s3-bucket.ts';
import type { FileLimits } from '../domain/file.ts';
import { optionalUrl } from '../platform/lib/parse-environment.ts';

/** The variables of files. */
export const fileVariables = {
  HOLDFAST_MAX_FILE_MEGABYTES: z.coerce.number().int().min(1).max(5_000).default(50),
  HOLDFAST_MAX_FILE_PAGES: z.coerce.number().int().min(1).max(100_000).default(1_000),
  HOLDFAST_MAX_IMAGE_MEGAPIXELS: z.coerce.number().int().min(1).max(10_000).default(100),
  HOLDFAST_FILES_BUCKET: z.string().min(3).max(255).optional(),
  HOLDFAST_FILE_SCANNER_URL: optionalUrl,
  HOLDFAST_FILE_SCANNER_TOKEN: z.string().min(1).optional(),
  // The names that every program for AWS reads.
  AWS_REGION: z.string().min(1).optional(),
  AWS_DEFAULT_REGION: z.string().min(1).optional(),
  AWS_ENDPOINT_URL_S3: optionalUrl,
  AWS_ENDPOINT_URL: optionalUrl,
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
};

type FileVariables = z.infer<z.ZodObject<typeof fileVariables>>;

/** The settings of files. */
export interface FileSettings {
  limits: FileLimits;
  /** The bucket for large files; undefined when Postgres takes all. */
  bucket: BucketSettings | undefined;
  /** The server that scans files and documents for viruses; undefined for no scan. */
  scanner: { url: string; token: string | undefined } | undefined;
}

/** Reads the settings of files from their variables. */
export function readFileSettings(values: FileVariables): FileSettings {
  const { HOLDFAST_FILES_BUCKET: bucket, HOLDFAST_FILE_SCANNER_URL: scanner } = values;
  return {
    limits: {
      maxBytes: values.HOLDFAST_MAX_FILE_MEGABYTES * 1024 * 1024,
      maxPages: values.HOLDFAST_MAX_FILE_PAGES,
      maxPixels: values.HOLDFAST_MAX_IMAGE_MEGAPIXELS * 1_000_000,
    },
    bucket: bucket === undefined ? undefined : { bucket, ...readAccess(values) },
    scanner: scanner === undefined ? undefined : { url: scanner, token: values.HOLDFAST_FILE_SCANNER_TOKEN },
  };
}

function readAccess(values: FileVariables): Omit<BucketSettings, 'bucket'> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const { AWS_SESSION_TOKEN: sessionToken } = values;
  const session = sessionToken === undefined ? {} : { sessionToken };
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION ?? 'us-east-1',
    endpoint: values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL,
    credentials: isGiven ? { accessKeyId, secretAccessKey, ...session } : undefined,
  };
}
