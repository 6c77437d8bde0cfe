import type { Command } from 'commander';
import { addList, addOneId } from '../../clients/cli/command.ts';
import {
  backfillSchedule,
  createSchedule,
  listSchedules,
  scheduleCommand,
  showSchedule,
  type ScheduleOptions,
} from './schedule-commands.ts';
import type { OutputOptions } from '../../clients/cli/output.ts';

/** Adds the commands for schedules. */
export function addSchedules(program: Command): void {
  const schedules = program
    .command('schedules')
    .description('Start turns, routines and replays at set times.');
  addList(schedules, listSchedules).description('List the schedules of the workspace.');
  addOneId(schedules, 'show <schedule>', showSchedule).description(
    'Show the next and the last runs of a schedule.',
  );
  addOneId<ScheduleOptions>(schedules, 'create <name>', createSchedule)
    .description('Send a message to an agent, run a routine or replay turns at set times.')
    .option('--message <text>', 'a message to an agent')
    .option('--agent <id>', 'begin a conversation with this agent each time')
    .option('--conversation <id>', 'send it in this conversation')
    .option('--routine <id>', 'run this routine')
    .option('--input <json>', 'the input of its runs')
    .option('--replay <json>', 'replay turns: the body of a replay')
    .option('--cron <expression>', 'such as "0 9 * * 1-5"')
    .option('--every <seconds>', 'in place of a cron expression')
    .option('--time-zone <name>', 'the time zone of the cron expression', 'UTC')
    .option('--overlap <policy>', 'skip, buffer_one, buffer_all, cancel_other or allow_all', 'skip');
  addOneId(schedules, 'pause <schedule>', scheduleCommand('pause', 'is paused')).description(
    'Pause a schedule.',
  );
  addOneId(schedules, 'resume <schedule>', scheduleCommand('resume', 'goes on')).description(
    'Let a schedule go on.',
  );
  addOneId(schedules, 'run <schedule>', scheduleCommand('run', 'runs now')).description(
    'Run a schedule now.',
  );
  addOneId<OutputOptions & { from: string; to: string }>(schedules, 'backfill <schedule>', backfillSchedule)
    .description('Run a schedule for a time span that is over.')
    .requiredOption('--from <time>', 'an ISO 8601 time')
    .requiredOption('--to <time>', 'an ISO 8601 time');
  addOneId(schedules, 'delete <schedule>', scheduleCommand('delete', 'is deleted')).description(
    'Delete a schedule.',
  );
}
