import type { ProviderRequests } from './request-case.ts';

const messageId = 'AAMkAGI2THVSAAA=';
const ana = '"emailAddress":{"@odata.type":"#microsoft.graph.emailAddress","address":"ana@example.com"}';

export const microsoftOutlookRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listMessages: {
      input: { filter: "isRead eq false and importance eq 'high'", max_items: 5 },
      method: 'GET',
      target:
        '/me/messages?%24select=id%2Csubject%2Cfrom%2CtoRecipients%2CreceivedDateTime%2CisRead%2ChasAttachments' +
        '%2Cimportance%2CconversationId%2CwebLink%2CbodyPreview' +
        '&%24filter=isRead+eq+false+and+importance+eq+%27high%27&%24top=5',
    },
    getMessage: {
      input: { messageId },
      method: 'GET',
      target: '/me/messages/AAMkAGI2THVSAAA%3D',
      headers: { prefer: 'outlook.body-content-type="text"' },
    },
    sendMail: {
      input: {
        subject: 'Tea',
        body: { content: '<b>At four?</b>', contentType: 'html' },
        toRecipients: ['ana@example.com'],
        importance: 'high',
      },
      method: 'POST',
      target: '/me/sendMail',
      body:
        '{"Message":{"@odata.type":"#microsoft.graph.message","subject":"Tea",' +
        '"body":{"@odata.type":"#microsoft.graph.itemBody","content":"<b>At four?</b>","contentType":"html"},' +
        `"toRecipients":[{"@odata.type":"#microsoft.graph.recipient",${ana}}],"importance":"high"}}`,
    },
    replyToMessage: {
      input: { messageId, comment: 'Gladly.' },
      method: 'POST',
      target: '/me/messages/AAMkAGI2THVSAAA%3D/reply',
      body: '{"Comment":"Gladly."}',
    },
    deleteMessage: {
      destructive: true,
      input: { messageId },
      method: 'DELETE',
      target: '/me/messages/AAMkAGI2THVSAAA%3D',
    },
    listEvents: {
      input: { startDateTime: '2026-03-01T00:00:00Z', endDateTime: '2026-03-08T00:00:00Z' },
      method: 'GET',
      target:
        '/me/calendarView?%24orderby=start%2FdateTime&%24select=id%2Csubject%2CbodyPreview%2Cstart%2Cend%2CisAllDay' +
        '%2CisCancelled%2Clocation%2Corganizer%2Cattendees%2CshowAs%2Ctype%2ConlineMeeting%2CwebLink' +
        '&startDateTime=2026-03-01T00%3A00%3A00Z&endDateTime=2026-03-08T00%3A00%3A00Z&%24top=100',
    },
    createEvent: {
      input: {
        subject: 'Tea',
        start: { dateTime: '2026-03-01T16:00:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-03-01T15:30:00' },
        attendees: ['ana@example.com'],
        location: 'Kitchen',
        isOnlineMeeting: true,
      },
      method: 'POST',
      target: '/me/events',
      body:
        '{"@odata.type":"#microsoft.graph.event","subject":"Tea",' +
        '"start":{"@odata.type":"#microsoft.graph.dateTimeTimeZone","dateTime":"2026-03-01T16:00:00","timeZone":"Europe/Berlin"},' +
        '"end":{"@odata.type":"#microsoft.graph.dateTimeTimeZone","dateTime":"2026-03-01T15:30:00","timeZone":"UTC"},' +
        `"attendees":[{"@odata.type":"#microsoft.graph.attendee","type":"required",${ana}}],` +
        '"location":{"@odata.type":"#microsoft.graph.location","displayName":"Kitchen"},"isOnlineMeeting":true}',
    },
    deleteEvent: {
      destructive: true,
      input: { eventId: messageId },
      method: 'DELETE',
      target: '/me/events/AAMkAGI2THVSAAA%3D',
    },
  },
};
