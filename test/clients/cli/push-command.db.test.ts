import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { importLine, startCodeLab, type CodeScene } from '../../labs/code-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';

const lab = openForTests(startCodeLab);
let scene: CodeScene;

beforeEach(async () => {
  scene = await lab.openScene();
});

test('creates agents in the order in which they name each other, and makes no version when nothing changed', async () => {
  scene.writeResearcher();
  scene.writeSupport();
  const first = await scene.holdfast('push');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.out).toEqual([
    '+ Researcher: a new agent (agents/researcher.ts)',
    '+ Support: a new agent (agents/support.ts)',
    'Pushed Researcher: version 1.',
    'Pushed Support: version 1.',
  ]);
  const [researcher, support] = await scene.listAgents();
  expect(support).toMatchObject({
    ...{ name: 'Support', instructions: 'Answer.\nBe short.', project: 'shop', version: 1 },
    limits: { maxIterations: 10, maxTokens: 5000 },
  });
  expect(support?.tools).toMatchObject([
    { type: 'mcp', name: 'search', config: { provider: 'mcp' }, settings: { effect: 'read_only' } },
    { type: 'knowledge_base', name: 'docs' },
    { type: 'agent', name: 'ask', config: { agentId: researcher?.id, agentName: 'Researcher' } },
    { type: 'function', name: 'calculate' },
    { type: 'function', name: 'pay', config: { runs: 'client' } },
    { type: 'mcp', name: 'everything', config: { gateway: true, servers: ['Scouts'] } },
  ]);
  const again = await scene.holdfast('push');
  expect(again).toEqual({
    code: 0,
    stderr: '',
    out: ['Nothing to push. The same as in the files: 2 agents.'],
  });
  expect((await scene.listAgents()).map(({ version }) => version)).toEqual([1, 1]);
});

test('shows each difference, and pushes only agents that differ', async () => {
  scene.writeResearcher();
  scene.writeSupport();
  await scene.holdfast('push');
  scene.write(
    'support.ts',
    'export const support = defineAgent({',
    "  name: 'Support', model: 'demo', instructions: 'Answer.\\nBe kind.', execution: 'fast',",
    "  rules: { toolAllowlist: ['search'] }, limits: { maxTokens: 5000 }, tools: [",
    "    mcpTool({ connection: 'Scouts', tool: 'search', settings: { timeoutMs: 5000 } }),",
    "    mcpTool({ connection: 'Scouts', tool: 'report' })],",
    '});',
  );
  const shown = [
    '! Support: execution: "fast" is accepted until the next release, and means "direct"',
    '~ Support: version 1 → 2 (agents/support.ts)',
    '    execution: "inspectable" → "direct"',
    '    instructions:',
    '      - Be short.',
    '      + Be kind.',
    '    rules.toolAllowlist: ["search","docs","ask","calculate","pay","everything"] → ["search"]',
    '    tools.search.settings.timeoutMs: not set → 5000',
    '    - tool ask (agent)',
    '    - tool calculate (function)',
    '    - tool docs (knowledge_base)',
    '    - tool everything (mcp)',
    '    - tool pay (function)',
    '    + tool report (mcp)',
  ];
  const dry = await scene.holdfast('push', '--dry-run');
  expect(dry.code).toBe(2);
  expect(dry.out.slice(0, -1).sort()).toEqual(shown.toSorted());
  expect(dry.out.at(-1)).toBe('Nothing was pushed. A push would change 1 agent.');
  expect((await scene.listAgents()).map(({ version }) => version)).toEqual([1, 1]);
  expect((await scene.holdfast('push')).out.at(-1)).toBe('Pushed Support: version 2.');
  const [researcher, support] = await scene.listAgents();
  expect([researcher?.version, support?.version]).toEqual([1, 2]);
  expect(support?.tools[0]?.settings).toEqual({ effect: 'read_only', timeoutMs: 5000 });
  const out = [shown[0], 'No difference.'];
  expect(await scene.holdfast('push', '--dry-run')).toEqual({ code: 0, stderr: '', out });
});

test('names what does not exist, with the names that there are, and pushes nothing', async () => {
  scene.write(
    'wrong.ts',
    'export default defineAgent({',
    "  name: 'Wrong', model: 'demo', instructions: '', modelConnection: 'Nope',",
    '  tools: [',
    "    mcpTool({ connection: 'Scout', tool: 'search' }),",
    "    mcpTool({ connection: 'Scouts', tool: 'find', name: 'found' }),",
    "    knowledgeBaseTool({ name: 'docs', knowledgeBase: 'Wiki' }),",
    "    agentTool({ name: 'ask', agent: 'Nobody' }),",
    "    functionTool('refund'),",
    '  ],',
    '});',
  );
  const { code, stderr } = await scene.holdfast('push');
  expect(code).toBe(1);
  const start = 'agents/wrong.ts: the agent "Wrong": ';
  expect(stderr.trimEnd().split('\n')).toEqual([
    `${start}tools.search: there is no connection "Scout". There are: "Scouts".`,
    `${start}tools.found: the connection "Scouts" has no tool "find". Its tools are: search, report.`,
    `${start}tools.refund: the server has no function "refund". It has no functions of its own. Put it into the folder of functions, and deploy the server before the push.`,
    `${start}modelConnection: there is no connection "Nope". There are: "Scouts".`,
    `${start}tools.docs: there is no knowledge base "Wiki". There are: "Handbook".`,
    `${start}tools.ask: there is no agent "Nobody". There are: "Wrong".`,
  ]);
  expect(await scene.listAgents()).toEqual([]);
});

test('pushes agents that ask each other in a circle, and a new one joins them', async () => {
  const define = (name: string, other: string) =>
    scene.write(
      `${name}.ts`,
      `export default defineAgent({ name: '${name}', model: 'demo', instructions: '', tools: [agentTool({ name: 'ask', agent: '${other}' })] });`,
    );
  define('a', 'b');
  define('b', 'c');
  define('c', 'a');
  define('self', 'self');
  const { code, out } = await scene.holdfast('push');
  expect(code).toBe(0);
  expect(out.filter((line) => line.startsWith('Pushed')).sort()).toEqual([
    'Pushed a: version 1.',
    'Pushed b: version 1.',
    'Pushed c: version 2.',
    'Pushed self: version 2.',
  ]);
  const agents = await scene.listAgents();
  const asked = (name: string) => agents.find((agent) => agent.name === name)?.tools[0]?.config;
  const idOf = (name: string) => agents.find((agent) => agent.name === name)?.id;
  expect(['a', 'b', 'c', 'self'].map(asked)).toEqual(
    ['b', 'c', 'a', 'self'].map((name) => expect.objectContaining({ agentId: idOf(name) }) as unknown),
  );
  const same = 'Nothing to push. The same as in the files: 4 agents.';
  expect((await scene.holdfast('push')).out).toEqual([same]);
  // A new agent in the circle of agents that exist.
  define('c', 'd');
  define('d', 'a');
  expect((await scene.holdfast('push')).out).toEqual(
    expect.arrayContaining(['Pushed d: version 1.', 'Pushed c: version 3.']),
  );
});

test('deletes with --prune only what an earlier push of the project has made, and only when told to', async () => {
  await scene.call('POST', '/api/agents', { name: 'By hand', model: 'demo', instructions: '' });
  await scene.call('POST', '/api/agents', {
    name: 'Other',
    model: 'demo',
    instructions: '',
    project: 'other',
  });
  scene.writeResearcher();
  scene.writeSupport();
  await scene.holdfast('push');
  scene.remove('support.ts');
  expect((await scene.holdfast('push')).out).toEqual([
    '! "Support" was made by an earlier push and is in no file now. --prune deletes it.',
    'Nothing to push. The same as in the files: 1 agent.',
  ]);
  expect(await scene.holdfast('push', '--prune', '--dry-run')).toEqual({
    ...{ code: 2, stderr: '' },
    out: ['- Support: deleted (version 1)', 'Nothing was pushed. A push would change 1 agent.'],
  });
  const asked = await scene.holdfast('push', '--prune');
  expect(asked.code).toBe(1);
  expect(asked.stderr).toContain('Delete "Support"? Say so with --yes. Nothing was pushed.');
  expect(await scene.listAgents()).toHaveLength(4);
  expect((await scene.holdfast('push', '--prune', '--yes')).out.at(-1)).toBe('Deleted Support.');
  expect((await scene.listAgents()).map(({ name }) => name)).toEqual(['By hand', 'Other', 'Researcher']);
});

test('takes over an agent that was made by hand, and does not prune it', async () => {
  await scene.call('POST', '/api/agents', { name: 'Researcher', model: 'demo', instructions: 'Old.' });
  scene.writeResearcher();
  expect((await scene.holdfast('push')).out).toEqual([
    '~ Researcher: version 1 → 2 (agents/researcher.ts)',
    '    instructions: "Old." → "Look it up."',
    'Pushed Researcher: version 2.',
  ]);
  scene.remove('researcher.ts');
  expect((await scene.holdfast('push', '--prune', '--yes')).code).toBe(0);
  expect(await scene.listAgents()).toHaveLength(1);
});

test('loses nothing when two people push at once', async () => {
  scene.writeResearcher();
  await scene.holdfast('push');
  const pushes = ['One.', 'Two.'].map(async (instructions) => {
    const folder = scene.inProject(instructions);
    mkdirSync(folder);
    const lines = [
      importLine,
      `export default defineAgent({ name: 'Researcher', model: 'demo', instructions: '${instructions}' });`,
      `export const fresh = defineAgent({ name: 'Fresh', model: 'demo', instructions: '${instructions}' });`,
    ];
    writeFileSync(`${folder}/agents.ts`, lines.join('\n'));
    return scene.holdfast('push', '--agents', instructions);
  });
  const ended = await Promise.all(pushes);
  const agents = await scene.listAgents();
  expect(agents.map(({ name }) => name)).toEqual(['Researcher', 'Fresh']);
  // Both may come one after the other. Either way a version is only replaced by a push that has compared with it.
  for (const { code, stderr } of ended) {
    if (code !== 0)
      expect(stderr).toMatch(/Somebody has changed the agent "(Researcher|Fresh)" since this push/);
  }
  const done = ended.flatMap(({ out }) => out.filter((line) => line.startsWith('Pushed')));
  const versions = agents.reduce((sum, { version }) => sum + version, 0);
  expect(done).toHaveLength(versions - 1);
});

test('keeps the tools of connectors, the canary tokens and the hints of servers that the code does not name', async () => {
  scene.writeResearcher();
  await scene.holdfast('push');
  const [agent] = await scene.listAgents();
  const { connector } = await scene.call('POST', '/api/connectors', {
    ...{ name: 'reports', endpoint: lab.server.url, auth: { api_key: 'key-1234567890' }, tools: ['report'] },
  });
  await scene.call('POST', `/api/agents/${agent?.id}/connectors`, { connectorId: connector.id });
  await scene.call('POST', `/api/agents/${agent?.id}/provision`, { canaryTokens: ['canary-1234'] });
  scene.write(
    'researcher.ts',
    "export default defineAgent({ name: 'Researcher', model: 'demo', instructions: 'Secret: {{canaryTokens[0]}}', tools: [functionTool('calculate')] });",
  );
  expect(await scene.holdfast('push')).toMatchObject({ code: 0 });
  const [after] = await scene.listAgents();
  expect(after?.tools.map(({ name }) => name)).toEqual(['calculate', 'report']);
  expect(after).toMatchObject({
    instructions: 'Secret: canary-1234',
    rules: { canaryTokens: ['canary-1234'] },
  });
  expect((await scene.holdfast('push', '--dry-run')).code).toBe(0);
  scene.remove('researcher.ts');
  expect((await scene.holdfast('pull')).out).toEqual([
    'agents/researcher.ts: Researcher written; the tools of its connectors stay in the workspace; its canary tokens stay in the workspace',
  ]);
  expect(scene.readFiles()['researcher.ts']).not.toContain('canary-1234');
  expect((await scene.holdfast('push', '--dry-run')).code).toBe(0);
});

test('tells of functions that agents of the workspace use and the server does not have', async () => {
  await scene.call('POST', '/api/agents', {
    ...{ name: 'Old', model: 'demo', instructions: '' },
    tools: [{ type: 'function', name: 'calculate' }],
  });
  await lab.api.database.system.raw(
    `UPDATE agent_versions SET available_tools = jsonb_set(available_tools, '{0,name}', '"gone"') WHERE name = 'Old'`,
  );
  scene.writeResearcher();
  expect((await scene.holdfast('push')).out).toContain(
    '! The agent "Old" of the workspace uses the function "gone", which the server does not have any more. Its calls fail.',
  );
});

test('names the line of a file that cannot be loaded, and pushes nothing', async () => {
  scene.writeResearcher();
  scene.write('broken.ts', '', 'export default defineAgent({{ name: 1 });');
  expect((await scene.holdfast('push')).stderr).toMatch(/^agents\/broken\.ts:3 cannot be loaded: /);
  scene.write('broken.ts', '', "export default defineAgent({ name: 'X', model: 'demo', instructions: 7 });");
  const { code, stderr } = await scene.holdfast('push');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^agents\/broken\.ts:3 cannot be loaded: The agent "X" cannot be used:\n {2}instructions: /,
  );
  expect(await scene.listAgents()).toEqual([]);
});

test('keeps approval and effect that stand beside the settings of a tool', async () => {
  const write = (options: string) =>
    scene.write(
      'support.ts',
      'export const support = defineAgent({',
      "  name: 'Support', model: 'demo', instructions: 'Answer.',",
      `  tools: [functionTool('calculate', ${options})],`,
      '});',
    );
  write("{ approval: 'ask', effect: 'keyed' }");
  expect((await scene.holdfast('push')).code).toBe(0);
  const settings = { approval: 'ask', effect: 'keyed' };
  expect((await scene.listAgents())[0]?.tools[0]?.settings).toEqual(settings);
  expect((await scene.holdfast('push', '--dry-run')).out).toEqual(['No difference.']);
  write("{ settings: { approval: 'ask', effect: 'keyed' } }");
  expect((await scene.holdfast('push', '--dry-run')).out).toEqual(['No difference.']);
  await scene.holdfast('pull', '--force');
  expect((await scene.holdfast('push', '--dry-run')).out).toEqual(['No difference.']);
  write("{ aproval: 'ask' }");
  const { code, stderr } = await scene.holdfast('push');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^agents\/support\.ts:\d+ cannot be loaded: The tool "calculate" cannot be used:\n {2}aproval: unknown field: did you mean "approval"\?/,
  );
});

test('prints the plan as JSON', async () => {
  scene.writeResearcher();
  const dry = await scene.holdfast('push', '--dry-run', '--json');
  expect(dry.code).toBe(2);
  expect(JSON.parse(dry.out.join('\n'))).toEqual({
    steps: [
      { kind: 'create', name: 'Researcher', file: 'agents/researcher.ts', agentId: null, version: null },
    ],
    leftOver: [],
    warnings: [],
  });
  const pushed = await scene.holdfast('push', '--json');
  const [agent] = await scene.listAgents();
  expect(JSON.parse(pushed.out.join('\n'))).toMatchObject({
    steps: [{ kind: 'create', name: 'Researcher', agentId: agent?.id, version: 1 }],
  });
});
