import { z } from 'zod';
import { errorCodes, type ErrorCode } from '../../domain/errors.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The answer to every failed request. */
export const errorAnswerSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.unknown().optional(),
  }),
});

/** Builds the schema of the answer to a successful request. */
export function toAnswerSchema(data: z.ZodType) {
  return z.object({ success: z.literal(true), data });
}

/** The path parameter `id`. */
export const idParams = z.object({ id: z.uuid() });

/** The schema of an integer in a path or query, written with decimal digits only; `standard` is its default. */
export function integerParameter(minimum: number, maximum: number, standard?: number) {
  const toInteger = (text: unknown) =>
    typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  const expected = `expected an integer from ${minimum} to ${maximum}`;
  const integer = z.int(expected).min(minimum, expected).max(maximum, expected);
  // The default is inside, since the OpenAPI document shows the inner schema only.
  return z.preprocess(toInteger, standard === undefined ? integer : integer.default(standard));
}

/** The query parameters of a paged list. */
export const pageQuery = z.strictObject({
  limit: integerParameter(1, 100, 20).describe('The most items on a page'),
  cursor: z.uuid().optional().describe('`nextCursor` of the previous page'),
});

/** The cursor of a list whose order changes while it is read: how many of its items come before the page. */
export const offsetCursor = z
  .string()
  .regex(/^\d{1,9}$/, 'expected `nextCursor` of a page')
  .optional()
  .describe('`nextCursor` of the previous page');

/** The query parameters of a list whose order changes while it is read. */
export const offsetPageQuery = z.strictObject({
  limit: integerParameter(1, 100, 20).describe('The most items on a page'),
  cursor: offsetCursor,
});

/** The headers of a request that may be repeated. */
export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 visible ASCII characters')
    .optional()
    .describe('Repeated requests with the same key and body start only one turn'),
});

/** The headers of the answer to a request with an idempotency key: `idempotent-replayed` when the key was used before. */
export function toReplayedHeaders(accepted: boolean): Record<string, string> {
  return accepted ? {} : { 'idempotent-replayed': 'true' };
}

/** The cursor of the next page; null on the last page. */
export const nextCursorSchema = z.string().nullable();

// Gives the schema its name in the OpenAPI document.
z.globalRegistry.add(errorAnswerSchema, { id: 'Error' });
