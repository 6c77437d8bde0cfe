import type { OpenAPIV3_1 } from 'openapi-types';
import { html, joinHtml, type Html } from './html.ts';
import { renderSchema, type Schema } from './render-schema.ts';
import { referenceStyle } from './reference-style.ts';

interface Operation {
  method: string;
  path: string;
  operation: OpenAPIV3_1.OperationObject;
}

/** The API as one page that needs no script, no other file and no network. */
export function renderReference(document: OpenAPIV3_1.Document): string {
  const operations = listOperations(document);
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'other');
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Schema][];
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${document.info.title} API</title>
      <style>
        ${referenceStyle}
      </style>
      <nav>${[...groups].map(([tag, members]) => renderIndex(tag, members))}</nav>
      <main>
        <h1>${document.info.title} API</h1>
        <p>${renderText(document.info.description)}</p>
        <p><a href="openapi.json">openapi.json</a></p>
        ${[...groups].map(
          ([tag, members]) =>
            html`<h2>${tag}</h2>
              ${members.map(renderOperation)}`,
        )}
        <h2>Schemas</h2>
        ${schemas.map(([name, schema]) => renderNamed(name, schema))}
      </main>
    </html> `.toString();
}

function listOperations({ paths = {} }: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as OpenAPIV3_1.OperationObject,
    })),
  );
}

function renderIndex(tag: string, members: Operation[]): Html {
  const items = members.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
  return html`<h2>${tag}</h2>
    <ul>
      ${items}
    </ul>`;
}

function renderOperation({ method, path, operation }: Operation): Html {
  return html`<section id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <pre class="call"><b>${method}</b> ${path}</pre>
    <p>${renderText(operation.description)}</p>
    ${renderParameters(operation)} ${renderBody(operation)} ${renderAnswers(operation)}
  </section>`;
}

function renderParameters({ parameters = [] }: OpenAPIV3_1.OperationObject): Html {
  if (parameters.length === 0) return html``;
  const rows = (parameters as OpenAPIV3_1.ParameterObject[]).map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${place}${required === true ? ', required' : ''}</td>
        <td>${renderSchema(schema as Schema)}</td>
        <td>${renderText(description)}</td>
      </tr>`,
  );
  return html`<table>
    ${rows}
  </table>`;
}

function renderBody({ requestBody }: OpenAPIV3_1.OperationObject): Html {
  const { content } = (requestBody ?? { content: {} }) as OpenAPIV3_1.RequestBodyObject;
  return joinHtml(
    Object.entries(content).map(
      ([type, { schema }]) =>
        html`<h4>Body <small>${type}</small></h4>
          ${renderSchema(schema as Schema)}`,
    ),
  );
}

function renderAnswers({ responses }: OpenAPIV3_1.OperationObject): Html {
  return joinHtml(
    Object.entries(responses as Record<string, OpenAPIV3_1.ResponseObject>).map(
      ([status, { description, content = {} }]) =>
        html`<details ${Number(status) < 300 ? 'open' : ''}>
          <summary><b>${status}</b> ${description}</summary>
          ${Object.entries(content).map(
            ([type, { schema }]) => html`<small>${type}</small>${renderSchema(schema as Schema)}`,
          )}
        </details>`,
    ),
  );
}

function renderNamed(name: string, schema: Schema): Html {
  return html`<section id="schema-${name}">
    <h3>${name}</h3>
    ${renderSchema(schema)}
  </section>`;
}

/** The little Markdown that descriptions use: code between backticks. */
function renderText(text = ''): Html {
  const parts = text.split('`');
  return joinHtml(parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)));
}
