import type { JsonObject } from '../../../../src/domain/json.ts';
import { ImportInputError } from '../../../../src/modules/imports/compile/choose-operations.ts';
import {
  compileDocument,
  type CompileOptions,
} from '../../../../src/modules/imports/compile/compile-document.ts';
import { OpenApiError } from '../../../../src/engines/openapi/openapi-error.ts';

/** A document of one operation. */
export function describeOne(
  operation: JsonObject,
  more: JsonObject = {},
  place = 'post /things/{id}',
): JsonObject {
  const [method = '', path = ''] = place.split(' ');
  return {
    ...{ openapi: '3.1.0', info: { title: 'Things' }, servers: [{ url: 'https://things.example' }] },
    paths: { [path]: { [method]: operation } },
    ...more,
  };
}

/** Compiles a document of one operation. */
export function compileOne(document: JsonObject, options: CompileOptions = {}) {
  const { definition, report } = compileDocument(document, options);
  const [operation] = Object.values(definition.operations);
  if (!operation) throw new Error('expected an operation');
  return { definition, report, operation, messages: report.warnings.map(({ message }) => message) };
}

/** A document whose one operation has a body of a schema. */
export function withBody(schema: JsonObject, more: JsonObject = {}, type = 'application/json'): JsonObject {
  const body = { required: true, content: { [type]: { schema } } };
  return describeOne({ requestBody: body }, more, 'post /things');
}

/** Returns the error of a document that cannot be imported. */
export function expectRefusal(document: JsonObject): { pointer: string; message: string } {
  try {
    compileDocument(document, {});
  } catch (error) {
    if (error instanceof OpenApiError) return { pointer: error.pointer, message: error.message };
    throw error;
  }
  throw new Error('expected an error');
}

/** Returns the fields that do not fit a document. */
export function expectProblems(document: JsonObject, options: CompileOptions) {
  try {
    compileDocument(document, options);
  } catch (error) {
    if (error instanceof ImportInputError) return error.fields.map(({ field }) => field);
    throw error;
  }
  throw new Error('expected an error');
}
