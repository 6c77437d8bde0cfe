import { createInvalidInput } from '../../domain/errors.ts';
import type { FastifySchemaCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { nameKnownFields, toFieldErrors } from './field-errors.ts';
import type { HttpServer } from './server-type.ts';
import { findUnstorable } from '../../domain/storable.ts';

/** Checks requests and answers by the schemas of the routes, and accepts JSON bodies only. */
export function addValidation(server: HttpServer): void {
  server.setValidatorCompiler(compileValidator as FastifySchemaCompiler<unknown>);
  server.setSerializerCompiler(serializerCompiler as Parameters<typeof server.setSerializerCompiler>[0]);
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients send a content type without a body.
    if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
}

/** Compiles the check of one part of a request. */
export function compileValidator({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) {
  const whole = httpPart === 'querystring' ? 'query' : (httpPart ?? 'body');
  return (input: unknown) => {
    const unstorable = findUnstorable(input, whole);
    if (unstorable) return { error: createInvalidInput([unstorable]) };
    const parsed = schema.safeParse(input, { error: nameKnownFields });
    return parsed.success
      ? { value: parsed.data }
      : { error: createInvalidInput(toFieldErrors(parsed.error, whole)) };
  };
}
