import cors from '@fastify/cors';
import type { HttpServer } from './server-type.ts';

/** How long browsers may cache the answer to a preflight request, in seconds. */
const preflightSeconds = 600;

/**
 * Allows pages of exactly these origins to use the API (CORS). They send their token in a header, so no cookies are taken.
 * Browsers withhold the answers from pages of other origins.
 */
export async function allowPages(server: HttpServer, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await server.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
    exposedHeaders: ['location', 'retry-after', 'x-request-id'],
    maxAge: preflightSeconds,
  });
}
