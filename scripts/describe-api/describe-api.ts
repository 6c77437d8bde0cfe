import type { OpenAPIV3_1 } from 'openapi-types';
import pino from 'pino';
import { createRestDoor } from '../../src/main/rest-routes.ts';
import { createServer } from '../../src/platform/http/server.ts';
import type { Module } from '../../src/platform/module/define-module.ts';

/** Returns the OpenAPI document of a server with the routes of these modules. No request is made, so it has no services. */
export async function describeApi(modules: readonly Module[]): Promise<OpenAPIV3_1.Document> {
  const server = await createServer({ logger: pino({ level: 'silent' }) } as never, [
    createRestDoor(modules),
  ]);
  await server.ready();
  const document = server.swagger() as OpenAPIV3_1.Document;
  await server.close();
  return document;
}
