import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonValue } from '../../src/domain/json.ts';
import { startHttpServer, type HttpServer } from './http-server.ts';

/** The address of the server in the examples of routines. */
export const petAddress = 'https://pets.example.test';

/** A request that the server got. */
export interface PetRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const openApi = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: '/{stage}', variables: { stage: { default: api } } }]
components:
  parameters:
    status: { name: status, in: query, required: true, schema: { type: array, items: { type: string } } }
paths:
  /pets/findByStatus:
    parameters: [{ $ref: '#/components/parameters/status' }]
    get: { operationId: findPetsByStatus, responses: {} }
  /whoami:
    get: { operationId: whoAmI, responses: {} }
`;

const swagger = {
  swagger: '2.0',
  basePath: '/api',
  schemes: ['http', 'https'],
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        consumes: ['application/json'],
        parameters: [{ name: 'body', in: 'body', required: true, schema: { type: 'object' } }],
      },
    },
  },
};

/** A server of pets with two descriptions of its API. It repeats to `/echo` and `/whoami` what they got. */
export async function startPetServer(): Promise<HttpServer & { requests: PetRequest[] }> {
  const requests: PetRequest[] = [];
  let busy = 2;
  const server = await startHttpServer((request, response, body) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body });
    const { pathname, searchParams } = new URL(url, 'http://pets');
    const path = pathname.replace(/^\/api/, '');
    if (path === '/openapi.yaml') response.setHeader('content-type', 'application/yaml').end(openApi);
    else if (path === '/swagger.json') answer(response, 200, swagger);
    else if (path === '/whoami') answer(response, 200, headers.authorization ?? null);
    else if (path === '/echo') answer(response, 200, { url, headers: Object.values(headers).flat(), body });
    else if (path === '/busy-twice') answer(response, busy-- > 0 ? 503 : 200, { calm: busy < 0 });
    else if (path === '/pets/findByStatus') {
      const found = searchParams.getAll('status').map((status, id) => ({ id, name: 'Rex', status }));
      answer(response, 200, found);
    } else answerPet(response, { method, path, body });
  });
  return { ...server, requests };
}

function answerPet(
  response: ServerResponse,
  { method, path, body }: { method: string; path: string; body: string },
): void {
  const id = Number(path.split('/')[2] ?? 7);
  if (Number.isNaN(id)) {
    answer(response, 404, { error: 'no such pet' });
    return;
  }
  const given = body === '' ? {} : (JSON.parse(body) as object);
  answer(response, method === 'POST' ? 201 : 200, { id, name: 'Rex', ...given });
}

function answer(response: ServerResponse, status: number, value: JsonValue | object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
