import { createConnection } from '../../src/modules/connections/create-connection.ts';
import type { Agent } from '../../src/domain/agent.ts';
import { connectionInputSchema, type Connection } from '../../src/domain/connection.ts';
import type { AgentConfiguration, Connector } from '../../src/domain/connector.ts';
import type { InnerTool, ToolState } from '../../src/domain/discovered-tool.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { Dependencies } from '../../src/main/api-dependencies.ts';
import type { ToolRecommendation } from '../../src/modules/agents/tools/rank-tool-offers.ts';
import { plainAgent, startApi, type ApiAnswer } from './api-lab.ts';
import { chainAudit } from './chain-audit.ts';

/** The `data` of answers about agents' tools; each answer has some of these fields. */
export interface ToolData {
  tool: Tool;
  agent: Agent;
  state: ToolState;
  inner?: InnerTool[];
  tools: { tool: Tool; state: ToolState }[];
  connector: Connector;
  connectors: Connector[];
  configuration: AgentConfiguration;
  recommendations: ToolRecommendation[];
  skipped: { connectionId: string; connectionName: string; reason: string }[];
}

type ToolAnswer = Omit<ApiAnswer, 'data'> & { data: ToolData };

/** The connection that a test requests; its provider is `mcp` unless the test names another. */
export interface ConnectionRequest {
  name: string;
  provider?: string;
  endpoint?: string;
  auth?: object;
}

/** The columns of an audit event that tests read. */
export interface AuditRow {
  subject_id: string;
  payload: Record<string, unknown>;
}

/** Starts the API with real connections, the real catalogue of providers, and MCP servers on loopback. */
export async function startToolApi(overrides: Partial<Dependencies> = {}) {
  const api = await startApi(overrides);
  return {
    ...api,
    call: async (method: string, path: string, options: Parameters<typeof api.call>[2] = {}) =>
      (await api.call(method, path, options)) as unknown as ToolAnswer,
    connect: (request: ConnectionRequest, workspaceId = api.workspaceId): Promise<Connection> => {
      const input = connectionInputSchema.parse({ provider: 'mcp', ...request });
      return createConnection(api.services, { workspaceId, apiKeyId: workspaceId }, input);
    },
    createAgent: async (change: object = {}): Promise<Agent> => {
      const { data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, ...change } });
      return data.agent;
    },
    listAudited: async (type: string): Promise<AuditRow[]> => {
      await chainAudit(api.database.system);
      return api.database.inWorkspace(api.workspaceId, (trx) =>
        trx('audit_events').where({ type }).orderBy('seq').select<AuditRow[]>('subject_id', 'payload'),
      );
    },
  };
}

export type ToolApi = Awaited<ReturnType<typeof startToolApi>>;
