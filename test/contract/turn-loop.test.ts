import { expect, test } from 'vitest';
import { fewTokens as usage } from '../labs/few-tokens.ts';
import { runTurnLoop, toTurnEnding, TurnStopped, type TurnGround } from '../../src/contract/turn-loop.ts';
import type {
  CallModelResult,
  ExecuteToolCallResult,
  RoutableToolCall,
} from '../../src/contract/turn-steps.ts';

function callOf(name: string, index = 0): RoutableToolCall {
  return { index, name, type: 'function', summary: name, argumentsPreview: '{}', timeoutMs: 1_000 };
}

const asks = (...toolCalls: RoutableToolCall[]): CallModelResult => ({
  finishReason: 'tool_calls',
  usage,
  textPreview: '',
  toolCalls,
});
const answers: CallModelResult = {
  finishReason: 'stop',
  usage,
  textPreview: 'Done.',
  toolCalls: [],
  outcome: 'completed',
};
const succeeded: ExecuteToolCallResult = { status: 'succeeded', resultPreview: '', durationMs: 1 };

/** A ground with scripted answers, which writes down what the loop asks of it. */
function createGround(script: CallModelResult[], parts: Partial<TurnGround> = {}) {
  const log: string[] = [];
  const ground: TurnGround = {
    maxIterations: 10,
    callModel: (iteration, tools) => {
      log.push(`model ${iteration} ${tools}`);
      const next = script.shift();
      return next ? Promise.resolve(next) : Promise.reject(new Error('the script is over'));
    },
    summarizeContext: (iteration) => {
      log.push(`summary ${iteration}`);
      return Promise.resolve({ summaries: 1, usage, textPreview: 'So far.' });
    },
    runToolCall: (iteration, { name }) => {
      log.push(`tool ${iteration} ${name}`);
      return Promise.resolve(succeeded);
    },
    leaves: () => false,
    isStop: () => false,
    watch: {
      begun: () => undefined,
      answered: () => undefined,
      summarized: () => undefined,
      toolEnded: () => undefined,
    },
    ...parts,
  };
  return { ground, log };
}

test('a context that is too long is summarized by a step of its own, and the model is called after it', async () => {
  const { ground, log } = createGround([{ ...asks(), toSummarize: true }, answers]);
  expect(await runTurnLoop(ground)).toEqual({ ending: { outcome: 'completed' } });
  expect(log).toEqual(['model 1 offered', 'summary 1', 'model 1 offered']);
});

test('the model is called until an answer ends the turn', async () => {
  const { ground, log } = createGround([asks(callOf('look')), asks(callOf('book')), answers]);
  expect(await runTurnLoop(ground)).toEqual({ ending: { outcome: 'completed' } });
  expect(log).toEqual([
    'model 1 offered',
    'tool 1 look',
    'model 2 offered',
    'tool 2 book',
    'model 3 offered',
  ]);
});

test('after the last iteration the model is called once more, without tools', async () => {
  const limited: CallModelResult = { ...answers, outcome: 'iteration_limit' };
  const { ground, log } = createGround([asks(callOf('look')), limited], { maxIterations: 1 });
  expect(await runTurnLoop(ground)).toEqual({ ending: { outcome: 'iteration_limit' } });
  expect(log.at(-1)).toBe('model 2 withheld');
});

test('a turn goes on from the iteration that it is given', async () => {
  const { ground, log } = createGround([answers]);
  await runTurnLoop(ground, 4);
  expect(log).toEqual(['model 4 offered']);
});

test('a turn that leaves before a model call returns the iteration of that call', async () => {
  let steps = 0;
  const { ground } = createGround([asks(callOf('look'))], {
    leaves: (calls) => calls === undefined && ++steps > 1,
  });
  expect(await runTurnLoop(ground)).toEqual({ rest: { iteration: 2 } });
});

test('a turn that leaves with its tool calls runs none of them', async () => {
  const calls = [callOf('delegate'), callOf('look', 1)];
  const { ground, log } = createGround([asks(...calls)], {
    leaves: (asked) => asked !== undefined,
  });
  expect(await runTurnLoop(ground)).toEqual({ rest: { iteration: 1, toolCalls: calls } });
  expect(log).toEqual(['model 1 offered']);
});

test('a call that throws does not stop the others, and the model is asked again', async () => {
  const { ground, log } = createGround([asks(callOf('broken'), callOf('fine', 1)), answers], {
    runToolCall: (iteration, { name }) => {
      log.push(`tool ${iteration} ${name}`);
      return name === 'broken' ? Promise.reject(new Error('lost')) : Promise.resolve(succeeded);
    },
  });
  expect(await runTurnLoop(ground)).toEqual({ ending: { outcome: 'completed' } });
  expect(log).toEqual(['model 1 offered', 'tool 1 broken', 'tool 1 fine', 'model 2 offered']);
});

test('a call that throws a stop ends the loop once all other calls have ended', async () => {
  const { ground, log } = createGround([asks(callOf('stop'), callOf('slow', 1))], {
    isStop: () => true,
    runToolCall: async (_, { name }) => {
      if (name === 'stop') throw new Error('cancelled');
      await Promise.resolve();
      log.push('slow has ended');
      return succeeded;
    },
  });
  await expect(runTurnLoop(ground)).rejects.toThrow('cancelled');
  expect(log).toContain('slow has ended');
});

test('a blocked call whose rule ends the turn stops it as failed', async () => {
  const blocked: ExecuteToolCallResult = {
    status: 'blocked',
    resultPreview: 'No.',
    durationMs: 0,
    endsTurn: true,
  };
  const { ground } = createGround([asks(callOf('pay'))], { runToolCall: () => Promise.resolve(blocked) });
  const stopped = await runTurnLoop(ground).catch((error: unknown) => error);
  expect(stopped).toBeInstanceOf(TurnStopped);
  expect(stopped).toMatchObject({
    ending: { outcome: 'failed', error: { code: 'TOOL_BLOCKED', message: 'No.' } },
  });
});

test.each([
  ['TURN_CANCELLED', { outcome: 'cancelled' }],
  ['TURN_TIMED_OUT', { outcome: 'timed_out', error: { code: 'TURN_TIMED_OUT', message: 'x' } }],
  ['MODEL_UNAVAILABLE', { outcome: 'failed', error: { code: 'MODEL_UNAVAILABLE', message: 'x' } }],
] as const)('the error %s of a step gives its turn an ending', (code, ending) => {
  expect(toTurnEnding({ code, message: 'x' })).toEqual(ending);
});
