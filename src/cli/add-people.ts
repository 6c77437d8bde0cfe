import type { Command } from 'commander';
import { addList, addOneId } from './command.ts';
import {
  changePerson,
  createUserToken,
  endUserToken,
  listPeople,
  shareConversation,
  type ShareOptions,
  type UserTokenOptions,
} from './people-commands.ts';

/** Adds the commands of people who sign in, and of the tokens with which they come from browsers. */
export function addPeople(program: Command): void {
  const people = program.command('people').description('Look at the people who sign in, and shut them out.');
  addList(people, listPeople).description('List the people who have signed in.');
  addOneId(people, 'deactivate <person>', changePerson(false)).description('Shut a person out.');
  addOneId(people, 'activate <person>', changePerson(true)).description('Let a person in again.');
  const tokens = program.command('user-tokens').description('Let people in with tokens.');
  addOneId<UserTokenOptions>(tokens, 'create <person>', createUserToken)
    .description('Issue a token with which a person uses the API from a browser.')
    .option('--role <role...>', 'viewer, editor, approver, operator or admin (default: editor)')
    .option('--group <group...>', 'the groups of approvers that it is in')
    .option('--conversation <id...>', 'the only conversations that it sees')
    .option('--minutes <number>', 'how long it is valid (default: 60)');
  addOneId(tokens, 'end <token>', endUserToken).description('End a token by its id.');
}

/** Adds the command that shares a conversation. */
export function addSharing(conversations: Command): void {
  addOneId<ShareOptions>(conversations, 'share <conversation>', shareConversation)
    .description('Say who sees a conversation besides its person.')
    .option('--with <person...>', 'these people')
    .option('--workspace', 'everybody in the workspace')
    .option('--nobody', 'nobody else');
}
