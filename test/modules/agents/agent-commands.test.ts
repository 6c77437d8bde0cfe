import { describe, expect, it } from 'vitest';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';

const agent = { id: 'agent-1', name: 'Support', model: 'demo', version: 3, tools: [] };
const twin = { ...agent, id: 'agent-2', name: 'Sales' };
const agents = [agent, twin, { ...twin, id: 'agent-3' }];

async function open() {
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({ agents, nextCursor: null }),
    'PATCH /api/agents/agent-1': answerWith({ agent: { ...agent, name: 'Help', version: 4 } }),
    'DELETE /api/agents/agent-1': answerWith({ deleted: true }),
    'DELETE /api/agents/agent-3': answerWith({ deleted: true }),
  });
  const run = (...words: string[]) => runCli(['agents', ...words], { environment: toEnvironment(api) });
  return { api, run };
}

describe('holdfast agents', () => {
  it('renames an agent by its name', async () => {
    const { api, run } = await open();
    expect(await run('rename', 'support', 'Help')).toEqual({
      code: 0,
      stdout: 'Agent agent-1 is named "Help" now, in version 4.\n',
      stderr: '',
    });
    expect(api.to('PATCH /api/agents/agent-1').map(({ body }) => body)).toEqual([{ name: 'Help' }]);
  });

  it('asks before it deletes one, and does not without a person who could answer', async () => {
    const { api, run } = await open();
    expect(await run('delete', 'Support')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Delete the agent "Support" (agent-1)? Its conversations can still be read. Say so with --yes. Nothing was deleted.\n',
    });
    expect(api.to('DELETE /api/agents/agent-1')).toHaveLength(0);
    expect((await run('delete', 'Support', '--yes')).stdout).toBe('Agent "Support" (agent-1) is deleted.\n');
    expect(api.to('DELETE /api/agents/agent-1')).toHaveLength(1);
  });

  it('asks for an id when several agents have the name', async () => {
    const { api, run } = await open();
    const { code, stderr } = await run('delete', 'Sales', '--yes');
    expect(code).toBe(1);
    expect(stderr).toBe('2 agents have the name "Sales". Give the id of one of them: agent-2, agent-3.\n');
    expect(await run('delete', 'agent-3', '--yes')).toMatchObject({ code: 0 });
    expect(api.to('DELETE /api/agents/agent-3')).toHaveLength(1);
  });

  it('lists the agents when none has the name', async () => {
    const { run } = await open();
    expect((await run('rename', 'Suport', 'Help')).stderr).toContain('There are: "Support", "Sales"');
  });
});
