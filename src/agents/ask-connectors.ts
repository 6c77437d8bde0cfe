import type { Connector } from '../domain/connector.ts';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../domain/errors.ts';
import { isTooDeep } from '../tools/tool-definition.ts';
import { askConnection, mapAFewAtATime } from '../connections/ask-connection.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';

/** A connector, and what its server says of the tools that it names. */
export interface ConnectorOffer {
  connector: Connector;
  definitions: ToolDefinition[];
}

interface Question {
  dependencies: Pick<Dependencies, 'discovery' | 'logger'>;
  workspaceId: string;
  connectors: Connector[];
}

/** A server that answers at all answers within this time; in milliseconds. */
const askMs = 25_000;

/**
 * Asks the servers of connectors for their tools.
 * @throws HoldfastError `INVALID_INPUT` with every tool that a server does not have; `CONNECTION_NOT_ACTIVE` and
 * `TOOL_UNREACHABLE`, with the name of the connector, for a server that cannot be asked
 */
export async function askConnectors(question: Question): Promise<ConnectorOffer[]> {
  const asked = await mapAFewAtATime(question.connectors, (connector) => askConnector(question, connector));
  const errors = asked.flatMap((each) => each.errors);
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
  return asked.map(({ offer }) => offer);
}

async function askConnector(
  { dependencies, workspaceId }: Question,
  connector: Connector,
): Promise<{ offer: ConnectorOffer; errors: FieldError[] }> {
  const { connectionId } = connector;
  const asked = await askConnection({ dependencies, workspaceId, connectionId, timeoutMs: askMs });
  if (asked.status === 'silent') throw toConnectorError(connector, asked.error);
  const found = connector.tools.map((tool) => ({ tool, definition: asked.offer.definitions.get(tool) }));
  const errors = found.flatMap(({ tool, definition }) => checkDefinition(connector, tool, definition));
  const definitions = found.flatMap(({ definition }) => definition ?? []);
  return { offer: { connector, definitions }, errors };
}

/** Front ends know the sentence about connections that are not active, so it stays as it is. */
function toConnectorError({ name }: Connector, error: HoldfastError): HoldfastError {
  if (error.code.startsWith('CONNECTION_')) return error;
  const message = `The connector "${name}" could not be asked for its tools: ${error.message}`;
  return new HoldfastError(error.code, message, { cause: error });
}

function checkDefinition(
  { name }: Connector,
  tool: string,
  definition: ToolDefinition | undefined,
): FieldError[] {
  const field = `connectors.${name}.tools`;
  if (!definition) return [{ field, message: `its server has no tool "${tool}"` }];
  return isTooDeep(definition) ? [{ field, message: `the definition of "${tool}" is nested too deep` }] : [];
}
