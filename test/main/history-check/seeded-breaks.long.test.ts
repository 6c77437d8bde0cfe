import { fileURLToPath } from 'node:url';
import type { Payload } from '@temporalio/common';
import type { WorkflowBundle } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../src/main/logger.ts';
import { bundleForReplay } from '../../../src/main/history-check/bundle-for-replay.ts';
import { checkHistories } from '../../../src/main/history-check/check-histories.ts';
import { cleanHistory } from '../../../src/main/history-check/clean-history.ts';
import { readHistories, type ReadHistory } from '../../../src/main/history-check/saved-history.ts';
import { ensureTemporalLogger } from '../../labs/turn-lab-worker.ts';

const histories = readHistories(fileURLToPath(new URL('../../histories/', import.meta.url)));
let bundle: WorkflowBundle;

beforeAll(async () => {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  bundle = await bundleForReplay();
});

/** Changes the one place of the bundled workflows that matches. */
function change(place: RegExp, replacement: string): WorkflowBundle {
  expect([...bundle.code.matchAll(new RegExp(place, 'g'))]).toHaveLength(1);
  return { code: bundle.code.replace(place, replacement) };
}

/** Replays all saved histories, and returns the problems of those that differ by the names of the histories. */
async function findProblems(changed: WorkflowBundle): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { history, problems } of checkHistories(changed, histories)) {
    if (problems.length > 0) found[history.name] = problems.join('\n');
  }
  return found;
}

interface SeededBreak {
  place: RegExp;
  replacement: string;
  /** A history that goes through the place. */
  caughtBy: string;
  /** The line that names it. */
  problem: RegExp;
}

const sdk = String.raw`_temporalio_workflow__WEBPACK_IMPORTED_MODULE_\d__`;
const nondeterminism = /[Nn]ondeterminism|TMPRL1100/;

const breaks: Record<string, SeededBreak> = {
  'an activity is added': {
    place: /\(\)=>turn\.steps\.settleTurn\(input\)/,
    replacement: '()=>turn.steps.settleTurn(input).then(()=>turn.steps.settleTurn(input))',
    caughtBy: 'timed-out-inspectable',
    problem: nondeterminism,
  },
  'an activity is removed': {
    place: /steps\.endToolCall\(/,
    replacement: "((...ended)=>Promise.resolve({ status: 'succeeded', resultPreview: '', durationMs: 1 }))(",
    caughtBy: 'workflow-tool-inspectable',
    problem: nondeterminism,
  },
  'activities are reordered that differ in their inputs alone': {
    place: /Promise\.allSettled\(calls\.map\(/,
    replacement: 'Promise.allSettled([...calls].reverse().map(',
    caughtBy: 'tool-failure-inspectable',
    problem: /^event \d+, activity executeToolCall: input\.0\.index: expected 0, found \d/,
  },
  'an activity has another type': {
    place: /run\('executeToolCall'/,
    replacement: "run('executeToolCalls'",
    caughtBy: 'tool-failure-inspectable',
    problem: nondeterminism,
  },
  'a timer is added': {
    place: /return await run\(\);\s*\} finally(?=\s*\{\s*timer\.cancel)/,
    replacement:
      'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.sleep)(5000); return await run(); } finally',
    caughtBy: 'completed-inspectable',
    problem: nondeterminism,
  },
  'a timer is removed': {
    place: new RegExp(String.raw`\(0,${sdk}\.sleep\)\(hardDeadlineAt - Date\.now\(\), \{`),
    replacement: 'new Promise(()=>undefined, {',
    caughtBy: 'timed-out-inspectable',
    problem: nondeterminism,
  },
  'a timer has another duration': {
    place: new RegExp(String.raw`(\(0,${sdk}\.sleep\))\((hardDeadlineAt - Date\.now\(\)), \{`),
    replacement: '$1(($2) / 2, {',
    caughtBy: 'iteration-limit-inspectable',
    problem: /^event 5, timer 1: durationMs: expected \d+, found \d+/,
  },
  'a branch is changed': {
    place: /iteration > ground\.maxIterations \?/,
    replacement: 'iteration >= ground.maxIterations ?',
    caughtBy: 'iteration-limit-inspectable',
    problem: /^event \d+, activity callModel: input\.0\.tools: expected "offered", found "withheld"/,
  },
  'an activity gets another input': {
    place: /timeoutMs: limits\.activityTimeoutMs,/,
    replacement: 'timeoutMs: 2 * limits.activityTimeoutMs,',
    caughtBy: 'completed-inspectable',
    problem: /^event 6, activity callModel: input\.0\.timeoutMs: expected (\d+), found (?!\1)\d+/,
  },
  'an activity gets less input': {
    place: /timeoutMs: limits\.activityTimeoutMs,/,
    replacement: '',
    caughtBy: 'completed-inspectable',
    problem: /^event 6, activity callModel: input\.0\.timeoutMs: expected \d+, found nothing/,
  },
  'a child has another workflow type': {
    place: /\(child\.workflowType,/,
    replacement: "('otherWorkflow',",
    caughtBy: 'workflow-tool-inspectable',
    problem: nondeterminism,
  },
  'a child gets another input': {
    place: /child\.input\s*\]/,
    replacement: '{ ...child.input, amount: -1 }, "more"]',
    caughtBy: 'workflow-tool-inspectable',
    problem: /^event \d+, child workflow \S+: input\./,
  },
  'a child has another id': {
    place: /workflowId: child\.workflowId,/,
    replacement: 'workflowId: `${child.workflowId}-2`,',
    caughtBy: 'workflow-tool-inspectable',
    problem: nondeterminism,
  },
  'a search attribute has another value': {
    place: /outcomeKey,\s*value: outcome/,
    replacement: "outcomeKey, value: 'ended'",
    caughtBy: 'timed-out-inspectable',
    problem: /^event \d+, search attributes \w+: values\.\w+.*: expected "timed_out", found "ended"/,
  },
  'a workflow has another result': {
    place: /iterations: turn\.progress\.iteration\s*\};\s*\}/,
    replacement: 'iterations: 0 }; }',
    caughtBy: 'completed-inspectable',
    problem: /^event \d+, end completed: result\.0\.iterations: expected 2, found 0/,
  },
  'a delivery waits for another time': {
    place: /signals > before, waitMs\)/,
    replacement: 'signals > before, waitMs + 1000)',
    caughtBy: 'webhook-delivery',
    problem: /^event \d+, timer 1: durationMs: expected \d+, found \d+/,
  },
  'a run that continues gets another input': {
    place: /decided: \[\s*\.\.\.decided,\s*\.\.\.turn\.decided\s*\]/,
    replacement: 'decided: []',
    caughtBy: 'former-approval-fast-run-2',
    problem:
      /^event \d+, end continued as new: input\.0\.paused\.decided\.0: expected "[\w-]+", found nothing/,
  },
  'a run that continues has another timeout': {
    place: /31 \* 24 \* 60 \* 60 \* 1000/,
    replacement: '30 * 24 * 60 * 60 * 1000',
    caughtBy: 'approval-inspectable-run-1',
    problem: /^event \d+, end continued as new: runTimeoutMs: expected 2678400000, found 2592000000/,
  },
  'a workflow continues as new where it waited': {
    place: /if \(decided\.length > 0\) \{/,
    replacement: 'if (decided.length >= 0) {',
    caughtBy: 'approval-inspectable-run-2',
    problem: nondeterminism,
  },
  'a workflow goes on where it continued as new': {
    place: /\* lateShare\) return undefined/,
    replacement: '* 1000) return undefined',
    caughtBy: 'late-worker-inspectable-run-1',
    problem: nondeterminism,
  },
  'a turn from a recording runs its tools': {
    place: /runTurn\(input, runFromRecording\)/,
    replacement: 'fastTurn(input)',
    caughtBy: 'recorded-turn',
    problem: nondeterminism,
  },
  'a local activity gets another input': {
    place: /run\.step \+= 1/,
    replacement: 'run.step += 2',
    caughtBy: 'swarm-with-leader',
    problem: /^event \d+, local activity advanceSwarm: input\.0\.step: expected "[\w-]+:1", found "[\w-]+:2"/,
  },
  'documents are embedded in other batches': {
    place: /const chunksPerEmbedding = 64/,
    replacement: 'const chunksPerEmbedding = 65',
    caughtBy: 'document-ingestion',
    problem: /^event \d+, activity embedChunks: input\.0\.to: expected 64, found 65/,
  },
  'the result of a submission has another form': {
    place: /return \{\s*turn: await waitUntilSettled\(input\)\s*\}/,
    replacement: 'return await waitUntilSettled(input)',
    caughtBy: 'turn-submission',
    problem: /^event \d+, end completed: result\.0\.turn: expected \{.*, found nothing/,
  },
};

test.each(Object.entries(breaks))('a break is caught and its place is named: %s', async (_, seeded) => {
  const problems = await findProblems(change(seeded.place, seeded.replacement));
  expect(problems[seeded.caughtBy]).toMatch(seeded.problem);
});

test('a change behind a patch passes', async () => {
  const patched = '_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.patched';
  const changed = change(
    /\(\)=>turn\.steps\.settleTurn\(input\)/,
    `()=>turn.steps.settleTurn(input).then((end)=>${patched}('settles-twice') ? turn.steps.settleTurn(input) : end)`,
  );
  expect(await findProblems(changed)).toEqual({});
});

test('a field that is added to an input passes and is named', async () => {
  const changed = change(/(timeoutMs: limits\.activityTimeoutMs,)/, '$1 more: true,');
  const additions: string[] = [];
  for await (const checked of checkHistories(changed, histories)) {
    expect(checked.problems).toEqual([]);
    additions.push(...checked.additions);
  }
  expect(additions).toContain('event 6, activity callModel: input.0.more: expected nothing, found true');
});

test('a number that a workflow has put into a text is compared in a masked history', async () => {
  const [read] = histories.filter(({ name }) => name === 'swarm-with-leader');
  if (!read) throw new Error('there is no such history');
  const history = structuredClone(read.history);
  const codec = {
    encode: (all: Payload[]) => Promise.resolve(all),
    decode: (all: Payload[]) => Promise.resolve(all),
  };
  await cleanHistory(history, { codec, masks: true });
  const masked = { ...read, history, isMasked: true, noted: [] };
  const check = async (code: WorkflowBundle, noted: ReadHistory['noted']) => {
    for await (const checked of checkHistories(code, [{ ...masked, noted }])) return checked;
    throw new Error('the history was not replayed');
  };
  const before = await check(bundle, []);
  const { noted } = before;
  expect(before.problems).toEqual([]);
  expect((await check(bundle, noted)).problems).toEqual([]);
  const changed = await check(change(/run\.step \+= 1/, 'run.step += 2'), noted);
  expect(changed.problems.join('\n')).toMatch(/advanceSwarm: input\.0\.step: expected ".*:1", found ".*:2"/);
});
