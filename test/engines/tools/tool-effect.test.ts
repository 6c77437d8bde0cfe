import { expect, test } from 'vitest';
import type { Tool, ToolConfigs, ToolSettings } from '../../../src/domain/tool.ts';
import { openProviders } from '../../../src/engines/providers/registry.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';
import { createOperationEffects } from '../../../src/engines/tools/mcp/operation-effects.ts';
import { createEffectOf } from '../../../src/engines/tools/tool-effect.ts';

const catalogue = await openProviders();
const operations = createOperationEffects(({ name }) => catalogue.findEntry(name));
const effectOf = createEffectOf({ functions: createFunctionRegistry(), operations });
const loaded: Partial<Tool> = { type: 'mcp', config: { connectionId: 'c', provider: 'slack' } };
await operations.load('workspace', [loaded as Tool]);

function effectOfMcp(name: string, config: ToolConfigs['mcp'], settings?: ToolSettings) {
  return effectOf({ type: 'mcp', name, config, settings });
}

test('a tool of a provider has the effect of its operation, under any name', () => {
  const config = { connectionId: 'c', provider: 'slack' };
  expect(effectOfMcp('slack_listChannels', config)).toBe('read_only');
  expect(effectOfMcp('slack_sendMessage', config)).toBe('unsafe');
  expect(effectOfMcp('channels_of_sales', { ...config, tool: 'slack_listChannels' })).toBe('read_only');
  expect(effectOfMcp('slack_nothing', config)).toBe('unsafe');
  expect(effectOfMcp('slack_listChannels', { ...config, connectionId: 'not loaded' })).toBe('unsafe');
});

test('the operator’s effect takes precedence over that of the catalogue', () => {
  const config = { connectionId: 'c', provider: 'slack' };
  expect(effectOfMcp('slack_listChannels', config, { effect: 'unsafe' })).toBe('unsafe');
});

test('a function that runs at the client is unsafe, also under the name of a built-in one', () => {
  const tool = { type: 'function' as const, name: 'calculate', config: {} };
  expect(effectOf(tool)).toBe('read_only');
  expect(effectOf({ ...tool, config: { runs: 'client' } })).toBe('unsafe');
  expect(effectOf({ ...tool, config: { runs: 'client' }, settings: { effect: 'idempotent' } })).toBe(
    'idempotent',
  );
});

test('tools of MCP servers have no known effect, under any name', () => {
  expect(effectOfMcp('slack_listChannels', { connectionId: 'c', provider: 'mcp' })).toBe('unsafe');
  expect(effectOfMcp('slack_listChannels', { server: 'lab' })).toBe('unsafe');
  expect(effectOfMcp('slack_listChannels', { provider: 'slack' })).toBe('unsafe');
});
