import type { Client } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { fetchTurnHistory, readHistoryTexts } from '../labs/histories.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';

let lab: TurnLab;
let server: ScriptedServer;

const filler = 'lorem ipsum '.repeat(400);

beforeAll(async () => {
  server = await startScriptedServer({ report: () => textResult(`${filler} RESULT-MARKER`) });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } }, environment: withoutPlaces });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

function toRecord(attributes: TypedSearchAttributes): Record<string, unknown> {
  return Object.fromEntries(attributes.getAll().map(({ key, value }) => [key.name, value]));
}

/** What the Web UI shows as current details. */
async function readCurrentDetails(client: Client, turnId: string): Promise<string> {
  const metadata = await client.workflow
    .getHandle(`turn-${turnId}`)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

/** The summaries of the steps of a turn that calls a tool once. */
const summaries = (model: string) => ({
  inspectable: [`"${model} iteration 1"`, `"${model} iteration 2"`, '"calculate 5 - 3"'],
  direct: [`"${model} from iteration 1"`],
});

describe.each(executionModes)('the history of the workflow of a turn in %s execution', (execution) => {
  test('contains no bodies of messages, answers, arguments or results', async () => {
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('report')],
      instructions: 'INSTRUCTIONS-MARKER',
    });
    scene.reply(
      {
        text: `${filler} THOUGHT-MARKER`,
        toolCalls: [{ name: 'report', arguments: { note: `${filler} ARGUMENT-MARKER` } }],
      },
      { text: `${filler} ANSWER-MARKER` },
    );
    const turnId = await scene.say(`${filler} MESSAGE-MARKER`);
    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'succeeded' }] });
    const texts = readHistoryTexts(await fetchTurnHistory(lab, turnId)).join('\n');

    expect(texts).toContain(turnId);
    expect(texts).toContain('lorem ipsum');
    expect(texts).not.toContain('MARKER');
  });

  test('does not grow with the conversation', async () => {
    const scene = await lab.scene({ execution });
    const sizes = [];
    for (let index = 0; index < 4; index++) {
      scene.reply({ text: `Answer ${index}: ${filler}` });
      const turn = await lab.waitForOutcome(await scene.say(`Message ${index}: ${filler}`));
      const texts = readHistoryTexts(await fetchTurnHistory(lab, turn.id));
      sizes.push(texts.join('').length);
    }
    const [first = 0] = sizes;
    expect(scene.requests().at(-1)?.body.messages).toHaveLength(8);
    for (const size of sizes) expect(Math.abs(size - first)).toBeLessThan(first * 0.05);
  });

  test('has summaries, search attributes, a priority and current details', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '5 - 3' } }] },
      { text: 'It is *two*.' },
    );
    const turnId = await scene.say('What is\n5 - 3?');
    await lab.waitForOutcome(turnId);
    const handle = lab.client.workflow.getHandle(`turn-${turnId}`);
    const description = await eventually(
      () => handle.describe(),
      ({ status }) => status.name === 'COMPLETED',
    );

    expect(await description.staticSummary()).toBe('What is 5 - 3?');
    expect(toRecord(description.typedSearchAttributes)).toMatchObject({
      HoldfastWorkspace: lab.workspaceId,
      HoldfastAgent: scene.agent.id,
      HoldfastConversation: scene.conversationId,
    });
    // The status of the workflow says that the turn completed.
    expect(toRecord(description.typedSearchAttributes)).not.toHaveProperty('HoldfastOutcome');
    expect(description.priority).toMatchObject({ fairnessKey: lab.workspaceId });
    const texts = readHistoryTexts(await fetchTurnHistory(lab, turnId));
    expect(texts).toEqual(expect.arrayContaining(summaries(scene.agent.model)[execution]));
    const details = await readCurrentDetails(lab.client, turnId);
    expect(details).toContain('**What is 5 - 3?**');
    expect(details).toContain('✓ `calculate 5 - 3` · succeeded');
    expect(details).toContain('It is \\*two\\*.');
    expect(details).toContain('**completed**');
  });
});

test('a running turn reports its progress', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Wait ', hang: true });
  const turnId = await scene.say('Tell me.');
  await scene.waitForRequest(1);
  const handle = lab.client.workflow.getHandle(`turn-${turnId}`);
  expect(await handle.query('turnProgress')).toEqual({ iteration: 1, step: 'model' });
  await lab.cancelTurn(turnId);
  await lab.waitForOutcome(turnId);
  expect(await handle.query('turnProgress')).toEqual({ iteration: 1, step: 'settled' });
});

test('turns can be found by their search attributes', async () => {
  const scene = await lab.scene({ limits: { maxIterations: 1 }, tools: [calculate] });
  scene.reply({ toolCalls: [{ name: 'calculate', arguments: { expression: '5 - 3' } }] }, { text: 'Here.' });
  const turnId = await scene.say('Where?');
  await lab.waitForOutcome(turnId);
  const query = `HoldfastConversation = '${scene.conversationId}' AND HoldfastOutcome = 'iteration_limit'`;
  const found = await eventually(
    async () => {
      const ids = [];
      for await (const run of lab.client.workflow.list({ query })) ids.push(run.workflowId);
      return ids;
    },
    (ids) => ids.length > 0,
  );
  expect(found).toEqual([`turn-${turnId}`]);
});
