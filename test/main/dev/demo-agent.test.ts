import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { createDemoAgent } from '../../../src/main/dev/demo-agent.ts';
import { noRules } from '../../../src/domain/rules.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { findPolicyBreach } from '../../../src/engines/rules/tool-policy.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';

const { resolve } = createRequire(import.meta.url);
const { tools } = createDemoAgent('demo');
const functions = createFunctionRegistry();

test.each([
  ['https://example.com', {}, true],
  ['https://www.example.org/', { method: 'HEAD' }, true],
  ['https://example.com', { method: 'POST' }, false],
  ['https://example.com', { headers: { 'x-notes': 'what I know' } }, false],
  ['https://example.com/?what-I-know', {}, false],
  ['https://example.com@evil.example/', {}, false],
  ['https://example.com.evil.example', {}, false],
  ['http://169.254.169.254/latest', {}, false],
])('the demo agent may request %s with %j: %s', async (url, more, expected) => {
  const { rules = noRules } = createDemoAgent('demo');
  const policy = rules.toolPolicies['http_request'] ?? {};
  const checks = schemaChecksOf('workspace');
  expect((await findPolicyBreach(policy, { url, ...more }, checks)) === null).toBe(expected);
});

interface Shape {
  properties?: Record<string, { type?: unknown }> | undefined;
  required?: unknown;
}

/** Expects the real schema of a tool to have all properties of the demo agent's, with the same types. */
function expectToFit(tool: ToolInput, real: Shape): void {
  const told = tool.schema as Shape;
  for (const [name, { type }] of Object.entries(told.properties ?? {})) {
    expect({ tool: tool.name, name, type: real.properties?.[name]?.type }).toEqual({
      tool: tool.name,
      name,
      type,
    });
  }
  expect(told.required).toEqual(real.required ?? []);
}

test.each(tools.filter(({ type }) => type === 'function'))(
  'the demo agent has the current definition of the function $name',
  (tool) => {
    expect(tool.config).toEqual({ functionName: tool.name });
    expectToFit(tool, functions.find(tool.name)?.schema as Shape);
  },
);

test.each([
  ['everything', ['stdio']],
  ['filesystem', [import.meta.dirname]],
])(
  'the demo agent has the current definitions of the tools of the server %s',
  async (server, serverArguments) => {
    const client = new Client({ name: 'test', version: '1' });
    const entry = resolve(`@modelcontextprotocol/server-${server}/dist/index.js`);
    const options = {
      command: process.execPath,
      args: [entry, ...serverArguments],
      stderr: 'ignore' as const,
    };
    await client.connect(new StdioClientTransport(options));
    try {
      const real = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
      const used = tools.filter((tool) => tool.type === 'mcp' && tool.config.server === server);
      expect(used.length).toBeGreaterThan(2);
      for (const tool of used) {
        expectToFit(tool, real.get(tool.name)?.inputSchema as Shape);
        const isReading = tool.settings?.effect === 'read_only';
        expect(real.get(tool.name)?.annotations?.readOnlyHint).toBe(isReading);
      }
    } finally {
      await client.close();
    }
  },
);
