import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { readModel, runTool, type ChatMessage } from '../../../bench/peers/streaming/read-model.ts';

const call = {
  id: 'call_1',
  type: 'function' as const,
  function: { name: 'calculate', arguments: '{"expression":"1 + 2"}' },
};

/** Starts a model server that sends `text` in parts of a few bytes. */
async function startModel(text: string): Promise<string> {
  const server = createServer((_, response) => {
    for (let start = 0; start < text.length; start += 7) response.write(text.slice(start, start + 7));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function toFrame(delta: object): string {
  return `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
}

async function readAll(url: string) {
  const pieces: string[] = [];
  const reading = readModel(url, []);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { pieces, answer: value };
    pieces.push(value);
  }
}

it('yields the pieces of an answer and returns it with its tool call', async () => {
  const frames = [toFrame({ content: 'a' }), toFrame({ content: 'b' }), toFrame({ tool_calls: [call] })];
  const url = await startModel([...frames, 'data: [DONE]\n\n'].join(''));
  const { pieces, answer } = await readAll(url);
  expect(pieces).toEqual(['a', 'b']);
  expect(answer).toEqual({ role: 'assistant', content: 'ab', tool_calls: [call] });
});

it('fails when an answer breaks', async () => {
  const url = await startModel(toFrame({ content: 'a' }));
  await expect(readAll(url)).rejects.toThrow('[DONE]');
});

it('answers a tool call, and nothing else', () => {
  const answer: ChatMessage = { role: 'assistant', content: '' };
  expect(runTool({ ...answer, tool_calls: [call] })).toEqual({
    role: 'tool',
    tool_call_id: 'call_1',
    content: '3',
  });
  expect(runTool(answer)).toBeNull();
});
