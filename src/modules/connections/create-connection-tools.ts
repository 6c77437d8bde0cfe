import type { ConnectionAccess, OpenConnection, ConnectionRequest } from '../../domain/connection.ts';
import type {
  ConnectionTest,
  ConnectionTools,
  DiscoveredTool,
  LeftOutTool,
  ToolDefinition,
  ToolDiscovery,
} from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { listInvisible } from '../../domain/invisible-text.ts';
import type { McpClientManager } from '../../engines/mcp/mcp-client-manager.ts';
import type { ExecutionRouter } from '../../engines/providers/execution-router.ts';
import type { FindProviderEntry } from '../../engines/providers/provider-entry.ts';
import type { Verdict } from '../../engines/providers/verify-connection.ts';

interface ConnectionToolsOptions {
  access: ConnectionAccess;
  findEntry: FindProviderEntry;
  router: Pick<ExecutionRouter, 'verifyConnection'>;
  mcp: Pick<McpClientManager, 'listTools'>;
  vendors: ModelVendors;
}

/** A key of a model vendor that is tested. */
interface VendorKey {
  vendor: string;
  /** Empty when the connection has no key. */
  apiKey: string;
  /** The address of the vendor's API; null for the public one. */
  baseUrl: string | null;
  timeoutMs: number;
}

/** The functions of model vendors that connections use. */
interface ModelVendors {
  isVendor: (name: string) => boolean;
  testKey: (key: VendorKey) => Promise<Verdict>;
}

/** How long a test waits for the server, in milliseconds. */
const testTimeoutMs = 15_000;

const noDefinitions: ReadonlyMap<string, ToolDefinition> = new Map();

/** Builds the listing of tools: operations of the provider catalogue, or the tools that an MCP server lists. */
export function createConnectionTools(options: ConnectionToolsOptions): ToolDiscovery {
  const { access } = options;
  return {
    listConnectionTools: async (request) => {
      const open = await access.open(request);
      const { id, name, provider } = open.connection;
      return { connectionId: id, connectionName: name, provider, ...(await findTools(options, open)) };
    },
    testConnection: async (request) => {
      const open = await access.open(request);
      const startedAt = performance.now();
      const verdict = await testOpen(options, open, request);
      return { ...verdict, durationMs: Math.round(performance.now() - startedAt) } satisfies ConnectionTest;
    },
  };
}

async function findTools(
  { findEntry, mcp }: ConnectionToolsOptions,
  open: OpenConnection,
): Promise<Pick<ConnectionTools, 'tools' | 'definitions' | 'leftOut'>> {
  const { workspaceId, connection } = open;
  const { provider: name } = connection;
  if (name !== 'mcp') {
    const entry = await findEntry({ workspaceId, name });
    return { tools: [...(entry?.tools ?? [])], definitions: noDefinitions, leftOut: [] };
  }
  const leftOut: LeftOutTool[] = [];
  const listed = await mcp.listTools(open, { onLeftOut: (found) => leftOut.push(...found) });
  const definitions = new Map(listed.map((tool) => [tool.name, tool]));
  return { tools: listed.map(toTool), definitions, leftOut };
}

function toTool({ name, description, inputSchema }: ToolDefinition): DiscoveredTool {
  const hiddenCharacters = listInvisible({ name, description, inputSchema });
  const hidden = hiddenCharacters.length === 0 ? {} : { hiddenCharacters };
  return { name, description, inputSchema, executeRef: name, ...hidden };
}

/** How many tools that cannot be used a test names. */
const mostNamed = 5;

function describeLeftOut(leftOut: LeftOutTool[]): string[] {
  const [first] = leftOut;
  if (!first) return [];
  const named = leftOut.slice(0, mostNamed).map(({ name, reason }) => `${name} (${reason})`);
  const more = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : '';
  return [`Left out, since their definitions cannot be used: ${named.join('; ')}${more}.`];
}

async function testOpen(
  { access, findEntry, router, mcp, vendors }: ConnectionToolsOptions,
  open: OpenConnection,
  request: ConnectionRequest,
): Promise<Verdict> {
  const { provider } = open.connection;
  try {
    if (provider === 'mcp') {
      const leftOut: LeftOutTool[] = [];
      const limits = { timeoutMs: testTimeoutMs };
      const { length } = await mcp.listTools(open, { ...limits, onLeftOut: (all) => leftOut.push(...all) });
      const offer = `Connected; the server offers ${length} ${length === 1 ? 'tool' : 'tools'}.`;
      return { ok: true, message: [offer, ...describeLeftOut(leftOut)].join(' ') };
    }
    if (await findEntry({ workspaceId: open.workspaceId, name: provider }))
      return await router.verifyConnection(open, { timeoutMs: testTimeoutMs });
    if (!vendors.isVendor(provider)) return { ok: false, message: `There is no provider "${provider}".` };
    const hasKey = open.connection.auth.type !== 'none';
    const key = hasKey ? await access.openForModel(request) : { apiKey: '', baseUrl: open.baseUrl };
    return await vendors.testKey({ ...key, vendor: provider, timeoutMs: testTimeoutMs });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { ok: false, message: open.redact(error.message) };
  }
}
