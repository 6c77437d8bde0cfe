import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { googleOAuth } from '../google-oauth.ts';

const calendarId = z.string().min(1).default('primary').describe('Id of the calendar');
const eventId = z.string().min(1).describe('Id of the event');
const instant = z.iso.datetime({ offset: true }).describe('RFC 3339, such as 2026-03-01T09:00:00Z');
const timeZone = z.string().describe('IANA name, such as Europe/Berlin').optional();
const sendUpdates = z
  .enum(['all', 'externalOnly', 'none'])
  .describe('The attendees who are sent a mail')
  .optional();
const eventTime = z
  .strictObject({ dateTime: instant.optional(), date: z.iso.date().optional(), timeZone })
  .describe('dateTime, or date for whole days');
const paging = {
  style: 'cursor',
  field: 'pageToken',
  next: 'nextPageToken',
  items: 'items',
  size: { field: 'maxResults', max: 250 },
} as const;
const calendars = 'https://www.googleapis.com/auth/calendar';
const reading = [[`${calendars}.readonly`, calendars]] as const;
const events = [[`${calendars}.events`, calendars]] as const;
const eventReading = [
  [`${calendars}.events`, calendars, `${calendars}.readonly`, `${calendars}.events.readonly`],
] as const;
const keptEvent = [
  ...['id', 'status', 'summary', 'description', 'location', 'start', 'end', 'recurrence', 'recurringEventId'],
  ...['organizer.email', 'attendees.email', 'attendees.responseStatus', 'hangoutLink', 'htmlLink', 'updated'],
];

const eventFields = {
  summary: z.string().describe('Title').optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  attendees: z
    .array(
      z.strictObject({
        email: z.email(),
        displayName: z.string().optional(),
        optional: z.boolean().optional(),
      }),
    )
    .max(200)
    .optional(),
  recurrence: z.array(z.string()).describe('RRULE, EXDATE and RDATE lines of RFC 5545').optional(),
  colorId: z.string().optional(),
  visibility: z.enum(['default', 'public', 'private', 'confidential']).optional(),
  transparency: z.enum(['opaque', 'transparent']).describe('Whether it blocks time').optional(),
  reminders: z
    .strictObject({
      useDefault: z.boolean(),
      overrides: z
        .array(z.strictObject({ method: z.enum(['email', 'popup']), minutes: z.int().min(0).max(40_320) }))
        .max(5)
        .optional(),
    })
    .optional(),
};

export const googleCalendar = defineProvider({
  name: 'google-calendar',
  title: 'Google Calendar',
  description: 'Read and plan events, and find free time, in Google calendars.',
  category: 'calendar',
  baseUrl: 'https://www.googleapis.com/calendar/v3',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: googleOAuth,
    hint: 'An OAuth client of a Google Cloud project with the Calendar API switched on.',
  },
  setup: [
    'Open the [Google Cloud console](https://console.cloud.google.com), choose a project and switch on the **Google Calendar API**.',
    'Fill in the *OAuth consent screen*, and add the scopes that are shown here.',
    'Under *Credentials*, create an **OAuth client ID** for a *Web application*.',
  ],
  verify: { request: 'GET /users/me/calendarList', query: { maxResults: 1 } },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    listEvents: {
      description:
        'List events of a calendar in a span of time or by words. Returns ids, times and attendees. For free time, use queryFreeBusy.',
      input: z.strictObject({
        calendarId,
        timeMin: instant.optional(),
        timeMax: instant.optional(),
        q: z.string().describe('Words to find').optional(),
        singleEvents: z
          .boolean()
          .default(true)
          .describe('Recurring events as the single events they stand for'),
        orderBy: z.enum(['startTime', 'updated']).describe('startTime only with singleEvents').optional(),
        updatedMin: instant.optional(),
        showDeleted: z.boolean().optional(),
        timeZone,
      }),
      request: 'GET /calendars/{calendarId}/events',
      effect: 'read_only',
      scopes: eventReading,
      paging,
      keep: keptEvent,
    },
    getEvent: {
      description: 'Get one event by its id, as listEvents returns it, with its attendees and their answers.',
      input: z.strictObject({ calendarId, eventId, timeZone }),
      request: 'GET /calendars/{calendarId}/events/{eventId}',
      effect: 'read_only',
      scopes: eventReading,
      keep: keptEvent,
    },
    createEvent: {
      description:
        'Create an event with a start, an end and attendees. Returns the event. Does not check whether the time is free.',
      input: z.strictObject({ calendarId, start: eventTime, end: eventTime, ...eventFields, sendUpdates }),
      request: 'POST /calendars/{calendarId}/events',
      scopes: events,
      keep: keptEvent,
      query: ['sendUpdates'],
      effect: 'unsafe',
    },
    updateEvent: {
      description:
        'Change fields of an event, or cancel it; a list that is given replaces the whole list. Returns the event.',
      input: z.strictObject({
        calendarId,
        eventId,
        start: eventTime.optional(),
        end: eventTime.optional(),
        status: z.enum(['confirmed', 'tentative', 'cancelled']).optional(),
        ...eventFields,
        sendUpdates,
      }),
      request: 'PATCH /calendars/{calendarId}/events/{eventId}',
      scopes: events,
      keep: keptEvent,
      query: ['sendUpdates'],
      effect: 'idempotent',
      // `status: 'cancelled'` deletes the event.
      destructive: true,
    },
    deleteEvent: {
      description:
        'Delete an event from a calendar for good. To keep it visible as cancelled, use updateEvent with a status.',
      input: z.strictObject({ calendarId, eventId, sendUpdates }),
      request: 'DELETE /calendars/{calendarId}/events/{eventId}',
      scopes: events,
      effect: 'idempotent',
    },
    quickAddEvent: {
      description:
        'Create an event from a sentence, such as "Lunch with Ana tomorrow at noon". Returns the event; check its time.',
      input: z.strictObject({ calendarId, text: z.string().min(1), sendUpdates }),
      request: 'POST /calendars/{calendarId}/events/quickAdd',
      scopes: events,
      keep: keptEvent,
      query: ['text', 'sendUpdates'],
      effect: 'unsafe',
    },
    listCalendars: {
      description: 'List the calendars that the user can see, with the ids that the other tools need.',
      input: z.strictObject({
        minAccessRole: z.enum(['freeBusyReader', 'reader', 'writer', 'owner']).optional(),
        showHidden: z.boolean().optional(),
      }),
      request: 'GET /users/me/calendarList',
      effect: 'read_only',
      scopes: reading,
      paging,
      keep: ['id', 'summary', 'description', 'timeZone', 'accessRole', 'primary'],
    },
    queryFreeBusy: {
      description:
        'Find out when calendars are busy in a span of time. Returns the busy spans only, not the events.',
      input: z.strictObject({
        timeMin: instant,
        timeMax: instant,
        items: z
          .array(z.strictObject({ id: z.string() }))
          .min(1)
          .max(50)
          .describe('Calendars'),
        timeZone,
      }),
      request: 'POST /freeBusy',
      effect: 'read_only',
      scopes: reading,
    },
  },
});
