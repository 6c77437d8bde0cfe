import { Command, Help } from 'commander';
import {
  answerAction,
  approveAction,
  linkAction,
  listActions,
  rejectAction,
  type DecisionOptions,
} from '../modules/actions/action-commands.ts';
import type { ExportOptions, ImportOptions } from '../modules/turns/conversations/conversation-commands.ts';
import { showContext } from '../modules/turns/context/context-commands.ts';
import { addAgents } from '../modules/agents/add-agent-commands.ts';
import { addChanges } from '../modules/changes/change-commands.ts';
import { addAudit } from '../modules/audit/audit-commands.ts';
import { addCode } from '../clients/cli/add-code.ts';
import { addCredits } from '../modules/credits/budgets/add-budget-commands.ts';
import { runChat, type ChatOptions } from '../clients/cli/chat.ts';
import { addSchedules } from '../modules/schedules/add-schedule-commands.ts';
import { addTriggers } from '../modules/triggers/add-trigger-commands.ts';
import { addList, addOneId, run, type OneIdAction } from '../clients/cli/command.ts';
import { createListOption, listOptionHelp } from '../clients/cli/list-option.ts';
import {
  compareForks,
  forkConversation,
  nextResult,
  type ForkOptions,
} from '../modules/turns/forks/fork-commands.ts';
import { forgetGrant, listGrants } from '../modules/actions/grant-commands.ts';
import { addPeople, addSharing } from '../modules/workspaces/people/add-people-commands.ts';
import { addWorkspace } from '../modules/workspaces/settings/workspace-commands.ts';
import { addReplays } from '../modules/replays/commands/add-replay-commands.ts';
import { addResources } from '../modules/resources/resource-commands.ts';
import { addRoutines } from '../modules/routines/add-routine-commands.ts';
import { addSkills } from '../modules/skills/commands/add-skill-commands.ts';
import { addSwarms } from '../modules/swarms/swarm-commands.ts';
import {
  listConversations,
  listTurns,
  type ConversationOptions,
  type TurnOptions,
} from '../clients/cli/list-commands.ts';
import type { OutputOptions } from '../clients/cli/output.ts';
import { listModelCalls } from '../modules/turns/calls/model-call-commands.ts';
import { cancelTurn, showTurn } from '../modules/turns/turn-commands.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateWebhookSecret,
} from '../modules/webhooks/webhook-commands.ts';

function addChat(program: Command): void {
  program
    .command('chat')
    .description('Talk to an agent: one turn for a message given here, else one for each line of the input.')
    .argument('[message...]', 'hold a single turn with this message')
    .option('--once <message>', 'the same, as an option')
    .option('--agent <id or name>', 'the agent to talk to (default: the demo agent, else the first)')
    .option('--conversation <id>', 'continue this conversation')
    .option('--verbose', 'show arguments, results and token counts')
    .option('--json', 'print the events as lines of JSON')
    .action(async (words: string[], _options: unknown, command: Command) => {
      await run<ChatOptions & { once?: string }>(command, (services, options) => {
        const message = options.once ?? (words.length > 0 ? words.join(' ') : undefined);
        return runChat(services, message, options);
      });
    });
}

/** Adds the options with which a list of turns, or of conversations with turns, chooses. */
function addFilters(command: Command, item: 'turn' | 'conversation'): Command {
  return command
    .option('--agent <id or name>', 'of this agent')
    .option('--person <name>', item === 'turn' ? 'started for this person' : 'that belong to this person')
    .option('--tag <tag>', item === 'turn' ? 'of conversations with this tag' : 'with this tag')
    .option('--outcome <outcome>', `${item === 'turn' ? 'that' : 'with a turn that'} ended so, or is open`)
    .option('--from <time>', 'created at this time or later')
    .option('--to <time>', 'created before this time')
    .option('--limit <number>', 'so many, or "all" (default: 100)')
    .option('--json', 'print JSON');
}

function addTurns(program: Command): void {
  const turns = program.command('turns').description('Look at turns and stop them.');
  addOneId(turns, 'show <turn>', showTurn).description('Show the timeline and the answer of a turn.');
  addOneId(turns, 'model-calls <turn>', listModelCalls).description(
    'Show the model calls of a turn, with their attempts, tokens and cost.',
  );
  addOneId(turns, 'cancel <turn>', cancelTurn).description('Ask a turn to stop.');
  addFilters(turns.command('list'), 'turn')
    .description('List turns of a conversation, or of all, newest first.')
    .argument('[conversation]', 'only turns of this conversation')
    .option('--tool <name>', 'that called this tool')
    .option('--text <text>', 'with this text in their messages')
    .option('--cost-from <dollars>', 'that cost so much or more')
    .option('--cost-to <dollars>', 'that cost less')
    .option('--duration-from <seconds>', 'that are over and took so long or longer')
    .action(async (conversation: string | undefined, _options: unknown, command: Command) => {
      await run<TurnOptions>(command, (services, options) => listTurns(services, conversation, options));
    });
}

function addDecision(parent: Command, usage: string, decide: OneIdAction<DecisionOptions>): Command {
  return addOneId(parent, usage, decide)
    .option('--reason <text>', 'what the model and the audit log are told')
    .option('--acting-for <person>', 'the person who decided');
}

function addActions(program: Command): void {
  const actions = program.command('actions').description('Decide what waits for people.');
  addList(actions, listActions).description('List what waits for people.');
  addDecision(actions, 'approve <action>', approveAction)
    .description('Let a tool call run.')
    .option('--arguments <json>', 'run it with these arguments instead')
    .option('--remember <scope>', 'approve later calls too: of the conversation, the agent or the workspace')
    .addOption(createListOption('--pin, --pins <path...>', 'only calls with the same value of this argument'))
    .option('--until <time>', 'how long it is remembered');
  addDecision(actions, 'reject <action>', rejectAction).description('Decline a tool call, or a question.');
  addDecision(actions, 'answer <action>', answerAction)
    .description('Answer a question, or post the result of a tool.')
    .requiredOption('--answer <answer>', 'a text, or JSON')
    .option('--error', 'the answer says that the tool failed');
  addOneId(actions, 'link <action>', linkAction)
    .description('Print a link to a page on which a person decides.')
    .option('--acting-for <person>', 'the person who gets the link')
    .option('--hours <number>', 'how long it is valid (default: 24)');
  addList(actions, listGrants, 'remembered').description('List approvals that hold for later calls.');
  addOneId(actions, 'forget <approval>', forgetGrant)
    .description('Let later calls ask again.')
    .option('--acting-for <person>', 'the person who wants it');
}

function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('Tell programs of what happens.');
  addList(webhooks, listWebhooks).description('List the webhooks of the workspace.');
  addOneId(webhooks, 'create <url>', createWebhook)
    .description('Tell a URL of events.')
    .addOption(
      createListOption('--event, --events <names>', 'such as turn.settled,action.decided', {
        isRequired: true,
      }),
    );
  addOneId(webhooks, 'rotate <webhook>', rotateWebhookSecret).description('Give a webhook a new secret.');
  addOneId(webhooks, 'delete <webhook>', deleteWebhook).description('Delete a webhook.');
  addOneId(webhooks, 'deliveries <webhook>', listDeliveries)
    .description('List what was sent to a webhook.')
    .option('--status <status>', 'only pending, delivered, failed or cancelled ones');
  addOneId(webhooks, 'resend <delivery>', resendDelivery)
    .description('Send a message again.')
    .requiredOption('--webhook <webhook>', 'the webhook of the delivery');
}

// Loaded when one of the commands runs.
const loadRecordings = () => import('../modules/turns/conversations/conversation-commands.ts');

function addConversations(program: Command): void {
  const conversations = program
    .command('conversations')
    .description('List, export, import, fork and compare conversations, and show what a model sees of them.');
  addFilters(conversations.command('list'), 'conversation')
    .description('List conversations, newest first.')
    .option('--external-id <id>', 'with this id of yours')
    .action(async (_options: unknown, command: Command) => {
      await run<ConversationOptions>(command, (services, options) => listConversations(services, options));
    });
  conversations
    .command('export')
    .description('Write the turns of conversations as lines of JSON.')
    .option('--agent <id or name>', 'conversations with a turn of this agent')
    .option('--from <time>', 'with a turn that was created at this time or later')
    .option('--to <time>', 'with a turn that was created before this time')
    .option('--outcome <outcome>', 'with a turn that ended so')
    .option('--tool <name>', 'with a turn that called this tool')
    .option('--tag <tag>', 'with this tag')
    .addOption(createListOption('--conversation, --conversations <id...>', 'these conversations'))
    .option('--sample <number>', 'so many at random')
    .option('--seed <text>', 'the same seed takes the same conversations')
    .option('--out <file>', 'the file to write (default: the output)')
    .option('--mask <file>', 'replace personal data by the rules in this file')
    .option('--mask-function <file>', 'replace personal data by the function that this module exports')
    .action(async (_options: unknown, command: Command) => {
      await run<ExportOptions>(command, async (services, options) =>
        (await loadRecordings()).exportConversations(services, options),
      );
    });
  conversations
    .command('import <file>')
    .description('Store the conversations of a file as turns that are over.')
    .option('--agent <id or name>', 'the agent that they belong to (default: agents of their own)')
    .option('--format <format>', 'holdfast, openai, ai-sdk or langfuse', 'holdfast')
    .option('--model <model>', 'the model of conversations that name none', 'unknown')
    .option('--name <name>', 'the name of the agent of other formats', 'Imported')
    .option('--json', 'print JSON')
    .action(async (file: string, _options: unknown, command: Command) => {
      await run<ImportOptions>(command, async (services, options) =>
        (await loadRecordings()).importConversations(services, file, options),
      );
    });
  addSharing(conversations);
  addForks(conversations);
  addOneId(conversations, 'context <conversation>', showContext).description(
    'Show what the next model call would see.',
  );
}

function addForks(conversations: Command): void {
  addOneId<ForkOptions>(conversations, 'fork <conversation>', forkConversation)
    .description('Run a turn anew in a copy of its conversation.')
    .requiredOption('--turn <turn>', 'the turn to run anew')
    .option('--iteration <number>', 'keep the steps of the turn up to this one')
    .option('--message <text>', 'another message')
    .addOption(
      createListOption('--result, --results <call=text...>', 'another result of a tool call in a kept step', {
        separator: nextResult,
      }),
    )
    .option('--agent-version <version>', 'the agent version that runs the turn')
    .option('--live', 'run the tools, in place of recorded results')
    .option('--no-run', 'only copy what was before the turn');
  addOneId<OutputOptions & { with: string }>(conversations, 'compare <conversation>', compareForks)
    .description('Compare a fork with its parent, or with another fork.')
    .requiredOption('--with <conversation>', 'the other one');
}

/** Builds the command line `holdfast` with the commands that call the API. Its help lists all commands, nested ones too. */
export function createProgram(version: string): Command {
  const program = new Command('holdfast')
    .description('Talk to the agents of a Holdfast, look at their turns, and administer it.')
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: (command) => command.commands.flatMap(listLeaves),
      subcommandTerm: (command) => `${toPath(command)}${toParameters(command)}`,
    })
    .version(version)
    .option('--url <url>', 'where the API is (default: HOLDFAST_URL, else the one started here)')
    .option('--key <key>', 'the API key (default: HOLDFAST_API_KEY, else the development key)')
    .option('--data <folder>', 'the folder that "npm start" keeps its data in');
  program.addHelpText('after', `\n${listOptionHelp}`);
  addChat(program);
  addTurns(program);
  addConversations(program);
  addActions(program);
  addWebhooks(program);
  addReplays(program);
  addSchedules(program);
  addTriggers(program);
  addRoutines(program);
  addResources(program);
  addSkills(program);
  addCredits(program);
  addSwarms(program);
  addChanges(program);
  addAudit(program);
  addPeople(program);
  addWorkspace(program);
  addAgents(program);
  addCode(program);
  return program;
}

function listLeaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves);
}

/** Returns a command as a person types it: the names of its parent commands, then its own. */
function toPath(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${toPath(parent)} ${command.name()}`;
}

function toParameters(command: Command): string {
  return new Help().subcommandTerm(command).slice(command.name().length);
}
