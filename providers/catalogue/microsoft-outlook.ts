import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { microsoftGraph } from '../microsoft-graph.ts';

const messageId = z.string().min(1).describe('Id of the message, from listMessages');
const eventId = z.string().min(1).describe('Id of the event, from listEvents');
const instant = z.iso.datetime({ offset: true }).describe('Such as 2026-03-01T09:00:00Z');
const filter = z
  .string()
  .min(1)
  .describe("OData, such as isRead eq false and importance eq 'high'")
  .optional();
const keptMessage = [
  ...['id', 'subject', 'from.emailAddress', 'toRecipients.emailAddress', 'receivedDateTime', 'isRead'],
  ...['hasAttachments', 'importance', 'conversationId', 'webLink'],
];
const keptEvent = [
  ...['id', 'subject', 'bodyPreview', 'start', 'end', 'isAllDay', 'isCancelled', 'location.displayName'],
  ...['organizer.emailAddress', 'attendees.emailAddress', 'attendees.status.response', 'showAs', 'type'],
  ...['onlineMeeting.joinUrl', 'webLink'],
];
const paging = {
  style: 'link',
  next: '@odata.nextLink',
  items: 'value',
  size: { field: '$top', max: 100 },
} as const;

/** Graph's metadata requires the type of each object; it comes first, as OData wants it. */
function typed(name: string, fields: object) {
  return { '@odata.type': `#microsoft.graph.${name}`, ...fields };
}

function toMailbox(address: string) {
  return { emailAddress: typed('emailAddress', { address }) };
}

const recipients = z
  .array(z.email())
  .max(500)
  .describe('Addresses')
  .transform((list) => list.map((address) => typed('recipient', toMailbox(address))));
const attendees = (type: 'required' | 'optional') => (list: string[]) =>
  list.map((address) => typed('attendee', { type, ...toMailbox(address) }));
const body = z
  .strictObject({ content: z.string().min(1), contentType: z.enum(['text', 'html']).default('text') })
  .transform((fields) => typed('itemBody', fields));
const importance = z.enum(['low', 'normal', 'high']).optional();
const eventTime = z
  .strictObject({
    dateTime: z.iso.datetime({ local: true }).describe('Without an offset, such as 2026-03-01T09:00:00'),
    timeZone: z.string().min(1).default('UTC').describe('IANA name, such as Europe/Berlin'),
  })
  .transform((fields) => typed('dateTimeTimeZone', fields));

export const microsoftOutlook = defineProvider({
  name: 'microsoft-outlook',
  title: 'Microsoft Outlook',
  description: 'Read, send and delete mail, and plan events, in an Outlook mailbox of Microsoft 365.',
  category: 'communication',
  ...microsoftGraph,
  setup: [
    'Open the [Microsoft Entra admin center](https://entra.microsoft.com), *App registrations*, *New registration*.',
    'Under *Authentication*, add a **Web** platform for the redirect address.',
    'Under *API permissions*, add the delegated Microsoft Graph permissions `Mail.ReadWrite`, `Mail.Send` and `Calendars.ReadWrite`.',
    'Under *Certificates & secrets*, add a client secret and copy its value.',
  ],
  verify: { request: 'GET /me', account: ['userPrincipalName'] },
  // 10,000 in ten minutes for each app and mailbox: https://learn.microsoft.com/graph/throttling-limits
  rateLimit: { tokensPerMinute: 1000 },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    listMessages: {
      description:
        'Find mail in all folders of the mailbox by words or by a filter. Returns subjects, people and a preview of the text; read a whole mail with getMessage.',
      input: z.strictObject({
        search: z
          .string()
          .regex(/^".+"$/s, 'expected text in double quotes')
          .describe('In double quotes, such as "invoice from:ana"; not with filter or orderby')
          .optional(),
        filter,
        orderby: z
          .enum(['receivedDateTime desc', 'receivedDateTime'])
          .describe('A filter must then begin with receivedDateTime')
          .optional(),
      }),
      request: 'GET /me/messages',
      rename: { search: '$search', filter: '$filter', orderby: '$orderby' },
      fixed: {
        $select:
          'id,subject,from,toRecipients,receivedDateTime,isRead,hasAttachments,importance,conversationId,webLink,bodyPreview',
      },
      effect: 'read_only',
      scopes: [['Mail.Read', 'Mail.ReadWrite']],
      paging,
      keep: [...keptMessage, 'bodyPreview'],
    },
    getMessage: {
      description:
        'Read one mail with its whole text by its id. Returns sender, recipients and the body as plain text, but not the attachments.',
      input: z.strictObject({ messageId }),
      request: 'GET /me/messages/{messageId}',
      headers: { Prefer: 'outlook.body-content-type="text"' },
      effect: 'read_only',
      scopes: [['Mail.Read', 'Mail.ReadWrite']],
      keep: [...keptMessage, 'ccRecipients.emailAddress', 'replyTo.emailAddress', 'body.content'],
    },
    sendMail: {
      description:
        'Send a new mail at once from the mailbox, without attachments. To answer a mail, use replyToMessage. Returns no id; a copy is in Sent Items.',
      input: z.strictObject({
        subject: z.string().min(1).max(255),
        body,
        toRecipients: recipients,
        ccRecipients: recipients.optional(),
        bccRecipients: recipients.optional(),
        importance,
      }),
      request: 'POST /me/sendMail',
      fixed: { '@odata.type': '#microsoft.graph.message' },
      wrap: 'Message',
      effect: 'unsafe',
      scopes: ['Mail.Send'],
    },
    replyToMessage: {
      description:
        'Answer a mail at once; the reply goes to its sender, or its reply-to address, with the old text below. Returns no id. Does not answer the other recipients.',
      input: z.strictObject({ messageId, comment: z.string().min(1).describe('The text of the reply') }),
      request: 'POST /me/messages/{messageId}/reply',
      rename: { comment: 'Comment' },
      effect: 'unsafe',
      scopes: ['Mail.Send'],
    },
    // The move to Deleted Items gives the message a new id, so that a repetition finds nothing. With immutable ids
    // it would delete the message for good.
    deleteMessage: {
      description:
        'Delete one mail: it moves to Deleted Items, from which a person can restore it. Returns nothing.',
      input: z.strictObject({ messageId }),
      request: 'DELETE /me/messages/{messageId}',
      effect: 'idempotent',
      scopes: ['Mail.ReadWrite'],
    },
    listEvents: {
      description:
        'List the events of the main calendar between two instants, in their order, each repetition as an event of its own. Returns times in UTC, people and places.',
      input: z.strictObject({ startDateTime: instant, endDateTime: instant, filter }),
      request: 'GET /me/calendarView',
      rename: { filter: '$filter' },
      fixed: {
        $orderby: 'start/dateTime',
        $select:
          'id,subject,bodyPreview,start,end,isAllDay,isCancelled,location,organizer,attendees,showAs,type,onlineMeeting,webLink',
      },
      effect: 'read_only',
      scopes: [['Calendars.Read', 'Calendars.ReadWrite']],
      paging,
      keep: keptEvent,
    },
    createEvent: {
      description:
        'Create an event in the main calendar; attendees are sent an invitation. Returns the event with its id. Does not check whether the time is free.',
      input: z.strictObject({
        subject: z.string().min(1).max(255),
        start: eventTime,
        end: eventTime,
        body: body.optional(),
        attendees: z
          .array(z.email())
          .max(500)
          .describe('Addresses')
          .transform(attendees('required'))
          .optional(),
        location: z
          .string()
          .min(1)
          .transform((displayName) => typed('location', { displayName }))
          .optional(),
        isAllDay: z.boolean().describe('start and end are then at midnight').optional(),
        isOnlineMeeting: z.boolean().describe('With a link to a Teams meeting').optional(),
        importance,
      }),
      request: 'POST /me/events',
      fixed: { '@odata.type': '#microsoft.graph.event' },
      effect: 'keyed',
      // Outlook creates no second event with the same value: https://learn.microsoft.com/graph/api/resources/event
      idempotencyField: 'transactionId',
      scopes: ['Calendars.ReadWrite'],
      keep: keptEvent,
    },
    deleteEvent: {
      description:
        'Delete an event of the calendar. When the mailbox is its organizer, Outlook sends cancellations to all attendees. Returns nothing.',
      input: z.strictObject({ eventId }),
      request: 'DELETE /me/events/{eventId}',
      effect: 'idempotent',
      scopes: ['Calendars.ReadWrite'],
    },
  },
});
