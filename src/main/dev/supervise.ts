import { setTimeout as sleep } from 'node:timers/promises';
import { describeEnding, type ManagedProcess, type ProcessEnding, type StopManner } from './processes.ts';
import type { Say } from './say.ts';

/** The order in which processes stop; those in one row stop at the same time. */
const stopOrder = [['worker', 'api'], ['mcp'], ['Temporal'], ['Postgres']];

/** A program that ends sooner than this after its start has failed, in milliseconds. */
const soonMs = 10_000;
const longestPauseMs = 30_000;

/** A program that is started again when it ends without being stopped. */
interface Revival {
  /** Starts it, and waits until it is ready. */
  restart: () => Promise<void>;
  /** The consequence of its end, as a sentence. */
  consequence: string;
}

/** Watches processes. The end of a process that was not stopped and has no revival is a failure. */
export interface Supervision {
  /** Rejects when a process ends that may not. */
  failed: Promise<never>;
  watch: (managed: ManagedProcess, manner?: StopManner) => void;
  /** From now on these programs are started again when they end. */
  revive: (programs: Readonly<Record<string, Revival>>) => void;
  stopAll: () => Promise<void>;
}

/** Watches the processes of `npm start` until the signal is aborted. */
export function supervise({ say, signal }: { say: Say; signal: AbortSignal }): Supervision {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const stops = new Map<string, () => Promise<void>>();
  const stopping = new AbortController();
  const over = AbortSignal.any([signal, stopping.signal]);
  const revivals = new Map<string, Revival>();
  const reviving = new Map<string, Promise<void>>();
  const failures = new Map<string, number>();
  const revive = async ({ name }: ManagedProcess, { restart }: Revival, pauseMs: number) => {
    try {
      await sleep(pauseMs, undefined, { signal: over });
      await restart();
    } catch (error) {
      // `restart` rejects when the program ends before it is ready; the end of its process then starts it again.
      if (!over.aborted) say(`The ${toTitle(name)} did not start: ${toMessage(error)}`);
      return;
    }
    if (!over.aborted) say(`The ${toTitle(name)} runs again.`);
  };
  const watch: Supervision['watch'] = (managed, manner) => {
    const { name } = managed;
    const startedAt = Date.now();
    const stop = async () => {
      const ending = await managed.stop(manner);
      if (ending.signal === 'SIGKILL') say(`${name} did not stop in time, and was killed.`);
    };
    stops.set(name, stop);
    void managed.exited.then((ending) => {
      if (stops.get(name) === stop) stops.delete(name);
      if (over.aborted) return;
      const revival = revivals.get(name);
      if (!revival) {
        reject(new Error(`${name} ended by itself with ${describeEnding(ending)}. Everything was stopped.`));
        return;
      }
      const failed = Date.now() - startedAt < soonMs ? (failures.get(name) ?? 0) + 1 : 0;
      failures.set(name, failed);
      const pauseMs = failed === 0 ? 0 : Math.min(longestPauseMs, 1000 * 2 ** (failed - 1));
      say(toEndedMessage(managed, { ending, consequence: revival.consequence, pauseMs }));
      reviving.set(name, revive(managed, revival, pauseMs));
    });
  };
  const stopAll = async () => {
    stopping.abort();
    for (const row of stopOrder) {
      await Promise.all(row.map(async (name) => stops.get(name)?.()));
      await Promise.all(row.map(async (name) => reviving.get(name)));
      // A program that was restarted while others stopped is watched by now.
      await Promise.all(row.map(async (name) => stops.get(name)?.()));
    }
    say('Everything is stopped.');
  };
  return {
    ...{ failed, watch, stopAll },
    revive: (programs) => {
      for (const [name, revival] of Object.entries(programs)) revivals.set(name, revival);
    },
  };
}

interface Ended {
  ending: ProcessEnding;
  consequence: string;
  pauseMs: number;
}

function toEndedMessage({ name, pid }: ManagedProcess, { ending, consequence, pauseMs }: Ended): string {
  const when = pauseMs === 0 ? 'now' : `in ${pauseMs / 1000} s`;
  return [
    '',
    `!!! The ${toTitle(name)} (process ${pid}) ended with ${describeEnding(ending)}. ${consequence}`,
    `!!! It is started again ${when}.`,
    '',
  ].join('\n');
}

function toTitle(name: string): string {
  return name === 'api' ? 'API' : name;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
