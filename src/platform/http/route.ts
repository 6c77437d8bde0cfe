import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Knex } from 'knex';
import { z } from 'zod';
import { toRowScope } from '../../domain/row-scope.ts';
import type { Database } from '../database/connect-database.ts';
import type { Query as RunStatement } from '../database/statement.ts';
import type { KeyActor } from '../../domain/actor.ts';
import type { Right } from '../../domain/rights.ts';
import { type ErrorCode, createInvalidInput } from '../../domain/errors.ts';
import type { Access } from './access.ts';
import type { Door } from './door.ts';
import { addLineScope, readBody } from './line-bodies.ts';
import type { Tag } from './openapi/tags.ts';
import { toRouteSchema } from './route-schema.ts';
import { sendAnswer } from './send-answer.ts';
import type { HttpServer, UploadedFile } from './server-type.ts';
import { addFileScope, openUpload, type StreamedUpload } from './streamed-uploads.ts';
import { addUploadScope } from './uploads.ts';
import { checkInput } from '../../domain/check-input.ts';

const nothing = z.strictObject({});

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Answers = Partial<Record<number, z.ZodType>>;

/** One of the answers that a route declares. */
export type Answer<Declared extends Answers> = {
  [Status in keyof Declared]: Declared[Status] extends z.ZodType
    ? { status: Status; data: z.input<Declared[Status]>; headers?: Record<string, string> }
    : never;
}[keyof Declared];

/** An answer with a stream of text: server-sent events, or with `mediaType` something else. */
export interface StreamAnswer {
  status: 200;
  frames: AsyncGenerator<string>;
  mediaType?: string;
  headers?: Record<string, string>;
}

/** An answer with a file: its bytes, and the headers that describe them. */
export interface BytesAnswer {
  status: 200;
  bytes: AsyncGenerator<Uint8Array>;
  headers: Record<string, string>;
}

/** The input of a handler. `Dependencies` are those that its file of routes names. */
export interface RouteContext<Dependencies, Params, Query, Headers, Body> {
  params: Parsed<Params>;
  query: Parsed<Query>;
  headers: Parsed<Headers>;
  body: Parsed<Body>;
  /** The uploaded file; `body` is empty then. Undefined when the request has no file. */
  upload: UploadedFile | undefined;
  /** Opens the file of a route that takes only a file, as it arrives. */
  openUpload: () => Promise<StreamedUpload>;
  actor: KeyActor;
  dependencies: Dependencies;
  log: FastifyRequest['log'];
  /** Adds ids to the log line of this request. */
  logIds: (ids: Record<string, string>) => void;
  /** Runs in one transaction that sees what the caller sees. */
  inWorkspace: <Result>(run: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>;
  /** Runs prepared statements in one round trip; they see what the caller sees. */
  pipelined: <Result>(run: (query: RunStatement) => Promise<Result>) => Promise<Result>;
  /** Reads the body of a route that takes lines, as it arrives. */
  readLines: () => AsyncIterable<Uint8Array>;
  /** Creates a signal that aborts when the client disconnects or the server stops. */
  openSignal: () => AbortSignal;
}

/** The declaration of an endpoint: its callers, its documentation, its checks and its handler. */
export type RouteOptions<Dependencies, Params, Query, Headers, Body, Declared extends Answers> = Access &
  RouteParts<Dependencies, Params, Query, Headers, Body, Declared>;

interface RouteParts<Dependencies, Params, Query, Headers, Body, Declared extends Answers> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operationId: string;
  /**
   * Where callers of the client find it, such as `agents.connectors.attach`; null for one that the client offers in another
   * form. @default by method and path, such as `schedules.pause`
   */
  clientName?: string | null;
  summary: string;
  description?: string;
  tag: Tag;
  params?: Params;
  query?: Query;
  headers?: Headers;
  body?: Body;
  /** The schema of `data` for each success status. */
  answers: Declared;
  /** Error codes besides those that every endpoint has. */
  errors?: ErrorCode[];
  /** Whether status 200 may also be a stream of server-sent events. */
  streams?: boolean;
  /** Whether status 200 is a stream of lines of JSON. */
  sendsLines?: boolean;
  /** The media types of which status 200 is a stream of text. */
  sendsText?: readonly string[];
  /** Whether a file may replace the JSON body, as multipart/form-data. */
  takesFile?: boolean;
  /** Whether the body is a file as multipart/form-data, which the handler reads as it arrives. */
  takesOnlyFile?: boolean;
  /** The largest body that is accepted, in bytes. @default 1 MiB */
  maxBodyBytes?: number;
  /** Whether the body is lines of JSON, as application/x-ndjson. */
  takesLines?: boolean;
  /** Whether status 200 is a file. */
  sendsBytes?: boolean;
  handler: (
    context: RouteContext<Dependencies, Params, Query, Headers, Body>,
  ) => Promise<Answer<Declared> | StreamAnswer | BytesAnswer>;
}

/** The dependencies that every route uses, besides those of its handler. */
export interface RouteBase {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
}

/** The parts of an endpoint that can be read without a server. */
export interface DeclaredRoute {
  method: string;
  path: string;
  operationId: string;
  clientName?: string | null | undefined;
  /** The largest body that is accepted, in bytes. @default 1 MiB */
  maxBodyBytes?: number | undefined;
  /** The schemas of the query and the body. */
  inputs?: { query?: unknown; body?: unknown };
  /** The right that the caller needs; missing for endpoints without an API key. */
  right?: Right | null;
}

/** An endpoint that can be added to a server. `Dependencies` are those that its handler uses. */
export interface Route<Dependencies> extends DeclaredRoute {
  addTo: Door<Dependencies & RouteBase>;
}

/**
 * Returns the function that declares the endpoints of a file. Their handlers get `Dependencies`, which are named in a
 * separate call, since TypeScript infers the types of schemas only in a call that names no type.
 */
export function routesOf<Dependencies = unknown>() {
  return <Params, Query, Headers, Body, const Declared extends Answers>({
    right,
    open,
    ...parts
  }: RouteOptions<Dependencies, Params, Query, Headers, Body, Declared>): Route<Dependencies> => {
    const options = { ...parts, right: right ?? null };
    const { method, path, operationId, clientName } = options;
    const addTo: Route<Dependencies>['addTo'] = (server, dependencies, closing) =>
      addScope(server, options, (scope) => {
        scope.route({
          method,
          url: path,
          exposeHeadRoute: method === 'GET' && !options.streams && !options.sendsLines && !options.sendsText,
          config: { right, open },
          ...(options.maxBodyBytes === undefined ? {} : { bodyLimit: options.maxBodyBytes }),
          schema: toRouteSchema(options),
          handler: async (request, reply) => {
            refuseUndeclared(options, request);
            const context: unknown = toContext({ request, reply, dependencies, closing });
            const answer = await options.handler(
              context as RouteContext<Dependencies, Params, Query, Headers, Body>,
            );
            return sendAnswer(reply, answer as Parameters<typeof sendAnswer>[1]);
          },
        });
      });
    const inputs = { query: options.query, body: options.body };
    const { maxBodyBytes } = options;
    return { method, path, operationId, clientName, right: options.right, maxBodyBytes, inputs, addTo };
  };
}

interface BodyKind {
  takesFile?: boolean;
  takesOnlyFile?: boolean;
  takesLines?: boolean;
}

/** Adds a route to the part of the server that reads bodies of its kind. */
function addScope(server: HttpServer, kind: BodyKind, addRoute: (scope: HttpServer) => void): void {
  if (kind.takesFile) addUploadScope(server, addRoute);
  else if (kind.takesOnlyFile) addFileScope(server, addRoute);
  else if (kind.takesLines) addLineScope(server, addRoute);
  else addRoute(server);
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  dependencies: RouteBase;
  closing: AbortSignal;
}

function toContext({ request, reply, dependencies, closing }: Exchange) {
  const { actor } = request;
  return {
    params: request.params,
    query: request.query,
    headers: request.headers,
    body: request.body,
    upload: request.upload,
    openUpload: () => openUpload(request),
    actor,
    dependencies,
    log: request.log,
    logIds: (ids: Record<string, string>) => {
      request.loggedIds = ids;
    },
    inWorkspace: <Result>(run: (trx: Knex.Transaction) => Promise<Result>) =>
      dependencies.database.inWorkspace(toRowScope(actor), run),
    pipelined: <Result>(run: (query: RunStatement) => Promise<Result>) =>
      dependencies.database.pipelined(toRowScope(actor), run),
    readLines: () => readBody(request.body),
    openSignal: () => openSignal(reply, closing),
  };
}

function openSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (closing.aborted || reply.raw.destroyed) abort();
  closing.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', abort);
    abort();
  });
  return controller.signal;
}

/** The parts of a request that a route may declare. */
interface DeclaredParts {
  right: unknown;
  query?: unknown;
  body?: unknown;
  takesFile?: boolean;
  takesOnlyFile?: boolean;
  takesLines?: boolean;
}

/**
 * Refuses a query or a body that the route does not declare, so that no parameter is dropped silently. Routes without an API key are left
 * out: programs that check the health of a service may add parameters.
 * @throws HoldfastError `INVALID_INPUT`
 */
function refuseUndeclared(route: DeclaredParts, { query, body }: FastifyRequest): void {
  if (route.right === null) return;
  if (!route.query) refuse('query', query);
  if (!route.body && !route.takesFile && !route.takesOnlyFile && !route.takesLines) refuse('body', body);
}

function refuse(whole: string, value: unknown): void {
  const checked = checkInput(nothing, value ?? {}, { whole });
  if (!checked.success) throw createInvalidInput(checked.errors);
}
