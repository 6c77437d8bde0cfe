import type { EventPayload, JsonObject } from '../client/index.ts';
import { toArgumentsLine, toDuration, toIndented } from './format.ts';
import type { Terminal } from './terminal.ts';

/** Shows the tool calls of one turn as they run. */
export interface ToolPrinter {
  /** Remembers the arguments of requested calls, to show them when the calls start. */
  remember(calls: EventPayload<'message.created'>['toolCalls']): void;
  started(call: EventPayload<'tool.started'>): void;
  executed(call: EventPayload<'tool.executed'>): void;
  failed(call: EventPayload<'tool.failed'>): void;
  blocked(call: EventPayload<'tool.blocked'>): void;
  skipped(call: EventPayload<'tool.skipped'>): void;
  unknown(call: EventPayload<'tool.unknown'>): void;
}

/** Prints a line when a call starts and one when it ends; `verbose` adds all its arguments. */
export function createToolPrinter(terminal: Terminal, { verbose }: { verbose: boolean }): ToolPrinter {
  const requested = new Map<string, JsonObject | null>();
  const running = new Set<string>();

  function printEnd(call: { toolCallId: string; name: string }, mark: string, text: string): void {
    running.delete(call.toolCallId);
    // While other calls run, the name is needed to tell which call has ended.
    terminal.line(`${mark} ${running.size > 0 ? `${call.name} ` : ''}${text}`);
  }

  return {
    remember: (calls) => {
      for (const call of calls) requested.set(call.toolCallId, call.arguments);
    },
    started: ({ toolCallId, name, attempt }) => {
      const values = requested.get(toolCallId);
      running.add(toolCallId);
      const line = values === undefined ? '' : toArgumentsLine(values);
      const again = attempt > 1 ? ` (attempt ${attempt})` : '';
      terminal.line(`${terminal.style('cyan', '→')} ${`${name} ${line}`.trim()}${again}`);
      if (verbose && values) terminal.line(terminal.style('dim', toIndented(JSON.stringify(values))));
    },
    executed: (call) => printEnd(call, terminal.style('green', '✓'), toDuration(call.durationMs)),
    failed: (call) => printEnd(call, terminal.style('red', '✗'), call.error.message),
    blocked: ({ toolCallId, name, rule, error }) => {
      running.delete(toolCallId);
      // Most blocked calls have not started, so no line above has the name.
      const blocked = `${name} blocked by the rule ${rule.replaceAll('_', ' ')}`;
      terminal.line(`${terminal.style('red', '⊘')} ${blocked}: ${error.message}`);
    },
    skipped: ({ toolCallId, name }) => {
      running.delete(toolCallId);
      terminal.line(`${terminal.style('yellow', '⊘')} ${name} skipped: another message came first`);
    },
    unknown: (call) => printEnd(call, terminal.style('yellow', '?'), 'outcome unknown'),
  };
}
