import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { runCli } from './run-cli.ts';
import { createTemporaryFolder } from './temporary-folder.ts';
import { defineTool, startDefinitionServer } from '../servers/definition-server.ts';
import { startToolApi, type ToolApi, type ToolData } from './tool-api.ts';

/** The first line of a file of agents. */
export const importLine =
  "import { agentTool, clientTool, defineAgent, functionTool, gatewayTool, knowledgeBaseTool, mcpTool, z } from 'holdfast/agents';";

/** Starts an API, and an MCP server with the tools `search`, which only reads, and `report`. */
export async function startCodeLab() {
  const api = await startToolApi();
  const server = await startDefinitionServer([
    defineTool('search', { annotations: { readOnlyHint: true } }),
    defineTool('report'),
  ]);
  const close = async () => {
    await server.close();
    await api.stop();
  };
  return { api, server, openScene: () => openCodeScene(api, server.url), close };
}

/** A project with a folder of agents, and its own workspace. */
export type CodeScene = Awaited<ReturnType<typeof openCodeScene>>;

/** Opens a project named `shop`, and a workspace with a connection "Scouts" and a knowledge base "Handbook". */
async function openCodeScene(api: ToolApi, endpoint: string) {
  const project = createTemporaryFolder();
  mkdirSync(path.join(project, 'agents'));
  writeFileSync(path.join(project, 'package.json'), '{ "name": "shop", "type": "module" }');
  const { key } = await api.createWorkspace();
  const call = async (method: string, route: string, body?: object): Promise<ToolData> => {
    const { data, error } = await api.call(method, route, { key, ...(body && { body }) });
    expect(error).toBeUndefined();
    return data;
  };
  const scouts = { name: 'Scouts', provider: 'mcp', endpoint, auth: { type: 'none' } };
  await call('POST', '/api/connections', scouts);
  await call('POST', '/api/knowledge-bases', { name: 'Handbook' });
  const inProject = (...parts: string[]) => path.join(project, ...parts);
  const write = (file: string, ...lines: string[]) =>
    writeFileSync(inProject('agents', file), `${[importLine, ...lines].join('\n')}\n`);
  return {
    call,
    inProject,
    write,
    remove: (file: string) => rmSync(inProject('agents', file)),
    /** Oldest first. */
    listAgents: async (): Promise<Agent[]> => {
      const data = (await call('GET', '/api/agents')) as unknown as { agents: Agent[] };
      return data.agents.toReversed();
    },
    readFiles: (folder = 'agents'): Record<string, string> => {
      const names = readdirSync(inProject(folder)).sort();
      return Object.fromEntries(names.map((name) => [name, readFileSync(inProject(folder, name), 'utf8')]));
    },
    /** Runs the program in the folder of the project. */
    holdfast: async (...words: string[]) => {
      const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
      const { code, stdout, stderr } = await runCli(words, { environment, cwd: project });
      return { code, out: stdout.trimEnd().split('\n'), stderr };
    },
    /** Writes an agent that only has instructions. */
    writeResearcher: (instructions = 'Look it up.') =>
      write(
        'researcher.ts',
        `export const researcher = defineAgent({ name: 'Researcher', model: 'demo', instructions: '${instructions}' });`,
      ),
    /** Writes an agent with tools of several types, one of which asks the researcher. */
    writeSupport: () =>
      write(
        'support.ts',
        "import { researcher } from './researcher.ts';",
        'export const support = defineAgent({',
        "  name: 'Support', model: 'demo', instructions: 'Answer.\\nBe short.',",
        "  rules: { tool_allowlist: ['search', 'docs', 'ask', 'calculate', 'pay', 'everything'] },",
        '  limits: { maxIterations: 10, maxTokens: 5000 },',
        '  tools: [',
        "    mcpTool({ connection: 'Scouts', tool: 'search' }),",
        "    knowledgeBaseTool({ name: 'docs', knowledgeBase: 'Handbook' }),",
        "    agentTool({ name: 'ask', agent: researcher }),",
        "    functionTool('calculate'),",
        "    clientTool({ name: 'pay', description: 'Pays.', input: z.object({ cents: z.int() }) }),",
        "    gatewayTool({ name: 'everything', servers: ['Scouts'] }),",
        '  ],',
        '});',
      ),
  };
}
