import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { OperationField } from '../../src/clients/cli/operation-field.ts';
import { listEndpoints } from './describe-operations.ts';
import { resolve, type Document } from './open-api.ts';

type Schema = OpenApi.SchemaObject;

/** A parameter of the query, or a field of the body. */
interface Part {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description: string | undefined;
}

/** Returns the fields of the query and the body of each operation, by operationId, but for the cursor of a page. */
export function describeFields(document: Document): Record<string, OperationField[]> {
  const described: Record<string, OperationField[]> = {};
  for (const { operation } of listEndpoints(document)) {
    const parts = [...listQuery(document, operation), ...listBody(document, operation)];
    parts.sort((one, other) => Number(one.name === 'limit') - Number(other.name === 'limit'));
    described[operation.operationId ?? ''] = parts.map((part) => describeField(document, part));
  }
  return described;
}

/** The TypeScript of all fields. */
export function renderFields(fields: Record<string, OperationField[]>): string {
  const entries = Object.entries(fields).filter(([, some]) => some.length > 0);
  return [
    "import type { OperationField } from '../operation-field.ts';",
    '',
    '/** The fields of each operation that has some, which the options of its command follow from. */',
    'export const operationFields: Record<string, OperationField[]> = {',
    ...entries.map(([id, some]) => `  ${id}: [${some.map(renderField).join(', ')}],`),
    '};',
    '',
  ].join('\n');
}

function renderField(field: OperationField): string {
  const entries = Object.entries(field).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${entries.join(', ')} }`;
}

function listQuery(document: Document, operation: OpenApi.OperationObject): Part[] {
  return (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter(({ name, in: place }) => place === 'query' && name !== 'cursor')
    .map(({ name, required = false, schema = {}, description }) => {
      const resolved = resolve(document, schema as Schema);
      return { name, schema: resolved, isRequired: required, description };
    });
}

/** The fields of all forms of a body; one is required when each form requires it. */
function listBody(document: Document, { requestBody }: OpenApi.OperationObject): Part[] {
  const content = requestBody && resolve(document, requestBody).content['application/json'];
  const schema = content?.schema && resolve(document, content.schema as Schema);
  const forms = (schema?.anyOf ?? schema?.oneOf ?? [schema ?? {}]).map((form) => resolve(document, form));
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const given = forms.flatMap(({ properties = {} }) => {
      const found = properties[name];
      return found ? [resolve(document, found)] : [];
    });
    const values = given.flatMap((form): unknown[] =>
      form.const === undefined ? (form.enum ?? []) : [form.const],
    );
    const joined = values.length > 0 ? { ...given[0], enum: values } : given[0];
    const isRequired = forms.every(({ required = [] }) => required.includes(name));
    return { name, schema: joined ?? {}, isRequired, description: undefined };
  });
}

function describeField(document: Document, { name, schema, isRequired, description }: Part): OperationField {
  const values = (schema.enum ?? []) as string[];
  const text = toText(description ?? schema.description ?? toCommonText(name), values, schema.default);
  return {
    name,
    ...toKind(document, name, schema),
    ...(isRequired && schema.default === undefined ? { required: true } : {}),
    ...(text === '' ? {} : { text }),
  };
}

/** Returns the text of the help about a field that has no description; empty when its name says enough. */
function toCommonText(name: string): string {
  if (name === 'actingFor') return 'the person for whom it is done';
  return name.endsWith('Id') ? `of this ${toValue(name)}` : '';
}

/** How the value of a field is typed in a terminal. */
function toKind(document: Document, name: string, schema: Schema): Pick<OperationField, 'kind' | 'value'> {
  const forms = listForms(document, schema);
  const types = forms.flatMap(({ type = [] }) => type).filter((type) => type !== 'null');
  const lists = forms.filter(({ type }) => type === 'array') as OpenApi.ArraySchemaObject[];
  const takesTexts = lists.some(({ items }) => resolve(document, items as Schema).type === 'string');
  if (takesTexts) return { kind: 'list', value: toValue(name).replace(/s$/, '') };
  if (name === 'agentId') return { kind: 'agent', value: 'id or name' };
  if (types[0] === 'boolean' || schema.enum?.join() === 'true,false')
    return { kind: schema.default === true ? 'switch' : 'flag', value: '' };
  if (types.includes('string')) return { kind: 'text', value: toFormat(name, forms) };
  if (types.some((type) => type === 'integer' || type === 'number'))
    return { kind: 'number', value: 'number' };
  return { kind: 'json', value: 'json' };
}

function listForms(document: Document, schema: Schema): Schema[] {
  const forms = schema.anyOf ?? schema.oneOf;
  if (!forms) return [schema];
  return forms.flatMap((form) => listForms(document, resolve(document, form)));
}

function toFormat(name: string, forms: Schema[]): string {
  const formats: Record<string, string> = { uuid: 'id', 'date-time': 'time', uri: 'url' };
  const format = forms.find(({ format: some }) => some !== undefined)?.format ?? '';
  if (name === 'actingFor') return 'person';
  return formats[format] ?? (name.endsWith('Id') ? 'id' : toValue(name));
}

/** The last word of a name: `passTrajectories` gives `trajectories`. */
function toValue(name: string): string {
  return /[A-Z]?[a-z]+$/.exec(name.replace(/Id$/, ''))?.[0].toLowerCase() ?? 'value';
}

/** A description as part of a help text, with the values and the default that it does not name. */
function toText(description: string, values: string[], standard: unknown): string {
  const text = description.replace(/^… |^[A-Z](?![A-Z])/, (found) => found.replace('… ', '').toLowerCase());
  const isNamed = values.length === 0 || values.join() === 'true,false';
  const listed = isNamed ? '' : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const shown = ['string', 'number'].includes(typeof standard) && !/default/.test(text);
  return [
    [text.replaceAll('`', '"'), listed.replace(/^ or /, '')].filter((part) => part !== '').join(': '),
    ...(shown && standard !== 'false' ? [`(default: ${String(standard)})`] : []),
  ]
    .join(' ')
    .trim();
}
