import type { ProviderRequests } from './request-case.ts';

const sid = 'SM0123456789abcdef0123456789abcdef';

export const twilioRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  contentType: 'application/x-www-form-urlencoded',
  cases: {
    sendMessage: {
      input: {
        to: '+15558675310',
        from: '+15017122661',
        body: 'Tea & cake?',
        mediaUrls: ['https://c1.example.com/owl.png', 'https://c1.example.com/tea.png'],
      },
      method: 'POST',
      target: '/Messages.json',
      body:
        'To=%2B15558675310&From=%2B15017122661&Body=Tea+%26+cake%3F' +
        '&MediaUrl=https%3A%2F%2Fc1.example.com%2Fowl.png&MediaUrl=https%3A%2F%2Fc1.example.com%2Ftea.png',
    },
    listMessages: {
      input: { to: '+15558675310', sentFrom: '2026-03-01', sentUntil: '2026-03-02', max_items: 20 },
      method: 'GET',
      target: '/Messages.json?To=%2B15558675310&DateSent%3E=2026-03-01&DateSent%3C=2026-03-02&PageSize=20',
    },
    getMessage: { input: { sid }, method: 'GET', target: `/Messages/${sid}.json` },
    placeCall: {
      input: {
        to: '+15558675310',
        from: '+15017122661',
        twiml: '<Response><Say>Hi</Say></Response>',
        timeout: 30,
        record: false,
      },
      method: 'POST',
      target: '/Calls.json',
      body:
        'To=%2B15558675310&From=%2B15017122661&Twiml=%3CResponse%3E%3CSay%3EHi%3C%2FSay%3E%3C%2FResponse%3E' +
        '&Timeout=30&Record=false',
    },
    getCall: {
      input: { sid: 'CA0123456789abcdef0123456789abcdef' },
      method: 'GET',
      target: '/Calls/CA0123456789abcdef0123456789abcdef.json',
    },
    listPhoneNumbers: {
      input: { phoneNumber: '+1555', continue_from: 'PageSize=50&Page=1&PageToken=PAPN1' },
      method: 'GET',
      target: '/IncomingPhoneNumbers.json?PageSize=50&Page=1&PageToken=PAPN1',
    },
    deleteMessage: { destructive: true, input: { sid }, method: 'DELETE', target: `/Messages/${sid}.json` },
  },
};
