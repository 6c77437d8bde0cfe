import type { HttpMethod } from '../../../src/engines/providers/define-operation.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';

/** The id of the stored file that cases send. */
export const caseFileId = '01982f5e-7a60-7c3e-8d2b-3f1a5b6c7d8e';

/** The file itself. */
export const caseFile = { name: 'tea.txt', mediaType: 'text/plain', bytes: Buffer.from('Tea at four') };

/** An input of an operation, and the literal request that it makes. */
export interface RequestCase {
  input: JsonObject;
  method: HttpMethod;
  /** The path with the query, relative to the base URL. */
  target: string;
  /** The literal text of the body. @default '' */
  body?: string;
  /** Texts of the body in their order, instead of `body`: for multipart. */
  bodyHas?: string[];
  /** The headers of this request beside those of all. */
  headers?: Record<string, string>;
  /** @default that of the provider */
  contentType?: string;
  /** Whether the call can delete something, so that its tool asks before it runs. @default false */
  destructive?: true;
  /** The vendor's answer, for an operation that needs a certain one, such as the end of a job. @default `{ ok: true }` */
  answer?: JsonValue;
}

/** The cases of one provider, by the name of the operation. */
export interface ProviderRequests {
  /** The headers of every request beside its credentials. */
  headers: Record<string, string>;
  /** @default 'application/json' */
  contentType?: string;
  cases: Record<string, RequestCase>;
}
