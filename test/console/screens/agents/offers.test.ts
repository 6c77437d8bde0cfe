import { describe, expect, test } from 'vitest';
import { toNamed } from '../../../../console/src/screens/agents/basket.ts';
import {
  toConnectionOffers,
  toFreeName,
  toFunctionOffers,
  type Present,
} from '../../../../console/src/screens/agents/offers.ts';

const connection = { id: 'c1', provider: 'mcp' };

const remote = (name: string) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object' }, executeRef: `mcp:${name}` },
});

/** A tool of an MCP server that the agent has. */
function has(name: string, config: object, status: 'active' | 'quarantined' = 'active'): Present[number] {
  return {
    tool: {
      ...{ id: name, type: 'mcp', name, description: '', schema: {} },
      config: { connectionId: 'c1', provider: 'mcp', ...config },
    },
    state: { status, pinnedHash: null, drift: null },
  };
}

function listTaken(names: string[], present: Present) {
  const offers = toConnectionOffers({ connection, tools: names.map(remote), present });
  return offers.map(({ taken }) => taken);
}

describe('tools of a connection', () => {
  test('are marked that the agent has, also under another name, and quarantined ones as such', () => {
    const present = [has('search', {}), has('renamed', { tool: 'pay' }), has('send', {}, 'quarantined')];
    expect(listTaken(['search', 'pay', 'send', 'read'], present)).toEqual([
      ...['added', 'added', 'quarantined', null],
    ]);
  });

  test('are not marked for a tool of another connection', () => {
    expect(listTaken(['search'], [has('search', { connectionId: 'c2' })])).toEqual([null]);
  });

  test('whose names no tool can have get one, and keep that of the server', () => {
    const [offer] = toConnectionOffers({ connection, tools: [remote('find it!')], present: [] });
    expect(offer?.tool).toMatchObject({ name: 'find_it', config: { tool: 'find it!' } });
  });

  test('have the effects of the operations of their provider', () => {
    const operations = [{ name: 'search', effect: 'read_only' }] as Parameters<
      typeof toConnectionOffers
    >[0]['operations'];
    const [known, unknown] = toConnectionOffers({
      ...{ connection, tools: [remote('search'), remote('send')], operations, present: [] },
    });
    expect([known?.effect, unknown?.effect]).toEqual(['read_only', null]);
  });
});

test('a function is marked that the agent has under another name', () => {
  const functions = [
    { name: 'calculate', description: 'Calculates.', schema: {}, effect: 'read_only' as const },
  ] as Parameters<typeof toFunctionOffers>[0];
  const tool = {
    ...{ id: 't1', type: 'function' as const, name: 'compute', description: '', schema: {} },
    config: { functionName: 'calculate' },
  };
  const state = { status: 'active' as const, pinnedHash: null, drift: null };
  expect(toFunctionOffers(functions, [{ tool, state }])[0]?.taken).toBe('added');
  expect(toFunctionOffers(functions, [])[0]?.taken).toBeNull();
});

test('a name that is taken gets the next free number', () => {
  expect(toFreeName('search', new Set())).toBe('search');
  expect(toFreeName('search', new Set(['search', 'search_2']))).toBe('search_3');
});

test('a renamed tool of a server keeps the name that it has there', () => {
  const [offer] = toConnectionOffers({ connection, tools: [remote('search')], present: [] });
  if (!offer) throw new Error('there is no offer');
  const once = toNamed(offer.tool, 'find');
  expect(once).toMatchObject({ name: 'find', config: { tool: 'search' } });
  expect(toNamed(once, 'look')).toMatchObject({ name: 'look', config: { tool: 'search' } });
});
