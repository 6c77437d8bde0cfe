import type { ProviderRequests } from './request-case.ts';

const start = { dateTime: '2026-03-01T09:00:00+01:00', timeZone: 'Europe/Berlin' };
const end = { dateTime: '2026-03-01T09:30:00+01:00', timeZone: 'Europe/Berlin' };
const startText = '{"dateTime":"2026-03-01T09:00:00+01:00","timeZone":"Europe/Berlin"}';
const endText = '{"dateTime":"2026-03-01T09:30:00+01:00","timeZone":"Europe/Berlin"}';

export const googleCalendarRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  contentType: 'application/json',
  cases: {
    listEvents: {
      input: { timeMin: '2026-03-01T00:00:00Z', orderBy: 'startTime', q: 'stand-up', max_items: 10 },
      method: 'GET',
      target:
        '/calendars/primary/events?timeMin=2026-03-01T00%3A00%3A00Z&q=stand-up&singleEvents=true' +
        '&orderBy=startTime&maxResults=10',
    },
    getEvent: {
      input: { calendarId: 'team@group.calendar.google.com', eventId: 'abc123' },
      method: 'GET',
      target: '/calendars/team%40group.calendar.google.com/events/abc123',
    },
    createEvent: {
      input: {
        start,
        end,
        summary: 'Stand-up',
        attendees: [{ email: 'ana@example.com', optional: true }],
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] },
        sendUpdates: 'all',
      },
      method: 'POST',
      target: '/calendars/primary/events?sendUpdates=all',
      body:
        `{"start":${startText},"end":${endText},"summary":"Stand-up",` +
        '"attendees":[{"email":"ana@example.com","optional":true}],' +
        '"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]}}',
    },
    updateEvent: {
      destructive: true,
      input: { eventId: 'abc123', summary: 'Sit-down', status: 'tentative', sendUpdates: 'none' },
      method: 'PATCH',
      target: '/calendars/primary/events/abc123?sendUpdates=none',
      body: '{"status":"tentative","summary":"Sit-down"}',
    },
    deleteEvent: {
      destructive: true,
      input: { eventId: 'abc123', sendUpdates: 'externalOnly' },
      method: 'DELETE',
      target: '/calendars/primary/events/abc123?sendUpdates=externalOnly',
    },
    quickAddEvent: {
      input: { text: 'Lunch with Ana tomorrow at noon' },
      method: 'POST',
      target: '/calendars/primary/events/quickAdd?text=Lunch+with+Ana+tomorrow+at+noon',
    },
    listCalendars: {
      input: { minAccessRole: 'writer', showHidden: true },
      method: 'GET',
      target: '/users/me/calendarList?minAccessRole=writer&showHidden=true&maxResults=100',
    },
    queryFreeBusy: {
      input: {
        timeMin: '2026-03-01T00:00:00Z',
        timeMax: '2026-03-02T00:00:00Z',
        items: [{ id: 'primary' }],
        timeZone: 'UTC',
      },
      method: 'POST',
      target: '/freeBusy',
      body: '{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-03-02T00:00:00Z","items":[{"id":"primary"}],"timeZone":"UTC"}',
    },
  },
};
