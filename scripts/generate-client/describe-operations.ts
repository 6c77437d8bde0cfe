import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { findSuccess, resolve, type Document } from './open-api.ts';

/** How the client takes the return value of a function from the response. */
export type AnswerKind = 'nothing' | 'value' | 'page' | 'data' | 'json' | 'blob';

/** The description of an operation for the client. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  comment: string;
  /** The description of its tag. */
  group: string | undefined;
  /** The names of the path parameters in the client's functions. */
  parameters: { name: string; property: string }[];
  body: 'none' | 'optional' | 'required';
  hasQuery: boolean;
  /** False for checks of health: a repeated one would hide the state that it reports. */
  repeatable: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  keyed: boolean;
  answer: AnswerKind;
  /** The field of `data` that holds the value or the items. */
  field: string | undefined;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Lists the operations of an OpenAPI document in its order. */
export function describeOperations(document: Document): Operation[] {
  return listEndpoints(document).map((endpoint) => describeOperation(document, endpoint));
}

/** Lists the operations of an OpenAPI document in its order, as it has them. */
export function listEndpoints(document: Document): Endpoint[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

interface Endpoint {
  method: string;
  path: string;
  operation: OpenApi.OperationObject;
}

function describeOperation(document: Document, { method, path, operation }: Endpoint): Operation {
  if (operation.operationId === undefined) throw new Error(`${method} ${path} has no operationId`);
  const { summary, description } = operation;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    comment: [summary, description].filter((text) => text !== undefined).join('\n\n'),
    group: document.tags?.find(({ name }) => name === operation.tags?.[0])?.description,
    parameters: [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', property = '']) => ({
      name: property === 'id' ? toIdName(collection) : property,
      property,
    })),
    body: describeBody(document, operation),
    hasQuery: parameters.some((parameter) => parameter.in === 'query'),
    repeatable: operation.tags?.includes('health') !== true,
    keyed: parameters.some(({ name, in: place }) => place === 'header' && name === 'idempotency-key'),
    ...describeAnswer(document, operation),
  };
}

/** `knowledge-bases` gives `knowledgeBaseId`. */
function toIdName(collection: string): string {
  const words = collection
    .replace(/s$/, '')
    .replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return `${words}Id`;
}

/** An operation whose body has no fields takes none. */
function describeBody(document: Document, { requestBody }: OpenApi.OperationObject): Operation['body'] {
  if (requestBody === undefined) return 'none';
  const { content, required } = resolve(document, requestBody);
  const schemas = Object.values(content).flatMap(({ schema }) => {
    const resolved = schema && resolve(document, schema);
    return (resolved?.anyOf ?? resolved?.oneOf ?? [resolved]).map((part) => part && resolve(document, part));
  });
  const hasFields = schemas.some((schema) => Object.keys(schema?.properties ?? {}).length > 0);
  if (!hasFields) return 'none';
  return required === true ? 'required' : 'optional';
}

function describeAnswer(
  document: Document,
  operation: OpenApi.OperationObject,
): Pick<Operation, 'answer' | 'field'> {
  const schema = findSuccess(document, operation)?.content?.['application/json']?.schema;
  const envelope = schema && resolve(document, schema);
  // A JSON text without an envelope is a file, which may have other formats too.
  if (envelope === undefined || envelope.type === 'string') return { answer: 'blob', field: undefined };
  const data = envelope.properties?.['data'];
  if (data === undefined) return { answer: 'json', field: undefined };
  const names = Object.keys(resolve(document, data).properties ?? {});
  // `deleted: true` says no more than the status does.
  const [field, ...others] = names.filter((name) => name !== 'deleted' && name !== 'nextCursor');
  if (field === undefined) return { answer: 'nothing', field };
  if (others.length > 0) return { answer: 'data', field: undefined };
  return { answer: names.includes('nextCursor') ? 'page' : 'value', field };
}
