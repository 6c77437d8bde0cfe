import { describe, expect, it } from 'vitest';
import type { AttachedConnector } from '../../../src/domain/connector.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { Tool, ToolConfigs } from '../../../src/domain/tool.ts';
import { resolveCall, toolboxOf, type ResolvedCall } from '../../../src/engines/tools/toolbox.ts';

type ToolTarget = Pick<ResolvedCall, 'connector' | 'target'>;

const connectors: AttachedConnector[] = [
  {
    id: 'k1',
    name: 'kr-legal',
    type: 'mcp',
    endpoint: 'https://x/mcp',
    tools: ['search'],
    connectionId: 'c1',
  },
];

const parts = { id: 't1', name: 'search', description: '', schema: {} };

function toolOf(config: ToolConfigs['mcp']): Tool {
  return { ...parts, type: 'mcp', config };
}

const call = { action: 'call', server: 'database', tool: 'query' };

function toolTargetOf(tool: Tool, toolArguments: JsonObject): ToolTarget {
  const { connector, target } = resolveCall(tool, toolArguments, toolboxOf({ tools: [tool], connectors }));
  return { connector, target };
}

describe('the target of a call', () => {
  it.each<[ToolConfigs['mcp'], JsonObject, ToolTarget]>([
    [{ connectorId: 'k1' }, {}, { connector: 'kr-legal', target: null }],
    [{}, {}, { connector: 'kr-legal', target: null }],
    [{ connectorId: 'gone' }, {}, { connector: 'gone', target: null }],
    [{ server: 'files' }, {}, { connector: 'files', target: null }],
    [{ connectionId: 'c2', provider: 'mcp' }, {}, { connector: 'c2', target: null }],
    [{ connectionId: 'c2', provider: 'slack' }, {}, { connector: 'slack', target: null }],
    [{ gateway: true }, call, { connector: 'database', target: 'database:query' }],
    [
      { gateway: true },
      { action: 'call', tool: 'database:query' },
      { connector: 'database', target: 'database:query' },
    ],
    [
      { gateway: true },
      { action: 'call', server: 'database', tool: 'a:b' },
      { connector: 'database', target: 'database:a:b' },
    ],
    [{ gateway: true }, { action: 'list', server: 'database' }, { connector: 'database', target: null }],
    [{ gateway: true }, { action: 'list' }, { connector: null, target: null }],
    [{ gateway: true }, { action: 'call' }, { connector: null, target: null }],
    [
      { gateway: true },
      { action: 'call', server: 5, tool: 'database:query' },
      { connector: null, target: null },
    ],
  ])('the tool %j with the arguments %j has the target %j', (config, toolArguments, expected) => {
    expect(toolTargetOf(toolOf(config), toolArguments)).toEqual(expected);
  });

  it('a function has no target', () => {
    expect(toolTargetOf({ ...parts, type: 'function', config: {} }, call)).toEqual({
      connector: null,
      target: null,
    });
  });
});
