import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

/** A command of workflow code, as the SDK is about to hand it to Temporal. */
export type RawCommand = Record<string, unknown>;

/** Takes the commands of a workflow, in the order in which its code asked for them. */
export interface CommandSinks extends Sinks {
  commands: { asked: (commands: RawCommand[]) => void };
}

/**
 * Passes the commands of workflow code to the history check, since the SDK compares only their types with a history. Only
 * the bundle of that check has this module: no worker does.
 */
export function interceptors(): WorkflowInterceptors {
  const { commands: sink } = proxySinks<CommandSinks>();
  return {
    internals: [
      {
        concludeActivation: (input, next) => {
          const { commands } = input;
          if (commands.length > 0) sink.asked(commands.map((command) => ({ ...command })));
          return next(input);
        },
      },
    ],
  };
}
