import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { eventually } from '../labs/eventually.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { runProgram } from './packed-package.ts';
import type { ReadmeBlock } from './readme-blocks.ts';
import { holdTurn, openConversation, type ReadmeScene } from './readme-scene.ts';
import { pinnedNode } from './tool-pages.ts';

type Proofs = Record<string, (block: ReadmeBlock, scene: ReadmeScene) => void | Promise<void>>;

/** A file that the test has saved before the start. */
function expectSaved({ folder }: ReadmeScene, { file, text }: ReadmeBlock): void {
  expect(readFileSync(path.join(folder, file ?? ''), 'utf8')).toBe(`${text}\n`);
}

/** The checks of the blocks of README.md, by their first lines. */
const proofs: Proofs = {
  'npm start': (_, { start, origin }) => {
    const printed = start.output();
    expect(printed).toContain(`${origin}/api/reference`);
    expect(printed).toContain('npx holdfast chat --agent ');
    expect(printed.trimEnd().endsWith('Ctrl-C stops everything.')).toBe(true);
  },
  'npx holdfast chat': async ({ text }, { variables }) => {
    const printed = await runTyped(`${text} --agent 'Demo agent'`, {
      ...{ variables, input: 'echo hello\nWhat is 6 * 7?\n' },
    });
    expect(printed).toContain('Echo: hello');
    expect(printed).toContain('42');
  },
  // This command runs this test, so the test only checks that CI uses the same one.
  'npm test': ({ text }) => {
    expect(readFileSync('.ci/run', 'utf8')).toContain(`exec ${text}`);
  },
  "import { defineFunction, z } from 'holdfast/functions';": (block, scene) => expectSaved(scene, block),
  "import { defineAgent, functionTool } from 'holdfast/agents';": async (block, scene) => {
    expectSaved(scene, block);
    const { user } = scene;
    const conversationId = await openConversation(scene, 'Shop');
    const ask = async (amount: number) => {
      const message = `use refund with ${JSON.stringify({ order: 'A-17', amount })}`;
      const { turn } = (await user.request(`/api/conversations/${conversationId}/turns`, { message })) as {
        turn: { id: string };
      };
      return eventually(
        async () => ((await user.request(`/api/turns/${turn.id}`)) as { turn: TurnDetails }).turn,
        ({ outcome, pendingActions }) => outcome !== null || pendingActions.length > 0,
      );
    };
    expect(await ask(20)).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'succeeded' }] });
    const waiting = await ask(80);
    expect(waiting.pendingActions).toMatchObject([{ tool: 'refund', askedBecause: [expect.anything()] }]);
    await user.request(`/api/pending-actions/${waiting.pendingActions[0]?.id}/decision`, {
      decision: 'reject',
    });
  },
  // The package is built already, for the project of the test.
  '. .holdfast/env': async ({ text }, { dataDir, origin }) => {
    const [source = '', build] = text.split('\n');
    expect(build).toBe('npm run build');
    const printed = await runTyped(`${source.replace('.holdfast', `'${dataDir}'`)}; echo "$HOLDFAST_URL"`);
    expect(printed.trim()).toBe(origin);
  },
  // Started by the next block.
  "import { createServer } from 'node:http';": () => undefined,
  "curl -sN \"http://127.0.0.1:${CHAT_PORT:-3000}\" -H 'x-customer: customer-42' -H 'Content-Type: application/json' \\":
    async ({ text }, { project, variables }) => {
      const typed = { ...pinnedNode, ...variables, CHAT_PORT: String(await findFreePort()) };
      await using server = typeCommand('node server.ts', { cwd: project.folder, variables: typed });
      const answered = await eventually(
        () => runTyped(text, { variables: typed }).catch(() => server.output()),
        (output) => output.includes('event: turn.settled') || output.includes('Error'),
      );
      expect(answered).toMatch(/event: turn\.accepted.*\[demo model\].*event: turn\.settled/s);
    },
};

/** The same for docs/turns.md. */
const proofsOfTurns: Proofs = {
  // A picture.
  sequenceDiagram: ({ language }) => {
    expect(language).toBe('mermaid');
  },
  "import { createHoldfastClient } from 'holdfast/client';": async (block, scene) => {
    const [first, second] = [await runSnippet(scene, block), await runSnippet(scene, block)];
    for (const printed of [first, second]) expect(printed).toMatch(/\[demo model\].*completed\n$/s);
    const path = '/api/conversations?externalId=customer-42';
    expect(((await scene.user.request(path)) as { conversations: unknown[] }).conversations).toHaveLength(1);
  },
  'node call.ts': async ({ text }, { project, variables }) => {
    const printed = await runTyped(text, { cwd: project.folder, variables: { ...pinnedNode, ...variables } });
    expect(printed).toContain('[demo model]');
  },
  'curl -s "$HOLDFAST_URL/api/conversations/$HOLDFAST_CONVERSATION/turns?wait=true" \\': runCurl,
  "import { Client, Connection } from '@temporalio/client';": async (block, scene) => {
    expect(await runSnippet(scene, block)).toMatch(/^completed .*\[demo model\]/s);
  },
  'node temporal-call.ts': async ({ text }, { project, variables }) => {
    const printed = await runTyped(text, { cwd: project.folder, variables: { ...pinnedNode, ...variables } });
    expect(printed).toMatch(/^completed /);
  },
  'npx holdfast turns show "$TURN_ID"': async ({ text }, scene) => {
    const TURN_ID = await holdTurn(scene, 'add 20 and 22');
    const timeline = await runTyped(text, { variables: { ...scene.variables, TURN_ID } });
    expect(timeline).toContain(TURN_ID);
    expect(timeline).toMatch(/tool\.executed +get-sum.*42/);
    expect(timeline).toMatch(/iteration 1 · answered · demo .*tool_calls\niteration 2 · answered · demo/);
  },
  'curl -s "$HOLDFAST_URL/api/analytics/turns?groupBy=day,agent&limit=1000" \\': async ({ text }, scene) => {
    await holdTurn(scene, 'add 20 and 22');
    const { data } = JSON.parse(await runTyped(text, { variables: scene.variables })) as {
      data: { turns: { turns: number; day: string | null }[] };
    };
    expect(data.turns[0]?.turns).toBeGreaterThan(0);
    expect(data.turns[0]?.day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  },
};

/** The same for docs/rules.md. */
const proofsOfRules: Proofs = {
  "import { defineAgent, functionTool } from 'holdfast/agents';": async (block, scene) => {
    expectSaved(scene, block);
    const conversationId = await openConversation(scene, 'Careful');
    const path = `/api/conversations/${conversationId}/turns?wait=true`;
    const { turn } = (await scene.user.request(path, { message: 'echo amber-kestrel-4711' })) as {
      turn: TurnDetails;
    };
    expect(turn.answer).not.toContain('amber-kestrel-4711');
  },
  'npx holdfast audit verify': async ({ text }, scene) => {
    await holdTurn(scene, 'add 20 and 22');
    const printed = await runTyped(text, { variables: { HOLDFAST_DATA_DIR: scene.dataDir } });
    expect(printed).toMatch(/workspace \S+: \d+ events, whole/);
  },
};

/** The pages whose blocks a test runs, and their checks. */
export const provenPages = [
  ['README.md', proofs],
  ['docs/turns.md', proofsOfTurns],
  ['docs/rules.md', proofsOfRules],
] as const;

/** Runs a program of a page with the variables of the file that `npm start` writes, and prints its `outcome` last. */
function runSnippet({ project, variables }: ReadmeScene, { text }: ReadmeBlock): Promise<string> {
  return runProgram(project, { source: `${text}\nconsole.log(outcome);`, variables });
}

async function runCurl({ text }: ReadmeBlock, { variables }: ReadmeScene): Promise<void> {
  // The same request twice is one turn.
  const answers = [await runTyped(text, { variables }), await runTyped(text, { variables })].map(
    (answer) => (JSON.parse(answer) as { data: { turn: { id: string } } }).data.turn,
  );
  expect(answers[0]).toMatchObject({ outcome: 'completed', toolCalls: [{ name: 'current_time' }] });
  expect(answers[1]).toEqual(answers[0]);
}
