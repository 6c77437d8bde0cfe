import { html, joinHtml, type Html } from './html.ts';

/** What of JSON Schema the API's own schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  default?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** A schema as a reader wants it: fields with their types and bounds, and links to schemas that have a name. */
export function renderSchema(schema: Schema): Html {
  if (schema.properties) return renderFields(schema);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return joinHtml(choices.map((choice, index) => html`${index > 0 ? ' or ' : ''}${renderSchema(choice)}`));
  if (schema.items) return html`list of ${renderSchema(schema.items)}${renderBounds(schema)}`;
  return html`${renderType(schema)}${renderBounds(schema)}`;
}

function renderFields({ properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr>
        <td><code>${name}</code>${required.includes(name) ? '' : html`<small> optional</small>`}</td>
        <td>${renderSchema(field)} ${field.description}</td>
      </tr>`,
  );
  return html`<table>
    ${rows}
  </table>`;
}

function renderType({ $ref, type, format, enum: values, const: only }: Schema): Html {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (values) return html`<code>${values.map((value) => JSON.stringify(value)).join(' | ')}</code>`;
  return html`${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

function renderBounds(schema: Schema): Html {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  // Zod bounds every integer by what a double holds exactly, which tells a reader nothing.
  const bounds = [
    toBound('at least', minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum),
    toBound('at most', maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    toBound('at least', minLength, ' characters'),
    toBound('at most', maxLength, ' characters'),
    toBound('at most', maxItems, ' items'),
    schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`],
  ].flat();
  return bounds.length === 0 ? html`` : html`<small>, ${bounds.join(', ')}</small>`;
}

function toBound(words: string, bound: number | undefined, unit = ''): string[] {
  return bound === undefined ? [] : [`${words} ${bound.toLocaleString('en')}${unit}`];
}
