import type { ErrorInfo } from './errors.ts';
import { findOwnText, toPersonMessage } from './person-message.ts';
import { hasText } from './text.ts';
import type { TurnOutcome } from './turn-status.ts';

/** The text in place of an answer that has none. */
export const emptyAnswer = 'The model ended the turn without an answer.';

/** The text in place of an answer that repeats a canary token. */
export const blockedAnswer = 'The answer was stopped, because it repeated something that must stay internal.';

/** The end of a turn that no answer of the model has ended. */
export interface TurnEnd {
  outcome: TurnOutcome;
  error?: ErrorInfo | undefined;
}

/** Returns the text for the user about a turn that ends without a finished answer. */
export function toEndText({ outcome, error }: TurnEnd, timeoutMs: number): string {
  const messages: Record<TurnOutcome, string> = {
    cancelled: 'The turn was cancelled.',
    timed_out:
      error?.code === 'TURN_NOT_STARTED'
        ? `The turn was stopped: ${toPersonMessage(error)}`
        : `The turn was stopped after its time limit of ${timeoutMs / 1000} seconds.`,
    failed: findOwnText(error) ?? `The turn failed: ${toPersonMessage(error)}`,
    iteration_limit: 'The turn ended at its limit of tool rounds.',
    completed: '',
    steered: '',
  };
  return messages[outcome];
}

/** Matches the texts of {@link toEndText}, and that of a turn which was cancelled before it began, at the end of a message. */
const endText =
  /^(?:([^]*)\n\n)?(The turn (?:was cancelled(?: before it began)?\.|was stopped(?::| after) |failed: |ended at )[^]*)$/;

/** A stored message of an agent. */
interface AgentMessage {
  text: string;
  /** Set for the last message of a turn that no answer of the model has ended. */
  isClosing?: boolean | undefined;
  /** The error of the turn that such a message has ended. */
  endError?: ErrorInfo | null | undefined;
}

/**
 * Tells apart what the model has said and what Holdfast has: the text at the end of a turn follows what the model had said until
 * then. An empty text stands for nothing.
 */
export function splitOwnWords({ text, isClosing, endError }: AgentMessage): { said: string; own: string } {
  if (text === emptyAnswer || text === blockedAnswer) return { said: '', own: text };
  if (!isClosing) return { said: text, own: '' };
  const own = findOwnText(endError ?? undefined);
  if (own !== undefined && text.endsWith(own)) {
    return { said: text.slice(0, -own.length).replace(/\n\n$/, ''), own };
  }
  const [, said = '', found = text] = endText.exec(text) ?? [];
  return { said, own: found };
}

/** Returns a text of Holdfast as a model gets it: a message that says who speaks. */
export function toOwnNote(own: string): string {
  return `[A note of the system that runs you, and no message of the user. About the turn before: ${own}]`;
}

/** Returns the text of an answer that ends a turn. */
export function toFinalText(text: string): string {
  return hasText(text) ? text : emptyAnswer;
}
