import { createHash } from 'node:crypto';
import type { AgentVersion } from '../../src/domain/agent.ts';
import { mapTexts, stripInvisible } from '../../src/domain/invisible-text.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ModelCall, ModelTool } from '../../src/domain/model.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { CallModelInput } from '../../workflows/contract/turn-steps.ts';
import { isAllowed, isGatewayAllowed } from '../../src/rules/allowlist.ts';
import { plantCanaries } from '../../src/rules/canary-instructions.ts';
import { isGateway } from '../../src/tools/mcp/mcp-target.ts';
import { listedNames } from '../../src/tools/to-ruled-call.ts';
import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';

const withheldNote =
  'You have used all rounds of tool calls of this turn, or all its tokens. Answer now, without tools, from what you ' +
  'have found so far, and say what is still open.';

interface ModelCallOptions extends Pick<ModelCall, 'messages' | 'signal' | 'onTextDelta' | 'onProgress'> {
  input: CallModelInput;
  step: Pick<TurnStep, 'quarantined'>;
  version: AgentVersion;
}

/** Builds the request to a model for one iteration of a turn. */
export function toModelCall({ input, step, version, ...call }: ModelCallOptions): ModelCall {
  const withheld = input.tools === 'withheld';
  const tools = version.tools.filter((tool) => isOffered(tool, version, step));
  const instructions = plantCanaries(version.instructions, version.rules.canaryTokens);
  return {
    model: version.model,
    ...toConnection(input, version),
    instructions: withheld ? `${instructions}\n\n${withheldNote}` : instructions,
    tools: tools.map(toModelTool),
    toolChoice: withheld ? 'none' : 'auto',
    idempotencyKey: createHash('sha256').update(`${input.turnId}\n${input.iteration}`).digest('hex'),
    ...call,
  };
}

/** Leaves out invisible characters of definitions that a server wrote: a person who accepted one did not see them. */
export function toModelTool({ type, name, description, schema }: Tool): ModelTool {
  if (type !== 'mcp') return { name, description, schema };
  return {
    name,
    description: stripInvisible(description),
    schema: mapTexts(schema, stripInvisible) as JsonObject,
  };
}

/** Leaves out the tools that the agent's rules would block with any arguments. */
function isOffered(
  tool: Tool,
  version: AgentVersion,
  { quarantined }: Pick<TurnStep, 'quarantined'>,
): boolean {
  if (tool.settings?.enabled === false || quarantined.includes(tool.id)) return false;
  const { rules } = version;
  return isGateway(tool) ? isGatewayAllowed(rules, tool.name) : isAllowed(rules, listedNames(tool, version));
}

function toConnection({ workspaceId }: CallModelInput, version: AgentVersion): Pick<ModelCall, 'connection'> {
  const connectionId = version.modelConnectionId;
  return connectionId === null ? {} : { connection: { workspaceId, connectionId } };
}
