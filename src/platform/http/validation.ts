import { isUtf8 } from 'node:buffer';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { findUnstorable } from '../../domain/storable.ts';
import type { HttpServer } from './server-type.ts';

/** Checks requests and answers by the schemas of the routes, and accepts JSON bodies only. */
export function addValidation(server: HttpServer): void {
  server.setValidatorCompiler(compileValidator as FastifySchemaCompiler<unknown>);
  server.setSerializerCompiler(serializerCompiler as Parameters<typeof server.setSerializerCompiler>[0]);
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = findEncodingError(request, body as Buffer);
    if (refusal) done(refusal);
    // Many clients send a content type without a body.
    else if (body.length === 0) done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
}

/** Finds out why a body is not JSON in UTF-8, the only encoding that RFC 8259 allows between systems. */
function findEncodingError({ headers }: FastifyRequest, body: Buffer): HoldfastError | undefined {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    const message = `Expected a body in UTF-8, found the charset "${charset.slice(0, 40)}".`;
    return new HoldfastError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  if (isUtf8(body)) return undefined;
  return createInvalidInput([{ field: 'body', message: 'expected text in UTF-8, found bytes that are not' }]);
}

/** Compiles the check of one part of a request. */
export function compileValidator({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) {
  const whole = httpPart === 'querystring' ? 'query' : (httpPart ?? 'body');
  return (input: unknown) => {
    const unstorable = findUnstorable(input, whole);
    if (unstorable) return { error: createInvalidInput([unstorable]) };
    const checked = checkInput(schema, input, { whole });
    return checked.success ? { value: checked.value } : { error: createInvalidInput(checked.errors) };
  };
}
