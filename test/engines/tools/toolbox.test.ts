import { expect, test } from 'vitest';
import type { AttachedConnector } from '../../../src/domain/connector.ts';
import type { NamedConnection } from '../../../src/domain/rules.ts';
import type { Tool } from '../../../src/domain/tool.ts';
import { listAllowedTools } from '../../../src/engines/tools/offered-tools.ts';
import { isSamePlace } from '../../../src/engines/tools/mcp/mcp-target.ts';
import {
  listConnectionIds,
  resolveCall,
  resolveTool,
  toolboxOf,
} from '../../../src/engines/tools/toolbox.ts';
import { createRandom } from '../../labs/random.ts';

type Random = ReturnType<typeof createRandom>;

const ids = ['11111111-1111-4111-8111-11111111111a', '22222222-2222-4222-8222-22222222222b'];
const servers = ['crm', 'bank', 'slack'];
const remotes = ['note', 'pay', 'sendMessage', 'slack_sendMessage'];

const happens = (random: Random, percent: number) => random(100) < percent;
const pick = (random: Random, texts: string[]) => texts[random(texts.length)] ?? '';

function createTool(random: Random, name: string): Tool {
  const config = {
    ...(happens(random, 30) && { connectorId: pick(random, ['connector-0', 'connector-1']) }),
    ...(happens(random, 50) && { connectionId: spell(random), provider: pick(random, ['mcp', 'slack']) }),
    ...(happens(random, 30) && { server: pick(random, servers) }),
    ...(happens(random, 50) && { tool: pick(random, remotes) }),
  };
  return { id: `id-${name}`, type: 'mcp', name, description: '', schema: { type: 'object' }, config };
}

/** Returns an id in the letters that a caller may write. */
function spell(random: Random): string {
  const id = pick(random, ids);
  return happens(random, 30) ? id.toUpperCase() : id;
}

function createVersion(random: Random) {
  const connectors = [0, 1].map((index): AttachedConnector => ({
    ...{ id: `connector-${index}`, name: pick(random, servers), type: 'mcp', endpoint: null },
    ...{ tools: remotes.filter(() => happens(random, 50)), connectionId: spell(random) },
  }));
  const gateway: Tool = { ...createTool(random, 'mcp'), type: 'mcp', config: { gateway: true } };
  const tools = ['note', 'renamed', 'slack_sendMessage'].map((name) => createTool(random, name));
  const connections = ids.map((id): NamedConnection => ({
    ...{ id, name: pick(random, [...servers, 'wiki']), provider: pick(random, ['mcp', 'slack']) },
  }));
  return { version: { tools: [...tools, gateway], connectors }, connections, gateway };
}

const versions = Array.from({ length: 300 }, (_, seed) => createVersion(createRandom(seed)));

test('a toolbox with the names of connections is that of tools resolved one by one, whatever it was opened with before', () => {
  for (const { version, connections } of versions) {
    for (const named of [[], connections.slice(0, 1), connections, []]) {
      const surroundings = { connectors: version.connectors, connections: named };
      const resolved = version.tools.map((tool) => resolveTool(tool, surroundings));
      expect(toolboxOf(version, named)).toEqual({ ...surroundings, tools: resolved });
    }
  }
});

test('an allowlist that names the connection of a connector offers the tools that the connector claims', () => {
  const [{ version }] = versions as [(typeof versions)[0]];
  const claiming = {
    ...version.connectors[0],
    tools: ['claimed'],
    connectionId: ids[0],
  } as AttachedConnector;
  const claimed: Tool = { ...createTool(createRandom(1), 'claimed'), type: 'mcp', config: {} };
  const agent = { tools: [claimed], connectors: [claiming] };
  expect(listConnectionIds(toolboxOf(agent))).toEqual([ids[0]]);
  const box = toolboxOf(agent, [{ id: ids[0] ?? '', name: 'books', provider: 'mcp' }]);
  expect(listAllowedTools({ rules: { toolAllowlist: ['books:*'] }, box })).toEqual([claimed]);
  expect(listAllowedTools({ rules: { toolAllowlist: ['other:*'] }, box })).toEqual([]);
});

test('a call through the gateway has every name and id of the tools that lead to the same place', () => {
  for (const { version, connections, gateway } of versions) {
    const box = toolboxOf(version, connections);
    for (const server of [...servers, 'wiki']) {
      for (const tool of remotes) {
        const { place, aliases, toolIds } = resolveCall(gateway, { action: 'call', server, tool }, box);
        const twins = box.tools.filter((one) => isSamePlace(one.place, place));
        expect(aliases).toEqual(
          expect.arrayContaining(twins.flatMap((twin) => [twin.tool.name, ...twin.ids])),
        );
        expect(toolIds).toEqual(expect.arrayContaining(twins.map((twin) => twin.tool.id)));
      }
    }
  }
});
