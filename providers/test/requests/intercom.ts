import type { ProviderRequests } from './request-case.ts';

export const intercomRequests: ProviderRequests = {
  headers: { accept: 'application/json', 'intercom-version': '2.16' },
  cases: {
    searchContacts: {
      input: {
        query: { field: 'email', operator: '~', value: '@example.com' },
        sort: { field: 'created_at', order: 'descending' },
        max_items: 5,
        continue_from: 'WzE3MF0=',
      },
      method: 'POST',
      target: '/contacts/search',
      body:
        '{"query":{"field":"email","operator":"~","value":"@example.com"},' +
        '"sort":{"field":"created_at","order":"descending"},' +
        '"pagination":{"per_page":5,"starting_after":"WzE3MF0="}}',
    },
    createContact: {
      input: { email: 'ana@example.com', role: 'user', name: 'Ana', custom_attributes: { plan: 'pro' } },
      method: 'POST',
      target: '/contacts',
      body: '{"email":"ana@example.com","role":"user","name":"Ana","custom_attributes":{"plan":"pro"}}',
    },
    updateContact: {
      input: { contact_id: '5ba682d23d7cf92bef87bfd4', name: 'Ana B', unsubscribed_from_emails: true },
      method: 'PUT',
      target: '/contacts/5ba682d23d7cf92bef87bfd4',
      body: '{"name":"Ana B","unsubscribed_from_emails":true}',
    },
    searchConversations: {
      input: {
        query: {
          operator: 'AND',
          value: [
            { field: 'open', operator: '=', value: true },
            { field: 'created_at', operator: '>', value: 1700000000 },
          ],
        },
      },
      method: 'POST',
      target: '/conversations/search',
      body:
        '{"query":{"operator":"AND","value":[{"field":"open","operator":"=","value":true},' +
        '{"field":"created_at","operator":">","value":1700000000}]},"pagination":{"per_page":100}}',
    },
    getConversation: {
      input: { conversation_id: '471' },
      method: 'GET',
      target: '/conversations/471?display_as=plaintext',
    },
    replyToConversation: {
      input: { conversation_id: '471', admin_id: '991268363', body: 'On its way', message_type: 'note' },
      method: 'POST',
      target: '/conversations/471/reply',
      body: '{"type":"admin","admin_id":"991268363","message_type":"note","body":"On its way"}',
    },
    addNoteToContact: {
      input: { contact_id: '5ba682d23d7cf92bef87bfd4', body: 'Called', admin_id: '991268363' },
      method: 'POST',
      target: '/contacts/5ba682d23d7cf92bef87bfd4/notes',
      body: '{"body":"Called","admin_id":"991268363"}',
    },
    deleteContact: {
      destructive: true,
      input: { contact_id: '5ba682d23d7cf92bef87bfd4' },
      method: 'DELETE',
      target: '/contacts/5ba682d23d7cf92bef87bfd4',
    },
  },
};
