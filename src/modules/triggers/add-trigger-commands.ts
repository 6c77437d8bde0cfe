import type { Command } from 'commander';
import { addList, addOneId } from '../../clients/cli/command.ts';
import { createListOption } from '../../clients/cli/list-option.ts';
import {
  createTrigger,
  deleteTrigger,
  listTriggers,
  pauseTrigger,
  retryDelivery,
  rotateTriggerSecret,
  showTrigger,
  type TriggerOptions,
} from './trigger-commands.ts';
import type { OutputOptions } from '../../clients/cli/output.ts';

/** Adds the commands for triggers. */
export function addTriggers(program: Command): void {
  const triggers = program
    .command('triggers')
    .description('Let webhooks of vendors start turns and routines.');
  addList(triggers, listTriggers).description('List the triggers of the workspace.');
  addOneId(triggers, 'show <trigger>', showTrigger).description('Show a trigger with its last deliveries.');
  addOneId<TriggerOptions>(triggers, 'create <name>', createTrigger)
    .description('Start a turn or a routine when a vendor delivers an event.')
    .requiredOption('--provider <name>', 'a sender, such as github, slack or standard-webhooks')
    .addOption(
      createListOption('--event, --events <types...>', 'such as issues.opened, issues.* or *', {
        defaults: ['*'],
      }),
    )
    .option('--filter <program>', 'a jq program over the payload')
    .option('--agent <id>', 'begin conversations with this agent')
    .option('--per <template>', 'deliveries with the same value are turns of one conversation')
    .option('--conversation <id>', 'send the message in this conversation')
    .option('--message <template>', 'such as "Look at {{ .issue.title }}"')
    .option('--routine <id>', 'run this routine')
    .option('--input <program>', 'a jq program that makes its input from the payload')
    .option('--secret <text>', 'signs the deliveries');
  addOneId(triggers, 'pause <trigger>', pauseTrigger(true)).description('Pause a trigger.');
  addOneId(triggers, 'resume <trigger>', pauseTrigger(false)).description('Let a trigger go on.');
  addOneId<OutputOptions & { secret?: string }>(triggers, 'rotate-secret <trigger>', rotateTriggerSecret)
    .description('Set the secret of a trigger, or give it a new one.')
    .option('--secret <text>', 'the secret that the vendor shows');
  addOneId<OutputOptions & { delivery: string }>(triggers, 'retry <trigger>', retryDelivery)
    .description('Start a delivery that has failed or was ignored by the filter.')
    .requiredOption('--delivery <id>', 'as "triggers show" lists it');
  addOneId(triggers, 'delete <trigger>', deleteTrigger).description('Delete a trigger.');
}
