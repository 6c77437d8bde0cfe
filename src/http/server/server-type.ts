import type { FastifyInstance } from 'fastify';
import type { Principal, Scope } from '../../domain/api-key.ts';

/** The fastify server that all parts of the HTTP API work on. */
export type HttpServer = FastifyInstance;

/** A file that was sent as `multipart/form-data` in the field `file`. */
export interface UploadedFile {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request; set before any handler of a route that needs a scope. */
    principal: Principal;
    /** The file that was sent in place of a body, on routes that take one. */
    upload?: UploadedFile;
    /** Ids that the line about this request should have besides those of its address. */
    loggedIds?: Record<string, string>;
  }
  interface FastifyContextConfig {
    /** What a key must be allowed to do; null or missing for routes that need no key. */
    scope?: Scope | null;
  }
}
