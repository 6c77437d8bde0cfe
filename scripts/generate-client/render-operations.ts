import type { Operation } from './describe-operations.ts';

/** The TypeScript of all operations: their functions as types, and the table that the client calls them by. */
export function renderOperations(operations: Operation[]): string {
  return [
    "import type { CallOptions } from '../call-options.ts';",
    "import type * as Types from './types.ts';",
    '',
    '/** The operations of the API as functions: path parameters, then body, query and options. */',
    'export interface OperationFunctions {',
    ...operations.map(renderFunction),
    '}',
    '',
    '/** How each operation is sent, and how its answer is read. */',
    'export const operations = {',
    ...operations.map(renderEntry),
    '} as const;',
    '',
  ].join('\n');
}

function renderFunction({ id, comment, parameters, body, hasQuery }: Operation): string {
  const data = `Types.${toTypeName(id)}Data`;
  const given = [
    ...parameters.map(({ name, property }) => `${name}: ${data}['path']['${property}']`),
    ...(body === 'none' ? [] : [`body${body === 'optional' ? '?' : ''}: ${data}['body']`]),
    ...(hasQuery ? [`query?: ${data}['query']`] : []),
    'options?: CallOptions',
  ];
  const lines = comment.replaceAll('*/', '*\\/').split('\n');
  return [
    '  /**',
    ...lines.map((line) => `   * ${line}`.trimEnd()),
    '   */',
    `  ${id}(${given.join(', ')}): Promise<Types.${toTypeName(id)}Response>;`,
  ].join('\n');
}

function renderEntry({
  id,
  method,
  path,
  body,
  hasQuery,
  repeatable,
  keyed,
  answer,
  field,
}: Operation): string {
  const standard = body === 'none' ? 'GET' : 'POST';
  // A field follows its path, which often ends with the same word: the bundle for browsers compresses better so.
  const entry = [
    `path: '${path}'`,
    ...(field === undefined ? [] : [`field: '${field}'`]),
    ...(method === standard ? [] : [`method: '${method}'`]),
    ...(body === 'none' ? [] : ['body: true']),
    ...(hasQuery ? ['query: true'] : []),
    ...(repeatable ? [] : ['repeatable: false']),
    ...(keyed ? ['keyed: true'] : []),
    ...(answer === 'value' || answer === 'nothing' ? [] : [`answer: '${answer}'`]),
  ];
  return `  ${id}: { ${entry.join(', ')} },`;
}

function toTypeName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}
