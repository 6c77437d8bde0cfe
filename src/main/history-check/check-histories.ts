import { type InjectedSinks, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { JsonValue } from '../../domain/json.ts';
import type { CommandSinks, RawCommand } from '../../../workflows/command-recorder.ts';
import { turnWorkerOptions } from '../../platform/temporal/worker-options.ts';
import type { Command } from './command.ts';
import { compareCommands, describeDifference } from './compare-commands.ts';
import { listAsked, listRecorded } from './list-commands.ts';
import { maskFields } from './mask-value.ts';
import type { ReadHistory } from './saved-history.ts';

/** The outcome of the replay of one history. */
export interface Checked {
  history: ReadHistory;
  workflowType: string;
  /** The differences, a line each; none when the code still issues the commands of the history. */
  problems: string[];
  /** The fields that the code has added to inputs, a line each. */
  additions: string[];
  /** The commands of the code whose contents the history holds only in part. */
  noted: Command[];
}

const replayName = 'replay';

/**
 * Replays histories against the workflows of a bundle that has `command-recorder.ts`, one after the other, and compares
 * the commands of the code with those of the history: the SDK compares the types of commands, and this check their
 * contents too.
 */
export async function* checkHistories(
  workflowBundle: WorkflowBundleOption,
  histories: ReadHistory[],
): AsyncGenerator<Checked> {
  const { reuseV8Context } = turnWorkerOptions;
  const asked = new Map<string, Asked>();
  const sinks: InjectedSinks<CommandSinks> = {
    commands: {
      asked: {
        callDuringReplay: true,
        fn: ({ runId, taskQueue }, commands) => {
          const before = asked.get(runId)?.commands ?? [];
          asked.set(runId, { taskQueue, commands: [...before, ...commands] });
        },
      },
    },
  };
  const options = { workflowBundle, reuseV8Context, replayName, sinks };
  const remaining = histories.values();
  for await (const { runId, error } of Worker.runReplayHistories(options, histories)) {
    const { value: history } = remaining.next();
    if (!history) return;
    yield toChecked(history, asked.get(runId), error);
    asked.delete(runId);
  }
}

interface Asked {
  /** The queue of the replay, which takes the place of the recorded one. */
  taskQueue: string;
  commands: RawCommand[];
}

function toChecked(read: ReadHistory, asked: Asked | undefined, error: Error | undefined): Checked {
  const events = read.history.events ?? [];
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const ownQueue = started?.taskQueue?.name ?? '';
  const recorded = listRecorded(read.history).map((one) => toComparable(one, ownQueue));
  const whole = listAsked(asked?.commands ?? [], recorded).map((one) =>
    toComparable(one, asked?.taskQueue ?? ''),
  );
  const found = whole.map((one) => (read.isMasked ? { ...one, fields: maskFields(one.fields) } : one));
  const noted = whole.filter(({ kind }) => read.isMasked || kind === 'local activity');
  const isWhole = recorded.some(({ kind }) => kind === 'end') && !error;
  const differences = compareCommands({ recorded, asked: found, isWhole });
  // Noted commands come from a replay of the same file, so that they need no masks.
  if (differences.every(({ isAddition }) => isAddition))
    differences.push(
      ...compareCommands({ recorded: withEvents(read.noted, recorded), asked: noted, isWhole: false }),
    );
  return {
    history: read,
    workflowType: started?.workflowType?.name ?? 'unknown',
    problems: [
      ...(error ? [toLine(error)] : []),
      ...differences.filter(({ isAddition }) => !isAddition).map(describeDifference),
    ],
    additions: [...new Set(differences.filter(({ isAddition }) => isAddition).map(describeDifference))],
    noted,
  };
}

/** Adds the events of a history to commands that were noted in its replay. */
function withEvents(noted: Command[], recorded: Command[]): Command[] {
  const counts = new Map<string, number>();
  return noted.map((command) => {
    const { kind, id } = command;
    const index = counts.get(kind) ?? 0;
    counts.set(kind, index + 1);
    const all = recorded.filter((one) => one.kind === kind);
    const event = kind === 'local activity' ? all.find((one) => one.id === id) : all[index];
    return { ...command, eventId: event?.eventId ?? 'unknown' };
  });
}

/** Names queues by their place below the workflow's own, since that of a replay has another name. */
function toComparable(command: Command, ownQueue: string): Command {
  const { taskQueue } = command.fields;
  if (typeof taskQueue !== 'string' || !taskQueue.startsWith(ownQueue)) return command;
  const relative: JsonValue = `<own>${taskQueue.slice(ownQueue.length)}`;
  return { ...command, fields: { ...command.fields, taskQueue: relative } };
}

function toLine({ message, cause }: Error): string {
  const reason = cause instanceof Error ? `${message} ${cause.message}` : message;
  return reason.replaceAll(/\s+/g, ' ').trim();
}
