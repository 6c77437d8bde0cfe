import { expect, test } from 'vitest';
import { judgeAnswer, type JudgedAnswer } from '../../../activities/model/judge-answer.ts';
import type { StepTools } from '../../../activities/step-dependencies.ts';
import type { FieldError } from '../../../src/domain/errors.ts';
import { createStarved } from '../../../src/platform/lib/thread.ts';

test('an answer for whose check there was no time is checked again, and not asked for again', async () => {
  const checks: (Error | FieldError[])[] = [createStarved('a check'), []];
  const checkSchema = () => {
    const next = checks.shift() ?? [];
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const judged = {
    input: { workspaceId: 'workspace', tools: 'offered', deadlineAt: Infinity },
    step: { responseSchema: { type: 'object' } },
    answer: { text: '{"a": 1}', toolCalls: [], finishReason: 'stop' },
    ...{ isBlocked: false, context: [] },
  } as unknown as JudgedAnswer;
  const tools = { checksOf: () => ({ checkSchema }) } as unknown as Pick<StepTools, 'checksOf'>;
  expect(await judgeAnswer(tools, judged)).toEqual({ outcome: 'completed', json: { a: 1 } });
  expect(checks).toEqual([]);
});
