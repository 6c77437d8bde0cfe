import type { AskedConnection } from '../../connections/ask-connection.ts';
import { whyLeftOut, type ToolDefinition } from '../../../domain/discovered-tool.ts';
import type { FieldError } from '../../../domain/errors.ts';
import type { ToolInput, ToolInputOf } from '../../../domain/tool.ts';
import { remoteNameOf } from '../../../engines/tools/mcp/mcp-target.ts';
import { isTooDeep } from '../../../engines/tools/tool-definition.ts';
import { withApprovalHint, withHints } from './tool-from-definition.ts';

/** A tool that was looked up among the tools of its connection. */
interface MatchedTool {
  /** With the settings that its definition hints at. */
  tool: ToolInput;
  errors: FieldError[];
  /** Null for a tool of the provider catalogue, and when the connection was not asked or did not answer. */
  definition: ToolDefinition | null;
}

/** Finds a tool among the tools that its connection offers; the fields of the errors are relative to the tool. */
export function matchOffer(tool: ToolInputOf<'mcp'>, asked: AskedConnection | undefined): MatchedTool {
  if (asked?.status !== 'answered') return { tool, errors: [], definition: null };
  const { offer } = asked;
  const wanted = remoteNameOf(tool);
  const field = tool.config.tool === undefined ? 'name' : 'config.tool';
  const refuse = (message: string) => ({ tool, errors: [{ field, message }], definition: null });
  const found = offer.tools.find(({ name, executeRef }) => name === wanted || executeRef === wanted);
  if (!found) {
    const why = whyLeftOut(offer.leftOut, wanted);
    return refuse(`The connection ${offer.connectionName} has no tool "${wanted}"${why}.`);
  }
  const definition = offer.definitions.get(found.name) ?? null;
  if (!definition) return { tool: withApprovalHint(tool, found), errors: [], definition };
  if (isTooDeep(definition)) return refuse('The definition of this tool is nested too deep to be stored.');
  return { tool: withHints(tool, definition), errors: [], definition };
}
