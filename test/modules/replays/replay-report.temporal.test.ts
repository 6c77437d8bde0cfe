import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplayReport, ReplayCaseDetails, ReportCase } from '../../../src/domain/replay-report.ts';
import type { Replay } from '../../../src/domain/replay.ts';
import { buildConsole } from '../../../scripts/build-console/build-console.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import {
  createReplayedAgent,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../../labs/replay-scene.ts';

let scene: ReplayLab;
let ended: Replay;

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });

beforeAll(async () => {
  [scene] = await Promise.all([startReplayLab(), buildConsole()]);
  const agent = await createReplayedAgent(scene);
  for (const number of [0, 1, 2]) {
    const instructed = { 'Be brief.': { rounds: [[lookUp(`${number} briefly`)]], answer: 'Short.' } };
    const plan = {
      rounds: [[lookUp(String(number))]],
      answer: 'It is a long answer. '.repeat(number === 1 ? 500 : 1),
    };
    await recordConversation(scene, agent.id, [number === 1 ? { ...plan, instructed } : plan]);
  }
  ended = await replay(scene, { selection: { agentId: agent.id }, candidate: { instructions: 'Be brief.' } });
});

afterAll(() => scene.close());

function open(path: string): Promise<Response> {
  const { url, key } = scene.api;
  return fetch(`${url}/api/replays/${path}`, { headers: { authorization: `Bearer ${key}` } });
}

test('the report has what the replay found, in four formats', async () => {
  const json = await open(`${ended.id}/report`);
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const report = (await json.json()) as ReplayReport;
  expect(report).toMatchObject({
    partial: false,
    replay: { id: ended.id, status: 'completed' },
    summary: {
      cases: 3,
      outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
      differences: { none: 2, arguments: 1 },
    },
    lanes: { original: { passRate: null }, candidate: { passed: 2, passRate: { value: 2 / 3 } } },
  });
  expect(report.cases.map(({ position }) => position)).toEqual([1, 0, 2]);
  expect(report.cases[0]).toMatchObject({
    changed: true,
    tools: ['look_up'],
    lanes: { candidate: { answer: 'Short.', firstDifference: { kind: 'arguments' } } },
  });

  const html = await open(`${ended.id}/report?format=html`);
  expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await html.text()).toContain('<script type="application/json" id="report">{"schemaVersion":1,');
  const markdown = await open(`${ended.id}/report?format=markdown`);
  expect(await markdown.text()).toContain('| 1 |');
  const junit = await open(`${ended.id}/report?format=junit`);
  expect(junit.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(await junit.text()).toContain('failures="1"');
});

test('cases are listed by pages, and one of them has its texts whole', async () => {
  const path = `/api/replays/${ended.id}/cases`;
  const first = await scene.api.ask<{ cases: ReportCase[]; nextCursor: string }>('GET', `${path}?limit=2`);
  expect(first.cases.map(({ position }) => position)).toEqual([0, 1]);
  const second = await scene.api.ask<typeof first>('GET', `${path}?limit=2&cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ cases: [{ position: 2 }], nextCursor: null });
  const changed = await scene.api.ask<typeof first>('GET', `${path}?changed=true`);
  expect(changed).toMatchObject({ cases: [{ position: 1 }], nextCursor: null });
  expect(changed.cases[0]?.lanes.original?.answer?.endsWith('…')).toBe(true);

  const one = await scene.api.ask<{ case: ReplayCaseDetails }>('GET', `${path}/1`);
  expect(one.case.runs.map(({ lane }) => lane)).toEqual(['original', 'baseline', 'candidate']);
  expect(one.case.runs[0]?.run?.turns[0]?.answer).toBe('It is a long answer. '.repeat(500));
});

test('what is not there is not found', async () => {
  for (const path of [`${newId()}/report`, `${newId()}/cases`, `${newId()}/events`, `${ended.id}/cases/99`])
    expect((await open(path)).status).toBe(404);
});

test('the stream of a replay tells its progress until it has ended', async () => {
  const { replay: started } = await scene.api.ask<{ replay: Replay }>('POST', '/api/replays', {
    selection: { agentId: ended.input.selection.agentId },
  });
  const stream = await open(`${started.id}/events`);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const frames = (await stream.text()).split('\n\n');
  const events = frames.flatMap((frame) => /^event: (.+)\ndata: (.+)$/m.exec(frame)?.slice(1, 3) ?? []);
  expect(events[0]).toMatch(/^replay\.(progress|settled)$/);
  expect(events.at(-2)).toBe('replay.settled');
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({
    ...{ type: 'replay.settled', replayId: started.id, status: 'completed' },
    runs: { total: 6, done: 6, failed: 0 },
  });
});
