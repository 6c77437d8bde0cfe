import { expect, test } from 'vitest';
import { readTurn } from '../../../bench/faults/reading-load.ts';
import { findProblems } from '../../../bench/faults/verdict.ts';
import type { ReceivedEvent } from '../../../src/clients/client/received-event.ts';
import type { ShopTool } from '../../../bench/faults/shop.ts';
import type { ToolCallStatus } from '../../../src/domain/turn.ts';

const order = 'one';

/** Returns the kinds of problems of a call that took effect so often, where the tools answer every call. */
function judge(
  call: { name: ShopTool; status: ToolCallStatus; effects: number },
  toolsAnswer = true,
): string[] {
  const { name, status, effects } = call;
  const execution = { tool: name, order, arguments: { order }, key: undefined };
  const executions = Array.from({ length: effects }, () => execution);
  return findProblems({ order, name, status }, { executions, toolsAnswer }).map(({ kind }) => kind);
}

test('only a call without a key may have an unknown outcome where the tools answer', () => {
  expect(judge({ name: 'pay', status: 'unknown', effects: 1 })).toEqual([]);
  expect(judge({ name: 'book', status: 'unknown', effects: 1 })).toEqual(['told']);
  expect(judge({ name: 'look', status: 'unknown', effects: 1 })).toEqual(['told']);
  expect(judge({ name: 'book', status: 'unknown', effects: 1 }, false)).toEqual([]);
});

test('no call fails where the tools answer, also none that was never sent', () => {
  expect(judge({ name: 'look', status: 'failed', effects: 0 })).toEqual(['told']);
  expect(judge({ name: 'pay', status: 'failed', effects: 0 })).toEqual(['told']);
  expect(judge({ name: 'look', status: 'failed', effects: 0 }, false)).toEqual([]);
  expect(judge({ name: 'look', status: 'succeeded', effects: 2 })).toEqual([]);
});

test('a reader whose pieces are not those of the message is a problem', async () => {
  const place = { turnId: 'turn', iteration: 1 };
  const piece = (text: string) => ({ type: 'text.delta', ...place, text });
  const message = { type: 'message.created', turnId: 'turn', payload: { iteration: 1, text: 'Hello' } };
  const read = async (...events: object[]) => {
    async function* stream() {
      yield* events as ReceivedEvent[];
      await Promise.resolve();
    }
    return (await readTurn(stream())).length;
  };
  expect(await read(piece('Hel'), piece('lo'), message)).toBe(0);
  expect(await read(message)).toBe(0);
  expect(await read(piece('Other'), { type: 'stream.reset', ...place }, message)).toBe(0);
  expect(await read(piece('Other'), message)).toBe(1);
});
