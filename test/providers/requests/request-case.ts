import type { HttpMethod } from '../../../src/providers/define-provider.ts';
import type { JsonObject } from '../../../src/domain/json.ts';

/** An input of an operation, and the literal request that it makes. */
export interface RequestCase {
  input: JsonObject;
  method: HttpMethod;
  /** The path with the query, relative to the base URL. */
  target: string;
  /** The literal text of the body. @default '' */
  body?: string;
}

/** The cases of one provider, by the name of the operation. */
export interface ProviderRequests {
  /** The headers of every request beside its credentials. */
  headers: Record<string, string>;
  contentType?: string;
  cases: Record<string, RequestCase>;
}
