import type { z } from 'zod';
import type { rateLimitSchema } from '../../domain/connection.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { NeededScope } from '../../domain/scopes.ts';
import type { StoredFile } from '../../domain/tool.ts';
import type { ParameterStyle } from '../../platform/lib/parameter-pairs.ts';
import type { CheckedOf, FieldOf, OperationInput } from './operation-input.ts';

/** The method of an operation. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A method and a path beneath the base URL. `{name}` is filled in from the input as one segment of the path,
 * `{+name}` as several with the slashes between them.
 */
export type RequestTemplate = `${HttpMethod} /${string}`;

/**
 * How a body is sent: `json`; `form` (lists and objects as JSON text); `repeated_form` (`a=1&a=2`); `nested_form`
 * (`items[0][price]=…`, also in the query); `multipart`; `related` (the fields as JSON, and then the one file of the
 * input); `raw` (the one file or text of the input is the whole body).
 */
export type BodyFormat = 'json' | 'form' | 'repeated_form' | 'nested_form' | 'multipart' | 'related' | 'raw';

/** A value of a query parameter; each value of a list gets its own `name=value`. */
export type QueryValue = JsonValue | undefined;

/** A value of a body. A stored file is a part of a multipart body, the whole of a raw one, and base64 in JSON. */
export type BodyValue = JsonValue | StoredFile | readonly StoredFile[] | undefined;

/** The parts of a request, relative to the base URL of a connection. */
export interface RequestParts {
  method: HttpMethod;
  /** Begins with a slash; use `fillPath` to encode values of the input. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent in the `bodyFormat` of the operation or the provider. */
  body?: Readonly<Record<string, BodyValue>>;
  /** The field of `body` whose value is the whole body. */
  bodyField?: string | undefined;
  /** How values of the query are written, by name. @default as lists of the provider */
  styles?: Readonly<Partial<Record<string, ParameterStyle>>> | undefined;
  headers?: Readonly<Record<string, string>>;
}

/** One result of a web search. */
export interface WebSearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** A path into an answer: names and indexes with dots between, such as `data.issues.nodes` or `data.-1.id`; `''` is the whole. */
export type AnswerPath = string;

interface PagingParts {
  /** The list of items in an answer. */
  items: AnswerPath;
  /** The field that asks for a number of items, and the most and the least that the vendor allows. */
  size?: { field: string; max: number; min?: number };
  /** A value of an answer that is `false` on the last page. */
  more?: AnswerPath;
  /** A value of an answer that is `true` on the last page. */
  last?: AnswerPath;
  /** How many items there are altogether, where an answer says it; shown to the model. */
  total?: AnswerPath;
}

/**
 * How the pages of a list are asked for. The seam adds the inputs `max_items` and `continue_from` to the operation,
 * fills in the vendor's fields, and follows pages up to a cap; the record's `input` need not have these fields. A field
 * with a dot, such as `pagination.starting_after`, is one of an object.
 */
export type Paging = PagingParts &
  /**
   * `then` is the request of all pages but the first, where that is another one; it has the cursor and no other input.
   * Of an address at `next`, its `{field}` gets the last segment.
   */
  (
    | { style: 'cursor'; field: string; next: AnswerPath; then?: RequestTemplate }
    | { style: 'page'; field: string; first?: number }
    | { style: 'offset'; field: string }
    /** The next address is in the `Link` header, or in the answer at `next`. Only its query is used. */
    | { style: 'link'; next?: AnswerPath }
  );

/** A job that an operation starts, and whose end is asked for until it comes or the time of the call is over. */
export interface Poll {
  /** The status request; `{name}` is filled in from `from`, else from the input. */
  request: `GET /${string}`;
  /** Where the names of `request` are in the first answer. */
  from?: Readonly<Record<string, AnswerPath>>;
  /** The path of the state, and its values at the end. Missing in an answer: the job is not finished. */
  state: AnswerPath;
  done: readonly JsonValue[];
  failed?: readonly JsonValue[];
  /** @default 2 000 */
  everyMs?: number;
  /** The operation of the same provider that asks for the state later; the answer names it. */
  later: string;
}

/** The fields of an operation but its effect. */
interface OperationParts<Input extends OperationInput> {
  /** Written for a model: when to use it, what it returns, what it does not do. */
  description: string;
  /** The schema of the arguments: a strict object of zod, or a JSON Schema as `createJsonSchemaInput` makes it. */
  input: Input;
  /** A template, or a function when neither the convention nor the fields below fit; it gets no fields of headers. */
  request: RequestTemplate | RequestBuilder<Input>;
  /**
   * Whether a call can delete something. A tool that is added for the operation then gets `approval: 'ask'`.
   * @default true for a `DELETE` template, otherwise false
   */
  destructive?: boolean;
  /** The scopes that a call needs; without one of them nothing is sent. */
  scopes?: readonly NeededScope[];
  /** The fields, also of `fixed`, that go into the query; all others go into the body, for every method. */
  query?: readonly string[];
  /** How fields of the query are written, by the `style` and `explode` of OpenAPI. @default as lists of the provider */
  styles?: Readonly<Partial<Record<FieldOf<Input>, ParameterStyle>>>;
  /** The field whose value is the whole body. */
  bodyField?: FieldOf<Input>;
  /** Whether a body is sent also when the input has no field of it. @default true for POST, PUT and PATCH without `query` */
  needsBody?: boolean;
  /** The vendor's names of fields, where a tool cannot have them: `{ filter: '$filter' }`. */
  rename?: Readonly<Partial<Record<FieldOf<Input>, string>>>;
  /** Fields that every request has, placed as those of the input. */
  fixed?: Readonly<JsonObject>;
  /** The one field of the body that holds all others, such as `data`. */
  wrap?: string;
  /** The fields whose values are ids of stored files; use `fileId` for their schemas. */
  files?: readonly FieldOf<Input>[];
  /** A document of GraphQL; the input becomes its variables. `request` is the endpoint. */
  graphql?: string;
  /** @default that of the provider */
  bodyFormat?: BodyFormat;
  /** The media type of the body, where it is another than that of the format. */
  mediaType?: string;
  /** Another address of the vendor, without a slash at the end. @default that of the provider */
  baseUrl?: `https://${string}`;
  /** More headers. `{name}` is filled in from the input, and a header whose name the input lacks is not sent. */
  headers?: Readonly<Record<string, string>>;
  /** The vendor's rate limit of this operation, counted apart from the others. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  paging?: Paging;
  poll?: Poll;
  /** `file`: the answer is stored, and the result has its id. @default 'json' */
  answer?: 'json' | 'file';
  /** The part of the answer that is the result. @default the whole */
  result?: AnswerPath;
  /** The fields of the result, or of each item of a list, that the model gets; paths go through lists. @default all */
  keep?: readonly AnswerPath[];
  /** Maps the vendor's answer to a form that is easier for a model. */
  mapAnswer?: (answer: JsonValue) => JsonValue;
  /**
   * The purpose that Holdfast itself uses the operation for. One with `role: 'web_search'` takes the input
   * `{ query: string, count?: number }` and has `toResults`; `ExecutionRouter.searchWeb` runs it.
   */
  role?: 'web_search';
  /** Maps the vendor's answer to results; for `role: 'web_search'`. */
  toResults?: (answer: JsonValue) => WebSearchResult[];
}

/** The effect of a call. `keyed` means that the vendor takes an idempotency key, in a header or in a field. */
type EffectRule =
  | { effect: 'read_only' | 'idempotent' | 'unsafe'; idempotencyHeader?: never; idempotencyField?: never }
  | { effect: 'keyed'; idempotencyHeader: string; idempotencyField?: never }
  | { effect: 'keyed'; idempotencyField: string; idempotencyHeader?: never };

/**
 * One operation of a provider's API. By convention the input goes into the path first; the rest goes into the query
 * for GET and DELETE, and into the body for other methods.
 */
export type Operation<Input extends OperationInput = OperationInput> = OperationParts<Input> & EffectRule;

/** Declared as a method, so that operations of all inputs fit into one record. */
type RequestBuilder<Input extends OperationInput> = {
  build(input: CheckedOf<Input>): RequestParts;
}['build'];
