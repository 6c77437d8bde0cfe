import type { AgentVersion } from '../domain/agent.ts';
import type { AgentConfiguration, AttachedConnector, Connector } from '../domain/connector.ts';
import type { JsonObject } from '../domain/json.ts';

type Configured = Omit<AgentVersion, 'id'>;

/**
 * What an agent version tells its agent to work with; secrets masked. `connectors` are those that there are still, by
 * the id of their connection: their auth is shown, that of others is gone with them.
 */
export function toConfiguration(
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
function toConfig({ model, instructions, limits, execution, rules }: Configured): JsonObject {
  // A canary token is planted in the instructions, and it is a secret of the operator.
  const shown = rules.canaryTokens.reduce((text, token) => text.replaceAll(token, mask(token)), instructions);
  return {
    model,
    instructions: shown,
    limits: { ...limits } as JsonObject,
    execution,
    on_blocked: rules.onBlocked,
  };
}

function mask(secret: string): string {
  return `…${secret.slice(-4)}`;
}
