import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareAgents } from '../../../src/clients/code/compare-agents.ts';
import { completeAgent } from '../../../src/clients/code/complete-agent.ts';
import { hideCanaryTokens } from '../../../src/clients/code/canary-places.ts';
import { isAgentDefinition } from '../../../src/clients/code/define-agent.ts';
import type { Directory } from '../../../src/clients/code/directory.ts';
import { findKnown } from '../../../src/clients/code/find-known.ts';
import * as helpers from '../../../src/clients/code/index.ts';
import type { PortableAgent, PortableTool } from '../../../src/clients/code/portable.ts';
import { writeAgent } from '../../../src/clients/code/write-agent.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { limitBounds } from '../../../src/domain/limits.ts';
import type { ToolSettings } from '../../../src/domain/tool.ts';

const offered = {
  description: 'Offered.',
  schema: { type: 'object', properties: { a: { type: 'string' } } },
};

const directory: Directory = {
  agents: [],
  connections: () => Promise.resolve([{ id: 'c-1', name: 'Stripe', provider: 'stripe' }]),
  knowledgeBases: () => Promise.resolve([]),
  functions: () =>
    Promise.resolve(
      ['calculate', 'refund'].map((name) => ({
        name,
        ...offered,
        effect: 'unsafe' as const,
        origin: 'own' as const,
      })),
    ),
  workflowTypes: () =>
    Promise.resolve([
      {
        id: 'billing',
        description: offered.description,
        input: offered.schema,
        detach: false,
        timeoutMs: null,
      },
    ]),
  offers: () =>
    Promise.resolve([
      { name: 'charge', description: offered.description, inputSchema: offered.schema, executeRef: 'charge' },
    ]),
  skill: ({ name }) => Promise.resolve({ name, files: [] }),
};

/** Texts with what code has to escape: quotes, lines, templates, controls, invisible characters, halves of pairs. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '${x}',
        '\\',
        '\n',
        '\r\n',
        '\t',
        '\u2028',
        '\u200b',
        '\ud800',
        'é',
        ' ',
      ),
    )
    .map((parts) => parts.join('')),
);
/** The API leaves `__proto__` out where it is the name of a policy. */
const name = fc.stringMatching(/^[A-Za-z0-9_.:/-]{1,20}$/).filter((one) => one !== '__proto__');
const json = fc.dictionary(fc.oneof(fc.constant('__proto__'), text), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>;
const description = fc.oneof(fc.constant(offered.description), text);
const schema = fc.oneof(fc.constant<JsonObject>(offered.schema), json);

const settings: fc.Arbitrary<ToolSettings> = fc.record(
  {
    effect: fc.constantFrom('read_only' as const, 'unsafe' as const),
    approval: fc.constantFrom('never' as const, 'ask' as const),
    enabled: fc.boolean(),
    timeoutMs: fc.integer({ min: 100, max: 600_000 }),
  },
  { requiredKeys: [] },
);

const target: fc.Arbitrary<Pick<PortableTool, 'type' | 'config'>> = fc.oneof(
  fc
    .constantFrom('refund', 'calculate')
    .map((functionName) => ({ type: 'function' as const, config: { functionName } })),
  fc.constant({ type: 'function' as const, config: { runs: 'client' } }),
  fc.constant({ type: 'mcp' as const, config: { connection: 'Stripe', tool: 'charge' } }),
  fc.constant({ type: 'mcp' as const, config: { connection: 'Stripe' } }),
  fc.constant({ type: 'mcp' as const, config: { server: 'everything' } }),
  text.map((server) => ({ type: 'mcp' as const, config: { gateway: true, servers: [server] } })),
  fc.boolean().map((detach) => ({ type: 'workflow' as const, config: { workflow: 'billing', detach } })),
  text.map((knowledgeBase) => ({ type: 'knowledge_base' as const, config: { knowledgeBase } })),
  text.map((agent) => ({ type: 'agent' as const, config: { agent, inheritRules: true } })),
);
const tool: fc.Arbitrary<PortableTool> = fc
  .record({ name, description, schema, settings, target })
  .map(({ target: { type, config }, ...rest }) => ({
    ...{ ...rest, type },
    // A name that is the same as that of the tool is implied.
    config: config.functionName === rest.name || config.tool === rest.name ? {} : config,
  }))
  .filter(({ type, config }) => Object.keys(config).length > 0 || type === 'function');

const agent: fc.Arbitrary<PortableAgent> = fc
  .record({
    name: text.map((part) => `Agent ${part}`.trim()),
    model: fc.constantFrom('demo', 'openai/gpt-5-mini'),
    instructions: text,
    execution: fc.constantFrom('inspectable', 'direct'),
    modelConnection: fc.constantFrom(null, 'Stripe'),
    fallbackModels: fc.array(
      fc.record({
        model: fc.constantFrom('demo', 'openai/gpt-5'),
        modelConnection: fc.constantFrom(null, 'Stripe'),
      }),
      { maxLength: 2 },
    ),
    modelSettings: fc.record(
      {
        temperature: fc.constantFrom(0, 0.5),
        toolChoice: fc.constantFrom('required' as const, { tool: 'calculate' }),
        providerOptions: fc.constant({ openai: { serviceTier: 'flex' } }),
        headers: fc.constant({ 'X-Team': 'A' }),
      },
      { requiredKeys: [] },
    ),
    compaction: fc.constantFrom('oldest_first', 'summarize', 'off'),
    compactionThreshold: fc.constantFrom(null, 50_000),
    summaryModel: fc.constantFrom(null, 'openai/gpt-5-mini'),
    limits: fc.record(
      {
        maxIterations: fc.integer(limitBounds.maxIterations),
        startTimeoutMs: fc.constantFrom(600_000, 5000),
        turnTimeoutMs: fc.constantFrom(120_000, 60_000),
      },
      { requiredKeys: [] },
    ),
    rules: fc.record(
      {
        toolAllowlist: fc.array(name, { maxLength: 2 }),
        toolPolicies: fc.dictionary(
          name,
          fc.record({ maxCallsPerTurn: fc.nat(100), schema: json }, { requiredKeys: [] }),
          { maxKeys: 2 },
        ),
        forLater: fc.array(name, { maxLength: 2 }),
        canaryTokens: fc.constantFrom([], ['canary-12345678', 'other-12345678']),
        onBlocked: fc.constantFrom('continue', 'end_turn'),
      },
      { requiredKeys: ['toolPolicies', 'canaryTokens', 'onBlocked'] },
    ),
    toolCallsInText: fc.constantFrom(null, true, false),
    tools: fc.uniqueArray(tool, { maxLength: 4, selector: (one) => one.name }),
    skills: fc.constantFrom([], [{ name: 'tea-making', files: [{ path: 'SKILL.md', digest: '0' }] }]),
  })
  // As an answer of the API is read: objects have the prototype of objects, and no -0.
  .map((value) => JSON.parse(JSON.stringify(value)) as PortableAgent);

/** Runs a written file: its import names the helpers, and its export is an expression. */
function evaluate(source: string): unknown {
  const [, imported = '', expression = ''] =
    /^import \{ (.*) \} from 'holdfast\/agents';\n\nexport default (.*);\n$/s.exec(source) ?? [];
  const names = imported.split(', ');
  const values = names.map((helper) => helpers[helper as keyof typeof helpers]);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- what was written is code
  return new Function(...names, `'use strict'; return ${expression};`)(...values);
}

test('a written agent means what the workspace has, whatever its texts, schemas and settings are', async () => {
  await fc.assert(
    fc.asyncProperty(agent, async (stored) => {
      const { canaryTokens } = stored.rules;
      const shown = { ...stored, instructions: hideCanaryTokens(stored.instructions, canaryTokens) };
      const source = writeAgent(shown, await findKnown(stored, directory));
      for (const token of canaryTokens) expect(source).not.toContain(token);
      const definition = evaluate(source);
      if (!isAgentDefinition(definition)) throw new Error(`no agent: ${source}`);
      const { wanted, problems } = await completeAgent(definition, stored, directory);
      expect(problems).toEqual([]);
      expect(compareAgents(stored, wanted).differences).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a written agent is short: what the workspace knows is not in it', () => {
  const stored: PortableAgent = {
    ...{ name: 'Support', model: 'demo', instructions: 'Be kind.\nBe short.', execution: 'inspectable' },
    ...{ modelConnection: null, limits: { maxIterations: 10 }, toolCallsInText: null },
    ...{ fallbackModels: [], modelSettings: {} },
    ...{ compaction: 'oldest_first', compactionThreshold: null, summaryModel: null },
    rules: { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
    tools: [
      { type: 'function', name: 'refund', ...offered, settings: { enabled: true }, config: {} },
      {
        type: 'mcp',
        name: 'pay',
        ...offered,
        settings: {},
        config: { connection: 'Stripe', tool: 'charge' },
      },
    ],
    skills: [{ name: 'tea-making', files: [] }],
  };
  const known = new Map(['refund', 'pay'].map((each) => [each, offered]));
  expect(writeAgent(stored, known)).toBe(
    [
      "import { defineAgent, functionTool, mcpTool } from 'holdfast/agents';",
      '',
      'export default defineAgent({',
      "  name: 'Support',",
      "  model: 'demo',",
      '  instructions: `Be kind.',
      'Be short.`,',
      '  tools: [',
      "    functionTool('refund'),",
      "    mcpTool({ name: 'pay', connection: 'Stripe', tool: 'charge' }),",
      '  ],',
      '});',
      '',
    ].join('\n'),
  );
});
