import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executionModes, type ExecutionMode } from '../../../src/domain/agent.ts';
import { eventually } from '../../labs/eventually.ts';
import { callPay, payTool } from '../../labs/lab-tools.ts';
import { runSpawned } from '../../labs/run-cli.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult } from '../../servers/mcp-servers.ts';

const message = 'Please pay the bill of Grete Samsa.';
const reason = 'Her brother Gregor agreed.';

/** A turn that waits for an approval and goes on, one that still waits, and one that was stopped, of each kind. */
async function runTurns(lab: TurnLab): Promise<void> {
  const kinds = executionModes.map((execution) => [
    approveTurn(lab, execution),
    holdTurn(lab, execution),
    holdTurn(lab, execution).then(async (turnId) => {
      await lab.cancelTurn(turnId);
      await lab.waitForOutcome(turnId);
    }),
  ]);
  await Promise.all(kinds.flat());
  await lab.sweep();
}

async function approveTurn(lab: TurnLab, execution: ExecutionMode): Promise<void> {
  const scene = await lab.scene({ execution, tools: [payTool()] });
  scene.reply(callPay(3), { text: 'Grete, it is paid.' });
  const turnId = await scene.say(message);
  const [action] = await lab.waitForActions(turnId);
  await waitForRuns(lab, turnId, 2);
  await lab.decide(action?.id ?? '', { decision: 'approve', reason });
  await lab.waitForOutcome(turnId);
}

/** Returns the id of a turn that waits for an approval. */
async function holdTurn(lab: TurnLab, execution: ExecutionMode): Promise<string> {
  const scene = await lab.scene({ execution, tools: [payTool()] });
  scene.reply(callPay(4));
  const turnId = await scene.say(message);
  await lab.waitForActions(turnId);
  await waitForRuns(lab, turnId, 2);
  return turnId;
}

/** Waits until a turn has continued as new. */
async function waitForRuns({ client }: TurnLab, turnId: string, count: number): Promise<void> {
  await eventually(
    () => client.workflow.count(`WorkflowId = 'turn-${turnId}'`),
    (runs) => runs.count >= count,
  );
}

/** Opens a laboratory with the turns, and returns it with what closes it. */
async function openLab(encrypts: boolean) {
  const server = await startScriptedServer({ pay: () => textResult('paid to Grete') });
  const lab = await startTurnLab({
    mcpServers: { lab: { url: server.url } },
    environment: { HOLDFAST_ENCRYPT_PAYLOADS: String(encrypts) },
  });
  await runTurns(lab);
  const close = async () => {
    await lab.close();
    await server.close();
  };
  return { lab, close };
}

function exportTo(folder: string, { environment }: TurnLab, ...words: string[]) {
  return runSpawned(['histories', 'export', '--out', folder, ...words], { environment });
}

/** Returns the files of a folder, with the payloads decoded. */
function readFiles(folder: string): string {
  return readdirSync(folder)
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n')
    .replaceAll(/"data": "([^"]+)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());
}

describe.each([false, true])('of an installation with payload encryption %s', (encrypts) => {
  let opened: Awaited<ReturnType<typeof openLab>>;
  beforeAll(async () => {
    opened = await openLab(encrypts);
  });
  afterAll(() => opened.close());

  test('exported histories of each type have no texts of people, and are replayed without a difference', async () => {
    const folder = createTemporaryFolder();
    const { code, stdout, stderr } = await exportTo(folder, opened.lab);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^7 of agentTurn$/m);
    expect(stdout).toMatch(/^7 of fastTurn$/m);
    expect(stdout).toMatch(/^[1-9]\d* of turnSweep$/m);

    const texts = readFiles(folder);
    expect(texts).toContain('"outcome":"completed"');
    expect(texts).toContain('xxxxxx xxx xxx xxxx xx xxxxx xxxxx.');
    expect(texts).not.toMatch(/Grete|Samsa|Gregor/);
    const checked = await runSpawned(['histories', 'check', folder]);
    expect(checked.stdout).toMatch(/ histories, 0 of them differ\.\n$/);
    expect(checked.code).toBe(0);
  });

  // One of the two installations is enough for the rest.
  if (!encrypts) return;

  test('a sample is the same for the same seed, and keeps texts when it is told to', async () => {
    const [first, second] = [createTemporaryFolder(), createTemporaryFolder()];
    for (const folder of [first, second]) {
      const { stdout } = await exportTo(folder, opened.lab, '--sample', '2', '--seed', '7', '--with-texts');
      expect(stdout).toMatch(/^2 of agentTurn$/m);
    }
    const turns = (folder: string) => readdirSync(folder).filter((file) => /Turn-/.test(file));
    expect(turns(first)).toEqual(turns(second));
    expect(readFiles(first)).toContain(message);
    expect(await runSpawned(['histories', 'check', first])).toMatchObject({ code: 0 });
  });
});

test('an export says what is wrong with its options', async () => {
  const lab = await startTurnLab({ worker: false });
  onTestFinished(() => lab.close());
  const folder = createTemporaryFolder();
  expect(await exportTo(folder, lab)).toMatchObject({
    code: 1,
    stderr: 'Temporal has no workflow of this installation.\n',
  });
  const { code, stderr } = await exportTo(folder, lab, '--sample', 'many');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^--sample: /);
});
