import type { ProviderRequests } from './request-case.ts';

export const stripeRequests: ProviderRequests = {
  headers: { accept: 'application/json', 'stripe-version': '2024-06-20' },
  contentType: 'application/x-www-form-urlencoded',
  cases: {
    searchCustomers: {
      input: { query: `name:'Jane Doe' AND metadata['foo']:'bar'`, max_items: 3, continue_from: 'abc' },
      method: 'GET',
      target:
        '/v1/customers/search?query=name%3A%27Jane+Doe%27+AND+metadata%5B%27foo%27%5D%3A%27bar%27&limit=3&page=abc',
    },
    createCustomer: {
      input: {
        email: 'jenny@example.com',
        name: 'Jenny Rosen',
        address: { line1: '1 Tea Street', country: 'GB' },
        metadata: { order: '7' },
      },
      method: 'POST',
      target: '/v1/customers',
      body:
        'email=jenny%40example.com&name=Jenny+Rosen' +
        '&address%5Bline1%5D=1+Tea+Street&address%5Bcountry%5D=GB&metadata%5Border%5D=7',
    },
    listInvoices: {
      input: { customer: 'cus_1', status: 'open', created: { gte: 1700000000 }, continue_from: 'in_9' },
      method: 'GET',
      target:
        '/v1/invoices?customer=cus_1&status=open&created%5Bgte%5D=1700000000&limit=100&starting_after=in_9',
    },
    createInvoice: {
      input: { customer: 'cus_1', collection_method: 'send_invoice', days_until_due: 14 },
      method: 'POST',
      target: '/v1/invoices',
      body:
        'customer=cus_1&collection_method=send_invoice&days_until_due=14' +
        '&pending_invoice_items_behavior=include&auto_advance=false',
    },
    listPaymentIntents: {
      input: { customer: 'cus_1', created: { lte: 1700000000 }, max_items: 5 },
      method: 'GET',
      target: '/v1/payment_intents?customer=cus_1&created%5Blte%5D=1700000000&limit=5',
    },
    createRefund: {
      input: { payment_intent: 'pi_1', amount: 500, reason: 'requested_by_customer' },
      method: 'POST',
      target: '/v1/refunds',
      body: 'payment_intent=pi_1&amount=500&reason=requested_by_customer',
    },
    getBalance: { input: {}, method: 'GET', target: '/v1/balance' },
    cancelSubscription: {
      destructive: true,
      input: { subscription: 'sub_1', prorate: true, cancellation_details: { comment: 'Moved away' } },
      method: 'DELETE',
      target: '/v1/subscriptions/sub_1',
      body: 'prorate=true&cancellation_details%5Bcomment%5D=Moved+away',
    },
  },
};
