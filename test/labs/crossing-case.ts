import type { ExecutionMode } from '../../src/domain/agent.ts';
import { noRules } from '../../src/domain/rules.ts';
import type { ScriptEntry } from '../servers/scripted-model.ts';
import { calculate } from './lab-tools.ts';
import type { LabSceneOptions } from './turn-lab-scene.ts';

/** The ends of a turn that a message may cross. */
export const crossedEnds = [
  'answer',
  'cancel',
  'interrupt',
  'rollback',
  'deadline',
  'iteration_limit',
  'budget',
  'failure',
  'blocked',
] as const;
export type CrossedEnd = (typeof crossedEnds)[number];

/**
 * The messages that may cross the end of a turn. A `seen` one steers and comes before the last model call, a `waiting` one
 * steers and comes during that call, a `hurried` one ends that call, and an `enqueued` one comes then and does not steer.
 */
export const crossingMessages = ['seen', 'waiting', 'hurried', 'enqueued'] as const;
export type CrossingMessage = (typeof crossingMessages)[number];

/** A message that crosses the end of a turn. */
export interface Crossing {
  execution: ExecutionMode;
  end: CrossedEnd;
  message: CrossingMessage;
}

const canary = 'Zebra-7719-Quokka';

/** Returns the agent of a crossing, whose limits or rules end the turn where no caller does. */
export function toAgent({ execution, end, message }: Crossing): LabSceneOptions {
  // A hurried message ends the call in time, so that the limit is there for a call that it does not end.
  const turnTimeoutMs = message === 'hurried' ? 40_000 : 6_000;
  return {
    execution,
    tools: [calculate],
    ...(end === 'deadline' ? { limits: { turnTimeoutMs } } : {}),
    ...(end === 'iteration_limit' ? { limits: { maxIterations: 1 } } : {}),
    ...(end === 'blocked' ? { rules: { ...noRules, canaryTokens: [canary] } } : {}),
  };
}

/** Returns true when something stops the last model call of a turn that ends so. */
export function isStopped(end: CrossedEnd): boolean {
  return ['cancel', 'interrupt', 'rollback', 'deadline'].includes(end);
}

/** Returns the number of the last model call of a crossed turn; a budget refuses the call after it. */
export function toLastCall({ end, message }: Crossing): number {
  if (end === 'budget') return 1;
  return message === 'seen' || end === 'iteration_limit' ? 2 : 1;
}

/** Returns the answer to a model call, by its number in the conversation. */
export function toReply(crossing: Crossing, number: number): ScriptEntry {
  const text = toAnswer(number);
  const isLast = number === toLastCall(crossing);
  if (number < toLastCall(crossing) || (isLast && crossing.end === 'budget'))
    return { text, toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] };
  if (isLast && crossing.end === 'failure') return { status: 401 };
  return { text: isLast && crossing.end === 'blocked' ? `It is ${canary}.` : text };
}

/** Returns the text of the answer to a model call, which names its prompt. */
export function toAnswer(number: number): string {
  return `Answer ${number}.`;
}
