import { ProtocolError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { callAsTask } from '../../../src/engines/mcp/task-call.ts';

type Answer = (params: Record<string, unknown>) => unknown;

const task = (status: string) => ({ taskId: 't1', status, pollInterval: 1 });
const created = { task: task('working') };

/** Runs a call as a task of a server that answers by method, and returns its end and the methods that were sent. */
async function run(answers: Record<string, Answer>, signal = new AbortController().signal) {
  const sent: string[] = [];
  const reported: JsonObject[] = [];
  const send = async ({ method, params }: { method: string; params: Record<string, unknown> }) => {
    sent.push(method);
    return (await answers[method]?.(params)) as never;
  };
  const end = await callAsTask({
    ...{ params: { name: 'research' }, deadline: Date.now() + 60_000, signal },
    ...{ send, sendLast: send, onProgress: (detail) => reported.push(detail) },
  }).catch((error: unknown) => error);
  return { end, sent, reported };
}

const refuse = () => {
  throw new ProtocolError(-32_602, 'Task not found');
};

describe('a call that runs as a task', () => {
  test('is asked for until it has ended, with a limit of its time', async () => {
    const statuses = ['working', 'completed'];
    let ttl: unknown;
    const { end, sent, reported } = await run({
      'tools/call': ({ task: asked }) => {
        ({ ttl } = asked as { ttl: unknown });
        return created;
      },
      'tasks/get': () => task(statuses.shift() ?? 'completed'),
      'tasks/result': () => ({ content: [{ type: 'text', text: 'found' }] }),
    });
    expect(end).toEqual({ content: [{ type: 'text', text: 'found' }] });
    expect(sent).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/result']);
    expect(reported).toMatchObject([{ status: 'working' }, { status: 'completed' }]);
    expect(ttl).toBeGreaterThan(0);
  });

  test('is asked for its result at once when it needs input', async () => {
    const { sent } = await run({
      'tools/call': () => created,
      'tasks/get': () => task('input_required'),
      'tasks/result': () => ({ content: [] }),
    });
    expect(sent).toEqual(['tools/call', 'tasks/get', 'tasks/result']);
  });

  test('is cancelled at its server when the call is', async () => {
    const controller = new AbortController();
    const { sent } = await run(
      {
        'tools/call': () => created,
        'tasks/get': () => {
          controller.abort(new Error('cancelled'));
          return task('working');
        },
      },
      controller.signal,
    );
    expect(sent).toEqual(['tools/call', 'tasks/get', 'tasks/cancel']);
  });

  test('may have taken effect when its server no longer knows it', async () => {
    const { end } = await run({ 'tools/call': () => created, 'tasks/get': refuse });
    expect(end).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  test('fails with the error of its server when it has failed', async () => {
    const { end } = await run({
      'tools/call': () => created,
      'tasks/get': () => task('failed'),
      'tasks/result': refuse,
    });
    expect(end).toBeInstanceOf(ProtocolError);
  });

  test('fails with the error of its server when no task was created', async () => {
    const { end, sent } = await run({ 'tools/call': refuse });
    expect(end).toBeInstanceOf(ProtocolError);
    expect(sent).toEqual(['tools/call']);
  });
});
