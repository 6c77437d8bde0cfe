import { describe, expect, test } from 'vitest';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { openChunkWriter } from '../../labs/write-chunk.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

type Answers = ReturnType<typeof createTurnAnswerRepository>;

function inAnswers<Result>(place: RowRef, run: (answers: Answers) => Promise<Result>): Promise<Result> {
  return rows.database.transact(place.workspaceId, (query) => run(createTurnAnswerRepository(query)));
}

function readEventTypes({ conversationId }: RowRef): Promise<string[]> {
  return rows.database
    .system('events')
    .where({ conversation_id: conversationId })
    .orderBy('seq')
    .pluck<string[]>('type');
}

async function startTurn() {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  return { place, turn };
}

function settlement(turnId: string, outcome: 'cancelled' | 'failed' = 'cancelled') {
  const usage = {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  const answer = 'It was stopped.';
  return {
    turnId,
    outcome,
    answer,
    error: null,
    event: {
      type: 'turn.settled' as const,
      payload: { outcome, answer, error: null, iterations: 0, usage },
    },
  };
}

describe('storing the answer of a model', () => {
  test('stores message, usage, tool calls and event together', async () => {
    const { place, turn } = await startTurn();
    const toolCalls = [createToolCall(0), createToolCall(1, 'read_only')];
    const answer = createAnswer(turn.id, { text: 'Let me look.', toolCalls, finishReason: 'tool_calls' });

    expect(await rows.storeAnswer(place, answer)).toBe(true);
    const { system } = rows.database;
    expect(await system('turns').where({ id: turn.id })).toMatchObject([
      { status: 'running', iterations: 1, input_tokens: 3, output_tokens: 2, answer: null },
    ]);
    expect(await system('messages').where({ turn_id: turn.id, role: 'assistant' })).toMatchObject([
      { id: answer.messageId, text: 'Let me look.', iteration: 1, finish_reason: 'tool_calls' },
    ]);
    expect(await system('usage').where({ turn_id: turn.id })).toMatchObject([
      { iteration: 1, input_tokens: 3 },
    ]);
    expect(await system('tool_calls').where({ turn_id: turn.id }).orderBy('index')).toMatchObject([
      { id: toolCalls[0]?.id, status: 'requested', attempts: 0, effect: 'unsafe', tool: null },
      { id: toolCalls[1]?.id, status: 'requested', attempts: 0, effect: 'read_only', tool: null },
    ]);
    expect(await readEventTypes(place)).toEqual(['turn.started', 'message.created']);
  });

  test('stores the deviations of its model call', async () => {
    const { place, turn } = await startTurn();
    const record = {
      toolChoice: 'none' as const,
      leftOut: ['send_mail'],
      sampling: { temperature: 0.2 },
      contextFrom: 3,
    };
    await rows.storeAnswer(place, createAnswer(turn.id, { record }));

    expect(await rows.database.system('usage').where({ turn_id: turn.id })).toMatchObject([
      {
        tool_choice: 'none',
        left_out: ['send_mail'],
        sampling: { temperature: 0.2 },
        context_from: 3,
        duration_ms: 1200,
      },
    ]);
  });

  test('for a second time changes nothing', async () => {
    const { place, turn } = await startTurn();
    await rows.storeAnswer(place, createAnswer(turn.id, { text: 'First' }));

    expect(await rows.storeAnswer(place, createAnswer(turn.id, { text: 'Second' }))).toBe(false);
    const messages = await rows.database.system('messages').where({ turn_id: turn.id, iteration: 1 });
    expect(messages).toMatchObject([{ text: 'First' }]);
    expect(await readEventTypes(place)).toEqual(['turn.started', 'message.created']);
  });

  test('by concurrent attempts stores one, with its usage and events once', async () => {
    const { place, turn } = await startTurn();
    const stored = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        rows.storeAnswer(
          place,
          createAnswer(turn.id, { text: `Answer ${index}`, toolCalls: [createToolCall(0)] }),
        ),
      ),
    );

    expect(stored.filter(Boolean)).toHaveLength(1);
    const { system } = rows.database;
    expect(await system('messages').where({ turn_id: turn.id, iteration: 1 })).toMatchObject([
      { text: `Answer ${stored.indexOf(true)}` },
    ]);
    expect(await system('turns').where({ id: turn.id })).toMatchObject([
      { input_tokens: 3, output_tokens: 2 },
    ]);
    expect(await system('tool_calls').where({ turn_id: turn.id })).toHaveLength(1);
    expect(await readEventTypes(place)).toEqual(['turn.started', 'message.created']);
  });

  test('that ends the turn, by concurrent attempts, ends it once', async () => {
    const { place, turn } = await startTurn();
    const stored = await Promise.all(
      Array.from({ length: 10 }, () =>
        rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' })),
      ),
    );

    expect(stored.filter(Boolean)).toHaveLength(1);
    expect(await rows.database.system('turns').where({ id: turn.id })).toMatchObject([
      { status: 'completed', answer: 'Answer' },
    ]);
  });

  test('of a settled turn is refused', async () => {
    const { place, turn } = await startTurn();
    await inAnswers(place, (answers) => answers.settleTurn(settlement(turn.id)));

    expect(await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }))).toBe(false);
    expect(await rows.database.system('turns').where({ id: turn.id })).toMatchObject([
      { status: 'cancelled', answer: 'It was stopped.' },
    ]);
  });

  test('while the turn is being settled waits, and is then refused', async () => {
    const { place, turn } = await startTurn();
    const stored = inAnswers(place, async (answers) => {
      await answers.lockTurn(turn.id);
      const storing = rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
      await answers.settleTurn(settlement(turn.id));
      return { storing };
    });

    expect(await (await stored).storing).toBe(false);
    expect(await readEventTypes(place)).toEqual(['turn.started', 'turn.settled']);
  });
});

describe('settling a turn', () => {
  test('stores the message for the user as the last message', async () => {
    const { place, turn } = await startTurn();
    await rows.storeAnswer(place, createAnswer(turn.id));
    await inAnswers(place, (answers) => answers.settleTurn(settlement(turn.id, 'failed')));
    const messages = await rows.database.system('messages').where({ turn_id: turn.id }).orderBy('iteration');

    expect(messages).toMatchObject([
      { iteration: 0, role: 'user' },
      { iteration: 1, role: 'assistant', text: 'Answer' },
      { iteration: 2, role: 'assistant', text: 'It was stopped.' },
    ]);
  });

  test('returns only the text that the last attempt has streamed in that iteration', async () => {
    const { place, turn } = await startTurn();
    const write = openChunkWriter(rows.database);
    const chunks: [number, number, string | null][] = [
      [1, 1, 'An older iteration.'],
      [2, 1, 'A first attempt '],
      [2, 2, null],
      [2, 2, 'A second '],
      [2, 2, 'attempt.'],
      // A third attempt that streamed no text.
      [2, 3, null],
    ];
    for (const [iteration, attempt, text] of chunks) {
      await write({
        conversationId: place.conversationId,
        turnId: turn.id,
        iteration,
        attempt,
        text,
      });
    }
    const read = (iteration: number) =>
      inAnswers(place, (answers) => answers.findPartialText(turn.id, iteration));

    expect(await read(2)).toBe('A second attempt.');
    expect(await read(3)).toBe('');
  });
});

describe('promoting the next turn', () => {
  test('starts the oldest queued turn, and only when no turn runs', async () => {
    const place = await rows.createConversation();
    const { turn: running } = await rows.submit(place);
    const { turn: second } = await rows.submit(place, { onBusy: 'enqueue', message: 'Second' });
    await rows.submit(place, { onBusy: 'enqueue', message: 'Third' });
    const promote = () => inAnswers(place, (answers) => answers.promoteNextTurn(place.conversationId));
    expect(await promote()).toBeNull();
    await rows.storeAnswer(place, createAnswer(running.id, { outcome: 'completed' }));
    const starts = await Promise.allSettled([promote(), promote(), promote()]);

    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? (start.value ?? []) : []));
    expect(started).toMatchObject([{ turnId: second.id, messagePreview: 'Second' }]);
    expect(await rows.database.system('turns').where({ id: second.id })).toMatchObject([
      { status: 'running', started_at: expect.any(Date) as Date, deadline_at: expect.any(Date) as Date },
    ]);
    expect((await readEventTypes(place)).filter((type) => type === 'turn.started')).toHaveLength(2);
  });

  test('starts no later turn while another call starts the oldest', async () => {
    const place = await rows.createConversation();
    const { turn: running } = await rows.submit(place);
    const { turn: second } = await rows.submit(place, { onBusy: 'enqueue', message: 'Second' });
    await rows.submit(place, { onBusy: 'enqueue', message: 'Third' });
    await rows.storeAnswer(place, createAnswer(running.id, { outcome: 'completed' }));
    const promote = () => inAnswers(place, (answers) => answers.promoteNextTurn(place.conversationId));
    await rows.database.inWorkspace(place.workspaceId, async (other) => {
      await other.raw('SELECT FROM turns WHERE id = ? FOR UPDATE', [second.id]);
      expect(await promote()).toBeNull();
    });
    expect(await promote()).toMatchObject({ turnId: second.id });
  });
});
