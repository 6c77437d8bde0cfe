import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import { eventually } from '../labs/eventually.ts';
import { callPay, payTool } from '../labs/lab-tools.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';
import { runTyped, typeCommand, type TypedCommand } from '../labs/typed-command.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';

/** Temporal looks for turns of a version that is not current any more every second instead of every three minutes. */
const quickDrainage = ['VersionDrainageStatusVisibilityGracePeriod', 'VersionDrainageStatusRefreshInterval'];

/** The commands of the page, in their order. */
function readCommands(): string[] {
  const page = readFileSync('docs/deployment.md', 'utf8');
  return [...page.matchAll(/^ *((?:HOLDFAST_BUILD_ID=|temporal worker ).*)$/gm)].map(([, line = '']) => line);
}

async function openLab(stack: AsyncDisposableStack): Promise<TurnLab> {
  const extraArguments = quickDrainage.flatMap((name) => [
    '--dynamic-config-value',
    `matching.wv.${name}="1s"`,
  ]);
  const server = await startTemporalServer({
    ...{ binary: inject('temporalBinary'), port: await findFreePort(), extraArguments },
    ...{ logFile: path.join(createTemporaryFolder(), 'temporal.log'), environment: process.env },
  });
  stack.defer(server.stop);
  const tools = await startScriptedServer({ pay: () => textResult('paid') });
  stack.defer(tools.close);
  const mcpServers = { lab: { url: tools.url } };
  const place = { mcpServers, temporalAddress: server.address, environment: withoutPlaces };
  const lab = await startTurnLab({ worker: false, ...place });
  stack.defer(lab.close);
  return lab;
}

/** A turn of each kind of execution whose model answers when `until` settles. */
function startTurns(lab: TurnLab, until: Promise<unknown> = Promise.resolve()): Promise<string[]> {
  return Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'Here I am.', until });
      const turnId = await scene.say('Hello?');
      await scene.waitForRequest(1);
      return turnId;
    }),
  );
}

/** A turn of each kind of execution that waits for an approval in a separate run. */
function startWaitingTurns(lab: TurnLab): Promise<string[]> {
  return Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution, tools: [payTool()] });
      scene.reply(callPay(3), { text: 'Paid.' });
      const turnId = await scene.say('Pay.');
      await lab.waitForActions(turnId);
      await eventually(
        () => lab.client.workflow.count(`WorkflowId = 'turn-${turnId}'`),
        ({ count }) => count >= 2,
      );
      return turnId;
    }),
  );
}

/** Waits until turns have completed, and returns the versions of the workers that ran their last runs. */
async function listVersions(lab: TurnLab, turnIds: string[]): Promise<(string | undefined)[]> {
  const versions = new Set<string | undefined>();
  for (const turnId of turnIds) {
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
    const { events } = await lab.client.workflow.getHandle(`turn-${turnId}`).fetchHistory();
    for (const { workflowTaskCompletedEventAttributes: completed } of events ?? [])
      if (completed) versions.add(completed.deploymentVersion?.buildId ?? undefined);
  }
  return [...versions];
}

test('a rolling deploy by the commands of docs/deployment.md ends each turn with its version, and loses none', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await openLab(stack);
  const variables = { ...lab.environment, HOLDFAST_LOG_LEVEL: 'info', TASK_QUEUE: lab.taskQueue };
  const program = `exec '${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const type = (command: string) =>
    runTyped(command.replace(/^temporal/, `'${inject('temporalBinary')}'`), { variables });
  const startWorker = async (command: string): Promise<TypedCommand> => {
    const worker = stack.use(typeCommand(command.replace('npx holdfast', program), { variables }));
    await worker.printed('the worker is ready');
    expect(worker.output()).toContain(`"taskQueue":"${lab.taskQueue}"`);
    return worker;
  };
  const commands = readCommands();
  expect(commands).toHaveLength(5);
  const [startNew = '', describeNew = '', makeNewCurrent = '', describeOld = '', goBack = ''] = commands;
  const waitUntilKnown = (command: string) =>
    eventually(
      () => type(command).catch(() => ''),
      (printed) => /\bworkflow\b/.test(printed) && /\bactivity\b/.test(printed),
    );

  // The first version: workers without one run turns until it is the current one.
  const plain = await startWorker('npx holdfast worker');
  const before = Promise.withResolvers<undefined>();
  const unversioned = await startTurns(lab, before.promise);
  const old = await startWorker(startNew.replace('2.0', '1.0'));
  expect(await listVersions(lab, await startTurns(lab))).toEqual([undefined]);
  await waitUntilKnown(describeOld);
  await type(goBack);
  expect(await listVersions(lab, await startTurns(lab))).toEqual(['1.0']);
  before.resolve(undefined);
  await listVersions(lab, unversioned);
  plain.pressCtrlC();
  expect(await plain.ended).toBe(0);

  const answer = Promise.withResolvers<undefined>();
  const running = await startTurns(lab, answer.promise);
  const waiting = await startWaitingTurns(lab);
  await startWorker(startNew);
  await waitUntilKnown(describeNew);
  expect(await listVersions(lab, await startTurns(lab))).toEqual(['1.0']);
  expect(await type(makeNewCurrent)).toContain('Successfully');
  expect(await listVersions(lab, await startTurns(lab))).toEqual(['2.0']);
  expect(await type(describeOld)).toMatch(/DrainageStatus +draining\b/);
  await type(goBack);
  expect(await listVersions(lab, await startTurns(lab))).toEqual(['1.0']);
  await type(makeNewCurrent);

  answer.resolve(undefined);
  expect(await listVersions(lab, running)).toEqual(['1.0']);
  await eventually(
    () => type(describeOld),
    (printed) => /DrainageStatus +drained\b/.test(printed),
  );
  old.pressCtrlC();
  expect(await old.ended).toBe(0);
  for (const turnId of waiting) {
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
  }
  expect(await listVersions(lab, waiting)).toEqual(['2.0']);
  expect(await lab.database.system('turns').whereNot({ status: 'completed' })).toEqual([]);
}, 240_000);
