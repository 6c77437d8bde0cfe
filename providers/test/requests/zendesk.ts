import type { ProviderRequests } from './request-case.ts';

export const zendeskRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    searchTickets: {
      input: { query: 'status<solved printer', sort_by: 'created_at', sort_order: 'desc', max_items: 10 },
      method: 'GET',
      target:
        '/search?query=type%3Aticket+status%3Csolved+printer&sort_by=created_at&sort_order=desc&per_page=10',
    },
    getTicket: { input: { ticket_id: 35436 }, method: 'GET', target: '/tickets/35436' },
    listComments: {
      input: { ticket_id: 35436, max_items: 50, continue_from: 'eyJvIjoi' },
      method: 'GET',
      target: '/tickets/35436/comments?page%5Bsize%5D=50&page%5Bafter%5D=eyJvIjoi',
    },
    createTicket: {
      input: {
        subject: 'My printer is on fire!',
        comment: { body: 'The smoke is very colorful.' },
        requester: { name: 'Ana', email: 'ana@example.com' },
        priority: 'urgent',
      },
      method: 'POST',
      target: '/tickets',
      body:
        '{"ticket":{"subject":"My printer is on fire!",' +
        '"comment":{"body":"The smoke is very colorful.","public":true},' +
        '"requester":{"name":"Ana","email":"ana@example.com"},"priority":"urgent"}}',
    },
    updateTicket: {
      input: {
        ticket_id: 35436,
        status: 'solved',
        tags: ['printer'],
        custom_fields: [{ id: 27642, value: '745' }],
      },
      method: 'PUT',
      target: '/tickets/35436',
      body: '{"ticket":{"status":"solved","tags":["printer"],"custom_fields":[{"id":27642,"value":"745"}]}}',
    },
    addComment: {
      input: { ticket_id: 35436, comment: { body: 'Thanks!', public: false }, status: 'pending' },
      method: 'PUT',
      target: '/tickets/35436',
      body: '{"ticket":{"comment":{"body":"Thanks!","public":false},"status":"pending"}}',
    },
    searchUsers: {
      input: { query: 'ana@example.com' },
      method: 'GET',
      target: '/users/search?query=ana%40example.com&per_page=100',
    },
    deleteTicket: {
      destructive: true,
      input: { ticket_id: 35436 },
      method: 'DELETE',
      target: '/tickets/35436',
    },
  },
};
