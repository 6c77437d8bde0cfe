import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../../domain/json.ts';
import type { ServerQuestion } from '../../domain/question.ts';
import type { Tool } from '../../domain/tool.ts';

/** Returns SHA-256 in hex over what would run: the arguments and the tool, in canonical JSON (RFC 8785). */
export function toApprovalHash(call: { tool: Tool; arguments: JsonObject }): string {
  return hash({ tool: call.tool, arguments: call.arguments });
}

/** A tool as a person approves it, and the definition of its server. */
interface ApprovedTool {
  tool: Tool;
  /** `server:tool` of a call through a gateway. */
  target: string | null;
  /** The hash of the definition that the tool is pinned to; null for a tool without a pin. */
  definitionHash: string | null;
}

/**
 * Returns SHA-256 in hex over a tool for which an approval is remembered: a tool that changes does not inherit it. The
 * same tool of two agents has the same hash; the settings of an agent for it do not count.
 */
export function toToolHash({ tool, target, definitionHash }: ApprovedTool): string {
  const { type, name, description, schema, config } = tool;
  return hash({ type, name, description, schema, config, target, definitionHash });
}

/** Returns SHA-256 in hex over the question of a server, by which a repeated question is recognized. */
export function toQuestionHash({
  message,
  schema,
  url,
}: Pick<ServerQuestion, 'message' | 'schema' | 'url'>): string {
  return hash({ message, schema, url });
}

function hash(value: object): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}
