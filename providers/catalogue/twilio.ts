import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const sid = (what: string, prefix: string) =>
  z
    .string()
    .regex(/^[A-Z]{2}[0-9a-fA-F]{32}$/)
    .describe(`Id of the ${what}, which begins with ${prefix}`);
const number = z.string().min(1).max(100);
const day = z.iso.date().describe('A day in UTC');
const size = { field: 'PageSize', max: 1000 } as const;
const paging = { style: 'link', next: 'next_page_uri', items: 'messages', size } as const;
const keptMessage = [
  ...['sid', 'status', 'direction', 'from', 'to', 'body', 'num_media', 'error_code', 'error_message'],
  ...['price', 'price_unit', 'date_created', 'date_sent'],
];
const keptCall = [
  ...['sid', 'status', 'direction', 'from', 'to', 'start_time', 'end_time', 'duration', 'answered_by'],
  ...['price', 'price_unit'],
];

export const twilio = defineProvider({
  name: 'twilio',
  title: 'Twilio',
  description: 'Send and read SMS and WhatsApp messages, and place phone calls, with Twilio.',
  category: 'communication',
  baseUrl: 'https://api.twilio.com/2010-04-01/Accounts/{accountSid}',
  variables: {
    accountSid: {
      description: 'The Account SID on the first page of the Twilio Console',
      example: 'AC0123456789abcdef0123456789abcdef',
    },
  },
  bodyFormat: 'repeated_form',
  auth: {
    types: ['basic'],
    basic: { username: 'API key SID or Account SID', password: 'API key secret or Auth Token' },
    hint: 'An API key of the Twilio Console, Account, API keys and tokens.',
  },
  setup: [
    'Open the [Twilio Console](https://console.twilio.com) and copy the **Account SID** of the first page.',
    'Create a **standard API key** under *Account*, *API keys & tokens*; copy its SID and its secret, which is shown once.',
    'Buy a phone number, or register a WhatsApp sender, that messages and calls come from.',
  ],
  verify: { request: 'GET /IncomingPhoneNumbers.json', query: { PageSize: 1 } },
  errors: { message: ['message'], details: ['more_info'] },
  operations: {
    sendMessage: {
      description:
        'Send an SMS, MMS or WhatsApp message to a phone number. Returns its sid and first state; whether it arrived tells getMessage later.',
      input: z.strictObject({
        to: number.describe('Recipient in E.164, such as +15558675310, or whatsapp:+15558675310'),
        from: number
          .describe('A number of the account, from listPhoneNumbers, or whatsapp:+…; or messagingServiceSid')
          .optional(),
        messagingServiceSid: sid('messaging service that sends, instead of from', 'MG').optional(),
        body: z.string().min(1).max(1600).optional(),
        mediaUrls: z
          .array(z.url())
          .max(10)
          .describe('Public addresses of pictures or files to send along')
          .optional(),
        contentSid: sid('content template, which WhatsApp needs for first messages', 'HX').optional(),
        contentVariables: z.string().describe('JSON text with the variables of contentSid').optional(),
        scheduleType: z.literal('fixed').describe('With sendAt and messagingServiceSid').optional(),
        sendAt: z.iso.datetime().describe('15 minutes to 35 days from now').optional(),
      }),
      request: 'POST /Messages.json',
      rename: {
        ...{ to: 'To', from: 'From', messagingServiceSid: 'MessagingServiceSid', body: 'Body' },
        ...{ mediaUrls: 'MediaUrl', contentSid: 'ContentSid', contentVariables: 'ContentVariables' },
        ...{ scheduleType: 'ScheduleType', sendAt: 'SendAt' },
      },
      effect: 'unsafe',
      keep: keptMessage,
    },
    listMessages: {
      description:
        'List messages that were sent and received, newest first, by number and day. Returns texts and states. Does not return the media.',
      input: z.strictObject({
        to: number.optional(),
        from: number.optional(),
        sentOn: day.optional(),
        sentFrom: day.describe('Sent on this day or later, in UTC').optional(),
        sentUntil: day.describe('Sent on this day or before, in UTC').optional(),
      }),
      request: 'GET /Messages.json',
      rename: {
        ...{ to: 'To', from: 'From' },
        ...{ sentOn: 'DateSent', sentFrom: 'DateSent>', sentUntil: 'DateSent<' },
      },
      effect: 'read_only',
      paging,
      keep: keptMessage,
    },
    getMessage: {
      description:
        'Get one message by its sid: whether it was delivered, its text, its price, and the error when it failed.',
      input: z.strictObject({ sid: sid('message', 'SM or MM') }),
      request: 'GET /Messages/{sid}.json',
      effect: 'read_only',
      keep: keptMessage,
    },
    placeCall: {
      description:
        'Call a phone number and play TwiML to whoever answers. Give twiml or url. Returns the sid of the call at once; its outcome comes from getCall.',
      input: z.strictObject({
        to: number.describe('The number to call in E.164, or a sip: or client: address'),
        from: number.describe('A voice number of the account in E.164, from listPhoneNumbers'),
        twiml: z
          .string()
          .max(4000)
          .describe('What the call does, such as <Response><Say>Hi</Say></Response>')
          .optional(),
        url: z.url().describe('Where Twilio gets the TwiML, instead of twiml').optional(),
        timeout: z.int().min(1).max(600).describe('Seconds to let it ring').optional(),
        timeLimit: z.int().min(1).describe('The longest the call may last, in seconds').optional(),
        record: z.boolean().describe('Needs consent in many countries').optional(),
        machineDetection: z.enum(['Enable', 'DetectMessageEnd']).optional(),
      }),
      request: 'POST /Calls.json',
      rename: {
        ...{ to: 'To', from: 'From', twiml: 'Twiml', url: 'Url', timeout: 'Timeout' },
        ...{ timeLimit: 'TimeLimit', record: 'Record', machineDetection: 'MachineDetection' },
      },
      effect: 'unsafe',
      keep: keptCall,
    },
    getCall: {
      description:
        'Get one call by its sid: its state, when it began and ended, how long it lasted and its price. Does not return recordings.',
      input: z.strictObject({ sid: sid('call', 'CA') }),
      request: 'GET /Calls/{sid}.json',
      effect: 'read_only',
      keep: keptCall,
    },
    listPhoneNumbers: {
      description:
        'List the phone numbers of the account, from which messages and calls can come, and their capabilities. Does not list numbers for sale.',
      input: z.strictObject({
        phoneNumber: z.string().describe('Part of a number; * stands for any digit').optional(),
        friendlyName: z.string().describe('The exact name').optional(),
      }),
      request: 'GET /IncomingPhoneNumbers.json',
      rename: { phoneNumber: 'PhoneNumber', friendlyName: 'FriendlyName' },
      effect: 'read_only',
      paging: { ...paging, items: 'incoming_phone_numbers' },
      keep: ['sid', 'phone_number', 'friendly_name', 'capabilities', 'status', 'date_created'],
    },
    deleteMessage: {
      description:
        'Delete the record of a message from the account for good. Does not call back a message that was sent.',
      input: z.strictObject({ sid: sid('message', 'SM or MM') }),
      request: 'DELETE /Messages/{sid}.json',
      effect: 'idempotent',
    },
  },
});
