import { expect, test } from 'vitest';
import type { Agent } from '../../../src/clients/client/index.ts';
import type { Directory } from '../../../src/clients/code/directory.ts';
import { toPortable } from '../../../src/clients/code/to-portable.ts';
import { listToolTypes } from '../../../src/engines/tools/find-tool-type.ts';

const named = [{ id: 'id', name: 'Name' }];
const directory = {
  agents: named,
  connections: () => Promise.resolve(named),
  knowledgeBases: () => Promise.resolve(named),
} as unknown as Directory;

/** The fields of a tool's `config` that are names in code, and those that follow from them. */
const nameOf = new Map([
  ['connectionId', 'connection'],
  ['knowledgeBaseId', 'knowledgeBase'],
  ['agentId', 'agent'],
  ['workflowId', 'workflow'],
]);
const implied = new Set(['provider', 'agentName', 'connectorId']);

const fields = listToolTypes().flatMap(({ type, config }) =>
  [...Object.keys(config.shape), 'fieldOfLater'].map((field) => ({ type, field })),
);

test.each(fields)('the field $field of a tool of type $type is kept', async ({ type, field }) => {
  const tool = { id: 'tool', type, name: 'own', description: '', schema: {}, config: { [field]: 'id' } };
  const rest = { fallbackModels: [], modelConnectionId: null, rules: {}, skills: [] };
  const agent = { ...rest, tools: [tool] } as unknown as Agent;
  const { tools } = await toPortable(agent, directory);
  const name = nameOf.get(field);
  const isListed = name !== undefined && name !== 'workflow';
  const kept = { [name ?? field]: isListed ? 'Name' : 'id' };
  expect(tools.map(({ config }) => config)).toEqual(
    field === 'connectorId' ? [] : [implied.has(field) ? {} : kept],
  );
});
