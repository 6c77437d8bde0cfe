import { z } from 'zod';
import type { JsonObject } from '../../src/domain/json.ts';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider, fileId } from '../../src/engines/providers/define-provider.ts';
import { googleOAuth } from '../google-oauth.ts';
import { readGmailMessage, readGmailThread } from '../read-gmail.ts';
import { writeMail, type NewMail } from '../write-mail.ts';

const id = z.string().min(1).describe('Id of the message');
const labelIds = z.array(z.string()).max(100);
const addresses = z.array(z.email()).max(500);
const mail = {
  to: addresses.min(1),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  subject: z
    .string()
    .regex(/^[^\r\n]*$/, 'expected one line')
    .max(500),
  body: z.string().max(1_000_000),
  format: z.enum(['text', 'html']).describe('The format of body').default('text'),
  threadId: z
    .string()
    .describe('For an answer: the thread; the subject must be that of the thread')
    .optional(),
  inReplyTo: z
    .string()
    .regex(/^<[^<>\s]+>$/, 'expected a Message-ID in angle brackets')
    .describe('For an answer: the Message-ID of the mail that it answers')
    .optional(),
  attachments: z.array(fileId('A file')).max(20).describe('At most 5 MB together').optional(),
};
const scope = (name: string) => `https://www.googleapis.com/auth/gmail.${name}`;
const all = 'https://mail.google.com/';
const reading: NeededScope[] = [[scope('readonly'), scope('modify'), all]];
const changing: NeededScope[] = [[scope('modify'), all]];

/** The message as the API takes it. Stored files stand in place of their ids when a request is built. */
function toMessage({ threadId, ...content }: z.output<z.ZodObject<typeof mail>>): JsonObject {
  const raw = writeMail(content as unknown as NewMail).toString('base64url');
  return { raw, ...(threadId === undefined ? {} : { threadId }) };
}

export const gmail = defineProvider({
  name: 'gmail',
  title: 'Gmail',
  description: 'Search, read, write and sort the mail of a Gmail account.',
  category: 'communication',
  baseUrl: 'https://gmail.googleapis.com/gmail/v1',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: googleOAuth,
    hint: 'An OAuth client of a Google Cloud project with the Gmail API switched on.',
  },
  setup: [
    'Open the [Google Cloud console](https://console.cloud.google.com), choose a project and switch on the **Gmail API**.',
    'Fill in the *OAuth consent screen*, and add the scopes `gmail.readonly`, `gmail.send`, `gmail.compose` and `gmail.modify`. Outside of your own organization, Google verifies apps with these scopes.',
    'Under *Credentials*, create an **OAuth client ID** for a *Web application*.',
  ],
  verify: { request: 'GET /users/me/profile', account: ['emailAddress'] },
  // 15,000 units a minute; most methods cost 5: https://developers.google.com/workspace/gmail/api/reference/quota
  rateLimit: { tokensPerMinute: 3000 },
  throttle: { when: { at: 'error.errors.0.reason', oneOf: ['rateLimitExceeded', 'userRateLimitExceeded'] } },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    listMessages: {
      description:
        'Search mail with the words of the search box, such as from:ana is:unread newer_than:7d. Returns ids only; read each with getMessage.',
      input: z.strictObject({
        q: z.string().describe('A search as in Gmail; without it all mail').optional(),
        labelIds: labelIds.describe('Only messages with all of these, such as INBOX').optional(),
        includeSpamTrash: z.boolean().optional(),
      }),
      request: 'GET /users/me/messages',
      effect: 'read_only',
      scopes: reading,
      paging: {
        style: 'cursor',
        field: 'pageToken',
        next: 'nextPageToken',
        items: 'messages',
        size: { field: 'maxResults', max: 500 },
      },
      keep: ['id', 'threadId'],
    },
    getMessage: {
      description:
        'Read one mail: sender, receivers, subject, date and text, and the names of its attachments, but not their content.',
      input: z.strictObject({ id }),
      request: 'GET /users/me/messages/{id}',
      effect: 'read_only',
      scopes: reading,
      mapAnswer: readGmailMessage,
    },
    getThread: {
      description:
        'Read a conversation: all of its mails with senders, dates and texts, the oldest first. The attachments are only named.',
      input: z.strictObject({ id: z.string().min(1).describe('Id of the thread') }),
      request: 'GET /users/me/threads/{id}',
      effect: 'read_only',
      scopes: reading,
      mapAnswer: readGmailThread,
    },
    listLabels: {
      description:
        'List the labels of the account, of the system and of the user, with the ids that the other tools need.',
      input: z.strictObject({}),
      request: 'GET /users/me/labels',
      effect: 'read_only',
      scopes: [[scope('readonly'), scope('labels'), scope('modify'), all]],
      result: 'labels',
      keep: ['id', 'name', 'type'],
    },
    sendMessage: {
      description:
        'Send a mail at once, also with stored files, or as an answer in a thread. Returns its id. To let a person look at it first, use createDraft.',
      input: z.strictObject(mail),
      files: ['attachments'],
      request: (input) => ({
        method: 'POST',
        path: '/users/me/messages/send',
        body: toMessage(input),
      }),
      effect: 'unsafe',
      scopes: [[scope('send'), scope('compose'), scope('modify'), all]],
      // Sending costs 100 units.
      rateLimit: { tokensPerMinute: 150 },
      keep: ['id', 'threadId', 'labelIds'],
    },
    createDraft: {
      description:
        'Write a mail into the drafts, where a person can look at it and send it. Returns the id of the draft. Sends nothing.',
      input: z.strictObject(mail),
      files: ['attachments'],
      request: (input) => ({
        method: 'POST',
        path: '/users/me/drafts',
        body: { message: toMessage(input) },
      }),
      effect: 'unsafe',
      scopes: [[scope('compose'), scope('modify'), all]],
      keep: ['id', 'message.id', 'message.threadId'],
    },
    modifyLabels: {
      description:
        'Put labels on a mail and remove others: without INBOX it is archived, without UNREAD it is read. Returns the labels it has.',
      input: z.strictObject({
        id,
        addLabelIds: labelIds.optional(),
        removeLabelIds: labelIds.optional(),
      }),
      request: 'POST /users/me/messages/{id}/modify',
      effect: 'idempotent',
      destructive: true,
      scopes: changing,
      keep: ['id', 'threadId', 'labelIds'],
    },
    trashMessage: {
      description:
        'Move a mail to the trash, from which a person can take it back for 30 days. Returns its labels.',
      input: z.strictObject({ id }),
      request: 'POST /users/me/messages/{id}/trash',
      query: [],
      effect: 'idempotent',
      destructive: true,
      scopes: changing,
      keep: ['id', 'threadId', 'labelIds'],
    },
  },
});
