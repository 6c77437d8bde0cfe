import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../domain/json.ts';
import type { Tool } from '../domain/tool.ts';

/** Returns SHA-256 in hex over what would run: the arguments and the tool, in canonical JSON (RFC 8785). */
export function toApprovalHash(call: { tool: Tool; arguments: JsonObject }): string {
  return createHash('sha256')
    .update(canonicalize({ tool: call.tool, arguments: call.arguments }) ?? '')
    .digest('hex');
}
