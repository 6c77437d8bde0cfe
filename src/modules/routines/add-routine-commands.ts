import type { Command } from 'commander';
import { addList, addOneId } from '../../clients/cli/command.ts';
import {
  controlRun,
  deleteRoutine,
  listRoutines,
  listRuns,
  runRoutine,
  showRoutine,
  showRun,
  stopRun,
  storeRoutine,
} from './routine-commands.ts';
import { watchRun } from './watch-run-commands.ts';

/** Adds the commands for routines and their runs. */
export function addRoutines(program: Command): void {
  const routines = program.command('routines').description('Store routines and run them.');
  addList(routines, listRoutines).description('List the routines of the workspace.');
  addOneId(routines, 'create <file>', storeRoutine)
    .description('Store a document as a routine, or as the next version of one.')
    .option('--agent <id>', 'the agent that the routine acts as')
    .option('--routine <routine>', 'the routine that gets a new version');
  addOneId(routines, 'show <routine>', showRoutine)
    .description('Print the document of a routine.')
    .option('--as <form>', 'mermaid or svg for its flowchart');
  addOneId(routines, 'delete <routine>', deleteRoutine).description(
    'Delete a routine. Runs that have begun go on.',
  );
  addOneId(routines, 'run <routine>', runRoutine)
    .description('Start a run.')
    .option('--input <json>', 'the input')
    .option('--wait', 'wait until the run is over')
    .option('--idempotency-key <key>', 'the same key starts the same run once');
  const runs = program.command('routine-runs').description('Look at runs of routines and control them.');
  addList(runs, listRuns)
    .description('List runs, newest first.')
    .option('--routine <routine>', 'of this routine');
  addOneId(runs, 'show <run>', showRun).description('Show a run with its steps.');
  addOneId(runs, 'watch <run>', watchRun).description('Print the steps of a run until it has ended.');
  addOneId(runs, 'pause <run>', controlRun('pause')).description('Pause a run after the steps that run.');
  addOneId(runs, 'resume <run>', controlRun('resume')).description('Let a paused run go on.');
  addOneId(runs, 'stop <run>', stopRun)
    .description('Stop a run after the steps that run.')
    .option('--now', 'cancel the steps that run');
}
