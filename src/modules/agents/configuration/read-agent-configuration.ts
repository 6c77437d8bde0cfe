import type { Knex } from 'knex';
import { createAgentRepository } from '../agent-repository.ts';
import { createConnectorRepository } from '../../connections/connectors/connector-repository.ts';
import type { AgentVersion } from '../../../domain/agent.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { AgentConfiguration, AttachedConnector, Connector } from '../../../domain/connector.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { maySeeConnections, toShownAgent } from '../connectors/shown-connectors.ts';

interface ConfigurationRequest {
  agentId: string;
  /** @default the newest version */
  version?: number | undefined;
}

/**
 * Reads the configuration that a version of an agent works with. Auth and canary tokens are masked; without
 * `connections:read` the endpoints are null and auth is empty.
 * @throws HoldfastError `NOT_FOUND`
 */
export function readAgentConfiguration(
  { database }: Pick<AgentDependencies, 'database'>,
  caller: Reader,
  { agentId, version }: ConfigurationRequest,
): Promise<AgentConfiguration> {
  return database.inWorkspace(caller.workspaceId, async (trx) => {
    const agents = createAgentRepository(trx);
    const number = version ?? (await agents.getAgent(agentId)).version;
    return readConfiguration(trx, caller, await agents.getVersion(agentId, number));
  });
}

type Configured = Omit<AgentVersion, 'id' | 'madeBy'>;
type Reader = Pick<Actor, 'workspaceId' | 'scopes'>;

/** Reads the auth of a version's connectors and returns the configuration of the version, with secrets masked. */
export async function readConfiguration(
  trx: Knex,
  caller: Reader,
  version: Configured,
): Promise<AgentConfiguration> {
  if (!maySeeConnections(caller)) return toAgentConfiguration(toShownAgent(caller, version), new Map());
  const ids = version.connectors.map(({ connectionId }) => connectionId);
  return toAgentConfiguration(version, await createConnectorRepository(trx).listByConnection(ids));
}

/** `connectors` are those that still exist, by the id of their connection; the auth of a deleted one is `{}`. */
function toAgentConfiguration(
  version: Configured,
  connectors: ReadonlyMap<string, Pick<Connector, 'auth'>>,
): AgentConfiguration {
  const { rules } = version;
  return {
    agentId: version.agentId,
    version: version.version,
    config: toConfig(version),
    tool_allowlist: rules.toolAllowlist ?? null,
    tool_policies: rules.toolPolicies as Record<string, JsonObject>,
    canary_tokens: rules.canaryTokens.map(mask),
    connectors: version.connectors.map((connector) => ({
      ...toShown(connector),
      auth: connectors.get(connector.connectionId)?.auth ?? {},
    })),
  };
}

function toShown({ name, type, endpoint, tools }: AttachedConnector) {
  return { name, type, endpoint, tools };
}

/** The part of an agent version that `config` of a provisioning can set. */
function toConfig({ model, instructions, limits, execution, rules, skills }: Configured): JsonObject {
  // The instructions may contain the canary tokens, which are secrets of the operator.
  const shown = rules.canaryTokens.reduce((text, token) => text.replaceAll(token, mask(token)), instructions);
  return {
    model,
    instructions: shown,
    limits: { ...limits } as JsonObject,
    execution,
    on_blocked: rules.onBlocked,
    skills: skills.map(({ skillId, version }) => ({ skillId, version })),
  };
}

function mask(secret: string): string {
  return `…${secret.slice(-4)}`;
}
