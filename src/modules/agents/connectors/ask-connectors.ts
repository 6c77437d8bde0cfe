import pLimit from 'p-limit';
import { askConnection, askedAtOnce } from '../../connections/ask-connection.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Connector } from '../../../domain/connector.ts';
import { whyLeftOut, type LeftOutTool, type ToolDefinition } from '../../../domain/discovered-tool.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../../domain/errors.ts';
import { isTooDeep } from '../../../engines/tools/tool-definition.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';

/** A connector, and its server's definitions of the tools that it names. */
export interface ConnectorOffer {
  connector: Connector;
  definitions: ToolDefinition[];
}

type Asking = Pick<AgentDependencies, 'discovery' | 'logger'>;

/** How long the server of a connector may take to answer, in milliseconds. */
const askMs = 25_000;

/**
 * Asks the servers of connectors for their tools.
 * @throws HoldfastError `INVALID_INPUT` with every tool that a server does not have; `CONNECTION_NOT_ACTIVE` and
 * `TOOL_UNREACHABLE`, with the name of the connector, for a server that does not list its tools
 */
export async function askConnectors(
  dependencies: Asking,
  actor: Pick<Actor, 'workspaceId'>,
  connectors: Connector[],
): Promise<ConnectorOffer[]> {
  const asked = await pLimit(askedAtOnce).map(connectors, (connector) =>
    askConnector(dependencies, actor, connector),
  );
  const errors = asked.flatMap((each) => each.errors);
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
  return asked.map(({ offer }) => offer);
}

async function askConnector(
  dependencies: Asking,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  connector: Connector,
): Promise<{ offer: ConnectorOffer; errors: FieldError[] }> {
  const { connectionId } = connector;
  const asked = await askConnection({ dependencies, workspaceId, connectionId, timeoutMs: askMs });
  if (asked.status === 'silent') throw toConnectorError(connector, asked.error);
  const found = connector.tools.map((tool) => ({ tool, definition: asked.offer.definitions.get(tool) }));
  const { leftOut } = asked.offer;
  const errors = found.flatMap((each) => checkDefinition(connector, { ...each, leftOut }));
  const definitions = found.flatMap(({ definition }) => definition ?? []);
  return { offer: { connector, definitions }, errors };
}

/** Errors of connections keep their message: front ends recognize it. */
function toConnectorError({ name }: Connector, error: HoldfastError): HoldfastError {
  if (error.code.startsWith('CONNECTION_')) return error;
  const message = `The server of the connector "${name}" did not list its tools: ${error.message}`;
  return new HoldfastError(error.code, message, { cause: error });
}

interface WantedTool {
  tool: string;
  definition: ToolDefinition | undefined;
  leftOut: LeftOutTool[];
}

function checkDefinition({ name }: Connector, { tool, definition, leftOut }: WantedTool): FieldError[] {
  const field = `connectors.${name}.tools`;
  if (!definition)
    return [{ field, message: `its server has no tool "${tool}"${whyLeftOut(leftOut, tool)}` }];
  return isTooDeep(definition) ? [{ field, message: `the definition of "${tool}" is nested too deep` }] : [];
}
