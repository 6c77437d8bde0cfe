import type { FastifyInstance } from 'fastify';
import type { KeyActor } from '../../domain/actor.ts';
import type { Right } from '../../domain/rights.ts';

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
    /** The caller; set before the handler of a route that needs a right. */
    actor: KeyActor;
    /** The uploaded file, on routes that accept one in place of a body. */
    upload?: UploadedFile;
    /** Ids for the log line of this request, besides those in its address. */
    loggedIds?: Record<string, string>;
  }
  interface FastifyContextConfig {
    /** The right that the caller needs. */
    right?: Right | undefined;
    /** The reason why an endpoint needs no API key. Each endpoint has this or a right. */
    open?: string | undefined;
  }
}
