import type { FastifyInstance } from 'fastify';
import type { Principal, Scope } from '../domain/api-key.ts';

/** The fastify server that all parts of the HTTP API work on. */
export type HttpServer = FastifyInstance;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request; set before any handler of a route that needs a scope. */
    principal: Principal;
    /** Ids that the line about this request should have besides those of its address. */
    loggedIds?: Record<string, string>;
  }
  interface FastifyContextConfig {
    /** What a key must be allowed to do; null or missing for routes that need no key. */
    scope?: Scope | null;
  }
}
