import { expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import type { PinnedSkill } from '../../../src/domain/skill.ts';
import type { ReplayedTurn } from '../../../src/domain/replay.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import { startLabApi } from '../../labs/lab-api.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { readRuns, replay } from '../../labs/replay-scene.ts';
import { load, pinTea, readFile, readOffer } from '../../labs/skill-scene.ts';
import { shareTurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import type { ScriptedToolCall } from '../../servers/scripted-model.ts';

const lab = openForTests(async () => {
  const opened = await shareTurnLab();
  const api = await startLabApi(opened);
  const close = async () => {
    await api.stop();
    await opened.close();
  };
  return { ...opened, api, close };
});

const containing = (text: string): unknown => expect.stringContaining(text);

function script(scene: LabScene, ...rounds: ScriptedToolCall[][]): void {
  scene.reply(...rounds.map((toolCalls) => ({ toolCalls })), { text: 'Done.' });
}

/** A recorded turn that has loaded the first version of a skill, and whose agent has the second one now. */
async function record(): Promise<{
  scene: LabScene;
  skill: PinnedSkill;
  turn: TurnDetails;
  newVersionId: string;
}> {
  const skill = await pinTea(lab, { body: 'The first way.' });
  const scene = await lab.scene({ execution: 'direct', skills: [skill] });
  script(scene, [load(skill)]);
  const turn = await lab.waitForOutcome(await scene.say('Make tea.'));
  const { skillId, version } = await pinTea(lab, { name: skill.name, body: 'The second way.' });
  const { agent } = await lab.api.ask<{ agent: { versionId: string } }>(
    'PATCH',
    `/api/agents/${scene.agent.id}`,
    {
      skills: [{ skillId, version }],
    },
  );
  return { scene, skill, turn, newVersionId: agent.versionId };
}

async function replayOne(turnId: string, more: object = {}) {
  const ended = await replay(lab, { selection: { turnIds: [turnId] }, baseline: false, ...more });
  return (await readRuns({ lab }, ended.id)).find(({ lane }) => lane === 'candidate')?.run?.turns[0];
}

function listResults(run: ReplayedTurn | undefined) {
  return run?.steps.flatMap(({ calls }) => calls).map(({ answeredBy, result }) => [answeredBy, result]);
}

async function fork(turnId: string, parentId: string, more: object = {}) {
  const request = { parentId, input: { turnId, tools: 'recorded' as const, run: true, ...more } };
  const { turn } = await forkConversation({ ...lab.turns, notifier: lab.notifier }, lab, request);
  return lab.waitForOutcome(turn?.id ?? '');
}

test('a replay reads the version of a skill that its turn was recorded with, once', async () => {
  const { scene, skill, turn } = await record();
  const leaves = readFile(skill, 'references/leaves.md');
  script(scene, [load(skill), load(skill), leaves], [leaves]);
  const run = await replayOne(turn.id);

  expect(run).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  expect(listResults(run)).toEqual([
    ['stored', containing('The first way.')],
    ['stored', containing('was read in this turn already')],
    ['stored', containing('80 degrees')],
    ['stored', containing('was read in this turn already')],
  ]);
  const request = scene.requests().at(-1);
  expect(request && readOffer(request.body).tools).toEqual(['load_skill', 'read_skill_resource']);
});

test('a replay with another agent version reads the version of the skill that this one has', async () => {
  const { scene, skill, turn, newVersionId } = await record();
  script(scene, [load(skill)]);
  const run = await replayOne(turn.id, { candidate: { agentVersionId: newVersionId } });
  expect(listResults(run)).toEqual([['stored', containing('The second way.')]]);
});

test('a replay whose skills are called live reads them in the same way', async () => {
  const { scene, skill, turn } = await record();
  script(scene, [load(skill)]);
  const run = await replayOne(turn.id, { toolAnswers: { load_skill: 'live' } });
  expect(listResults(run)).toEqual([['stored', containing('The first way.')]]);
});

test('a replay of a skill that was removed gets the recorded answer', async () => {
  const { scene, skill, turn } = await record();
  await lab.database.system('skills').where({ id: skill.skillId }).delete();
  script(scene, [load(skill)], [readFile(skill, 'references/leaves.md')]);
  const run = await replayOne(turn.id);
  expect(listResults(run)).toEqual([
    ['exact', containing('The first way.')],
    ['stored', containing('was deleted')],
  ]);
});

test('a fork reads the version that its turn was recorded with, and another one when it is told so', async () => {
  const { scene, skill, turn, newVersionId } = await record();
  script(scene, [load(skill)], [load(skill)]);
  const same = await fork(turn.id, scene.conversationId);
  expect(same).toMatchObject({ outcome: 'completed' });
  expect(same.toolCalls).toMatchObject([
    { status: 'succeeded', result: containing('The first way.') },
    { status: 'succeeded', result: containing('was read in this turn already') },
  ]);
  script(scene, [load(skill)]);
  const live = await fork(turn.id, scene.conversationId, { tools: 'live' });
  expect(live.toolCalls).toMatchObject([{ answeredBy: null, result: containing('The first way.') }]);
  script(scene, [load(skill)]);
  const other = await fork(turn.id, scene.conversationId, { agentVersionId: newVersionId });
  expect(other.toolCalls).toMatchObject([{ status: 'succeeded', result: containing('The second way.') }]);
});

test('a fork behind a step that has loaded a skill does not load it again', async () => {
  const { scene, skill, turn } = await record();
  script(scene, [load(skill)]);
  const forked = await fork(turn.id, scene.conversationId, { iteration: 1, tools: 'live' });
  expect(forked.toolCalls).toMatchObject([
    { result: containing('The first way.') },
    { result: containing('was read in this turn already') },
  ]);
});

test('the context and the recording of a conversation show the list of skills', async () => {
  const { scene, skill } = await record();
  const client = createHoldfastClient({ baseUrl: lab.api.url, apiKey: lab.api.key });
  const context = await client.conversations.context(scene.conversationId);
  const line = `- ${skill.name}: ${skill.description}`;
  expect(context.instructions).toContain(line);
  expect(context.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_resource']);
  const lines: string[] = [];
  for await (const one of client.recordings.export({ conversationId: [scene.conversationId] }))
    lines.push(one);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ agent: { instructions: containing(line) } });
});
