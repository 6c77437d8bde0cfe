import type { HoldfastClient, PendingAction } from '../../client/index.ts';
import { parseJsonObject, type JsonValue } from '../../../domain/json.ts';
import { toSafeJson } from '../visible-text.ts';

type Decision = Parameters<HoldfastClient['pendingActions']['decide']>[1];

/** Takes a further line that a decision needs, such as its reason. */
export type NextLine = (line: string) => Promise<void>;

/** The steps of a decision about one action. */
export interface DecisionDesk {
  decide(decision: Decision): Promise<void>;
  /** Asks for a further line, which may begin with a text that the person edits. */
  askFor(question: string, then: NextLine, text?: string): void;
  /** Asks about the action again. */
  askAgain(): void;
}

/** Takes a typed line as a decision about an action. Undefined when the line is none. */
export function takeDecision(
  desk: DecisionDesk,
  action: PendingAction,
  line: string,
): Promise<void> | undefined {
  if (action.kind === 'approval') return takeApproval(desk, action, line);
  return action.kind === 'question' ? takeAnswer(desk, action, line) : undefined;
}

/** A hint about the lines that decide an action. */
export function toHint({ kind, options, canRemember }: PendingAction): string {
  if (kind === 'client_tool') return 'The turn waits for its result.';
  if (kind === 'question')
    return options ? 'Type a number or an answer, or /decline' : 'Type the answer, or /decline';
  return `a approves, e edits, r rejects${canRemember ? ', A approves and remembers' : ''}`;
}

/** How long an approval that is remembered holds, in milliseconds. */
const rememberedMs = 24 * 60 * 60 * 1000;

function takeApproval(desk: DecisionDesk, action: PendingAction, line: string): Promise<void> | undefined {
  if (line === 'a') return desk.decide({ decision: 'approve' });
  if (line === 'r') {
    desk.askFor('Why? The model is told. (Enter for no reason)', (reason) =>
      desk.decide(toRejection(reason)),
    );
    return Promise.resolve();
  }
  if (line === 'e') {
    askForArguments(desk, 'The arguments:', toSafeJson(action.arguments));
    return Promise.resolve();
  }
  if (line !== 'A' || !action.canRemember) return undefined;
  askForPins(desk, action);
  return Promise.resolve();
}

function toRejection(reason: string): Decision {
  return { decision: 'reject', ...(reason === '' ? {} : { reason }) };
}

function askForArguments(desk: DecisionDesk, question: string, text: string): void {
  const then: NextLine = async (line) => {
    const parsed = parseJsonObject(line);
    if (parsed) await desk.decide({ decision: 'approve', arguments: parsed });
    else if (line === '') desk.askAgain();
    else askForArguments(desk, 'That is no JSON object:', line);
  };
  desk.askFor(question, then, text);
}

function askForPins(desk: DecisionDesk, { tool, arguments: input }: PendingAction): void {
  const question = `For a day, ${tool} needs no approval in this conversation while these arguments stay the same:`;
  const then: NextLine = async (line) => {
    const names = line.split(/[\s,]+/).filter((name) => name !== '');
    const pins = Object.fromEntries(names.map((name) => [name, input[name] ?? null]));
    const until = new Date(Date.now() + rememberedMs).toISOString();
    await desk.decide({ decision: 'approve', remember: { tool, pins, scope: 'conversation', until } });
  };
  desk.askFor(question, then, Object.keys(input).join(' '));
}

function takeAnswer(desk: DecisionDesk, action: PendingAction, line: string): Promise<void> | undefined {
  const [, declined, reason = ''] = /^(\/decline)\s*(.*)$/.exec(line) ?? [];
  if (declined !== undefined) return desk.decide(toRejection(reason));
  if (line === '' || line.startsWith('/')) return undefined;
  return desk.decide({ decision: 'answer', answer: toAnswer(action, line) });
}

/** An answer as it is typed: the number of an option, a text, or JSON where the question asks for something else. */
function toAnswer({ options, schema }: PendingAction, line: string): JsonValue {
  const option = options?.[Number(line) - 1];
  if (option !== undefined) return option;
  if (options || schema?.['type'] === 'string') return line;
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return line;
  }
}
