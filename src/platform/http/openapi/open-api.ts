import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import { hidden } from '../access.ts';
import type { HttpServer } from '../server-type.ts';
import { sessionCookie } from '../session-cookie.ts';
import { addReferencePage } from './reference-page.ts';
import { tags } from './tags.ts';
import { tidyDocument } from './tidy-document.ts';

const info = {
  title: 'Holdfast',
  version: '1',
  description:
    'A durable backend for AI agents. Send `Authorization: Bearer <API key>` with every request. Answers are ' +
    '`{ "success": true, "data": … }`, errors `{ "success": false, "error": { "code", "message", "details" } }`.',
  contact: { name: 'The Holdfast authors' },
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, a user token, or an access token of an identity provider of the operator.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The session of a page of Holdfast, which `POST /api/session` begins.',
  },
} as const;

/** Adds the OpenAPI document and the reference page of all routes that are added afterwards. */
export async function addOpenApi(server: HttpServer): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'The server that serves this document' }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: { securitySchemes },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      tidyDocument(
        jsonSchemaTransformObject(document) as OpenAPIV3_1.Document,
      ) as Partial<OpenAPIV3_1.Document>,
  });
  server.get('/api/openapi.json', hidden({ open: 'It is the same for everybody.' }), () => server.swagger());
  addReferencePage(server);
}
