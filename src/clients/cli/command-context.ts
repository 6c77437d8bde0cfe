import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** The parts of a process that a command uses. */
export interface CommandContext {
  environment: NodeJS.ProcessEnv;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable;
  /** Whether the standard output shows colours. */
  hasColours: boolean;
  setExitCode: (code: number) => void;
  /** Ends the process at once. */
  exit: (code: number) => void;
  /** Calls the listener whenever the process gets SIGINT. */
  onInterrupt: (listener: () => void) => void;
}

const contexts = new WeakMap<Command, CommandContext>();

/**
 * Lets a program and the commands in it use a context, which {@link getContext} returns. Parsing then throws a
 * `CommanderError` where it would end the process.
 */
export function useContext(program: Command, context: CommandContext): void {
  contexts.set(program, context);
  for (const command of program.commands) useContext(command, context);
  program.exitOverride().configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
    getOutHelpWidth: () => context.stdout.columns ?? 80,
    getErrHelpWidth: () => context.stdout.columns ?? 80,
  });
}

/** Returns the context of a command. */
export function getContext(command: Command): CommandContext {
  const context = contexts.get(command);
  if (context === undefined) throw new Error('The command has no context: call useContext with its program.');
  return context;
}
