import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { textAt } from '../read-answer.ts';

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
  maxResults: z.int().min(1).max(250).default(50),
  pageToken: z.string().describe('nextPageToken of the page before').optional(),
};

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
    oauth: {
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      clientAuthentication: 'post',
      scopes: ['https://www.googleapis.com/auth/calendar'],
      // Without these parameters Google returns no refresh token, or only the first time.
      parameters: { access_type: 'offline', prompt: 'consent' },
    },
    hint: 'An OAuth client of a Google Cloud project with the Calendar API switched on.',
  },
  verify: { request: 'GET /users/me/calendarList', query: { maxResults: 1 } },
  readError: ({ status, body }) =>
    status < 400 ? null : (textAt(body, 'error', 'message') ?? textAt(body, 'error_description') ?? null),
  operations: {
    listEvents: {
      description: 'List events of a calendar, by time or by words.',
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
        ...paging,
      }),
      request: 'GET /calendars/{calendarId}/events',
      effect: 'read_only',
    },
    getEvent: {
      description: 'Get one event.',
      input: z.strictObject({ calendarId, eventId, timeZone }),
      request: 'GET /calendars/{calendarId}/events/{eventId}',
      effect: 'read_only',
    },
    createEvent: {
      description: 'Create an event.',
      input: z.strictObject({ calendarId, start: eventTime, end: eventTime, ...eventFields, sendUpdates }),
      request: 'POST /calendars/{calendarId}/events',
      query: ['sendUpdates'],
      effect: 'unsafe',
    },
    updateEvent: {
      description: 'Change fields of an event, or cancel it; a list that is given replaces the whole list.',
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
      query: ['sendUpdates'],
      effect: 'idempotent',
      // `status: 'cancelled'` deletes the event.
      destructive: true,
    },
    deleteEvent: {
      description: 'Delete an event.',
      input: z.strictObject({ calendarId, eventId, sendUpdates }),
      request: 'DELETE /calendars/{calendarId}/events/{eventId}',
      effect: 'idempotent',
    },
    quickAddEvent: {
      description: 'Create an event from a sentence, such as "Lunch with Ana tomorrow at noon".',
      input: z.strictObject({ calendarId, text: z.string().min(1), sendUpdates }),
      request: 'POST /calendars/{calendarId}/events/quickAdd',
      query: ['text', 'sendUpdates'],
      effect: 'unsafe',
    },
    listCalendars: {
      description: 'List the calendars of the user.',
      input: z.strictObject({
        minAccessRole: z.enum(['freeBusyReader', 'reader', 'writer', 'owner']).optional(),
        showHidden: z.boolean().optional(),
        ...paging,
      }),
      request: 'GET /users/me/calendarList',
      effect: 'read_only',
    },
    queryFreeBusy: {
      description: 'Find out when calendars are busy.',
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
    },
  },
});
