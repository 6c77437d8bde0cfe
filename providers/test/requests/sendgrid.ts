import { caseFileId, type ProviderRequests } from './request-case.ts';

export const sendgridRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    sendMail: {
      input: {
        from: { email: 'shop@example.com', name: 'Shop' },
        to: [{ email: 'ana@example.com' }],
        bcc: [{ email: 'archive@example.com' }],
        subject: 'Tea',
        html: '<p>At four</p>',
        text: 'At four',
        attachments: [caseFileId],
        categories: ['tea'],
      },
      method: 'POST',
      target: '/mail/send',
      body:
        '{"personalizations":[{"to":[{"email":"ana@example.com"}],"bcc":[{"email":"archive@example.com"}]}],' +
        '"from":{"email":"shop@example.com","name":"Shop"},"subject":"Tea",' +
        '"content":[{"type":"text/plain","value":"At four"},{"type":"text/html","value":"<p>At four</p>"}],' +
        '"categories":["tea"],' +
        '"attachments":[{"content":"VGVhIGF0IGZvdXI=","filename":"tea.txt","type":"text/plain"}]}',
    },
    upsertContacts: {
      input: {
        contacts: [{ email: 'ana@example.com', first_name: 'Ana', custom_fields: { w1: 7 } }],
        list_ids: ['ca7dfa9e-6a20-4d4b-8f3e-2f8a6f0d5b7c'],
      },
      method: 'PUT',
      target: '/marketing/contacts',
      body:
        '{"contacts":[{"email":"ana@example.com","first_name":"Ana","custom_fields":{"w1":7}}],' +
        '"list_ids":["ca7dfa9e-6a20-4d4b-8f3e-2f8a6f0d5b7c"]}',
    },
    searchContacts: {
      input: { query: "email LIKE 'ana@%'" },
      method: 'POST',
      target: '/marketing/contacts/search',
      body: `{"query":"email LIKE 'ana@%'"}`,
    },
    listContactLists: { input: { max_items: 20 }, method: 'GET', target: '/marketing/lists?page_size=20' },
    listTemplates: {
      input: { continue_from: 'generations=dynamic&page_size=50&page_token=abc' },
      method: 'GET',
      target: '/templates?generations=dynamic&page_size=50&page_token=abc',
    },
    getStats: {
      input: { start_date: '2026-03-01', end_date: '2026-03-31', aggregated_by: 'week' },
      method: 'GET',
      target: '/stats?start_date=2026-03-01&end_date=2026-03-31&aggregated_by=week',
    },
    deleteContacts: {
      destructive: true,
      input: { ids: ['a1', 'b2'] },
      method: 'DELETE',
      target: '/marketing/contacts?ids=a1%2Cb2',
    },
  },
};
