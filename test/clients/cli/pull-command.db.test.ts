import { beforeEach, expect, test } from 'vitest';
import { startCodeLab, type CodeScene } from '../../labs/code-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';

const lab = openForTests(startCodeLab);
let scene: CodeScene;

beforeEach(async () => {
  scene = await lab.openScene();
});

test('gives the same files after a push, a change and another push', async () => {
  scene.writeResearcher();
  scene.writeSupport();
  await scene.holdfast('push');
  scene.writeResearcher('Look twice.');
  await scene.holdfast('push');
  const files = scene.readFiles();
  expect(await scene.holdfast('pull')).toEqual({
    ...{ code: 0, stderr: '' },
    out: ['The same as in the workspace: 2 agents.'],
  });
  expect(scene.readFiles()).toEqual(files);
  await scene.holdfast('pull', '--agents', 'pulled');
  const pulled = scene.readFiles('pulled');
  expect(Object.keys(pulled)).toEqual(['researcher.ts', 'support.ts']);
  expect(await scene.holdfast('push', '--agents', 'pulled', '--dry-run')).toMatchObject({ code: 0 });
  await scene.holdfast('pull', '--agents', 'pulled', '--force');
  expect(scene.readFiles('pulled')).toEqual(pulled);
  // The tools of the connection say the same as the workspace, so the file need not.
  expect(pulled['support.ts']).toContain(
    "mcpTool({ connection: 'Scouts', tool: 'search', settings: { effect: 'read_only' } })",
  );
  expect(pulled['support.ts']).toContain("agentTool({ name: 'ask', agent: 'Researcher' })");
});

test('does not replace a file that differs, unless it is told to', async () => {
  scene.writeResearcher();
  await scene.holdfast('push');
  const [agent] = await scene.listAgents();
  await scene.call('PATCH', `/api/agents/${agent?.id}`, { instructions: 'Changed elsewhere.' });
  const files = scene.readFiles();
  expect(await scene.holdfast('pull')).toMatchObject({
    code: 1,
    out: ['! agents/researcher.ts: Researcher differs from the workspace; --force replaces it'],
  });
  expect(scene.readFiles()).toEqual(files);
  expect(await scene.holdfast('pull', '--force')).toMatchObject({
    code: 0,
    out: ['agents/researcher.ts: Researcher replaced'],
  });
  expect(scene.readFiles()['researcher.ts']).toBe(
    [
      "import { defineAgent } from 'holdfast/agents';",
      '',
      "export default defineAgent({ name: 'Researcher', model: 'demo', instructions: 'Changed elsewhere.' });",
      '',
    ].join('\n'),
  );
  expect((await scene.holdfast('pull', '--agent', 'Nobody')).stderr).toContain(
    'No agent has the name or id "Nobody". There are: "Researcher".',
  );
});
