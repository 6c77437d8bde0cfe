import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const customer = z.string().min(1).describe('Id of the customer, such as cus_NffrFeUfNV2Hib');
const seconds = z.int().min(0).describe('Epoch seconds');
const created = z
  .strictObject({ gte: seconds.optional(), lte: seconds.optional() })
  .describe('When it was created');
const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .describe('ISO code in lower case, such as eur');
const metadata = z.record(z.string(), z.string()).describe('Your own texts by name').optional();
const paging = {
  style: 'cursor',
  field: 'starting_after',
  next: 'data.-1.id',
  more: 'has_more',
  items: 'data',
  size: { field: 'limit', max: 100 },
} as const;
const keptCustomer = [
  ...['id', 'name', 'email', 'phone', 'description', 'balance', 'currency', 'created', 'metadata'],
];
const keptInvoice = [
  ...['id', 'number', 'status', 'customer', 'customer_name', 'customer_email', 'subscription', 'description'],
  ...['currency', 'total', 'amount_due', 'amount_paid', 'amount_remaining', 'created', 'due_date'],
  ...['hosted_invoice_url', 'metadata'],
];

/** Every POST takes an idempotency key, which Stripe keeps for at least 24 hours: https://docs.stripe.com/api/idempotent_requests */
const keyed = { effect: 'keyed', idempotencyHeader: 'Idempotency-Key' } as const;

export const stripe = defineProvider({
  name: 'stripe',
  title: 'Stripe',
  description: 'Find customers, invoices and payments of a Stripe account, bill and refund.',
  category: 'payments',
  baseUrl: 'https://api.stripe.com',
  // Without it, the version of the account decides which fields an answer has.
  headers: { 'Stripe-Version': '2024-06-20' },
  bodyFormat: 'nested_form',
  auth: {
    types: ['bearer'],
    hint: 'A secret or restricted key (sk_… or rk_…) of the Developers section, API keys.',
  },
  setup: [
    'Open the [Stripe Dashboard](https://dashboard.stripe.com/apikeys), *Developers*, *API keys*.',
    'Create a **restricted key**: *Read* for Balance, Customers, Invoices and PaymentIntents, *Write* for the objects that agents may change.',
    'Copy the key; Stripe shows it once. A key that begins with `rk_test_` works on test data only.',
  ],
  verify: { request: 'GET /v1/balance' },
  // 25 a second with test data, 100 with live data: https://docs.stripe.com/rate-limits
  rateLimit: { tokensPerMinute: 1500 },
  errors: {
    message: ['error.message'],
    details: ['error.code', 'error.decline_code', 'error.param'],
    // The first request with the same key has not ended: https://docs.stripe.com/error-codes#idempotency-key-in-use
    uncertain: { at: 'error.code', oneOf: ['idempotency_key_in_use'] },
  },
  operations: {
    searchCustomers: {
      description:
        'Find customers by e-mail, name, phone or metadata. Returns ids and contact data. New customers appear after about a minute.',
      input: z.strictObject({
        query: z
          .string()
          .min(1)
          .max(5000)
          .describe(`Stripe's search language, such as email:"ana@example.com" or name~"ana"`),
      }),
      request: 'GET /v1/customers/search',
      effect: 'read_only',
      // 20 a second for searches.
      rateLimit: { tokensPerMinute: 1200 },
      paging: { ...paging, field: 'page', next: 'next_page' },
      keep: keptCustomer,
    },
    createCustomer: {
      description:
        'Create a customer to bill. Returns its id. Does not check whether one with this e-mail exists: use searchCustomers first.',
      input: z.strictObject({
        email: z.email().max(512).optional(),
        name: z.string().max(256).optional(),
        phone: z.string().max(20).optional(),
        description: z.string().max(5000).describe('A note that the customer does not see').optional(),
        address: z
          .strictObject({
            line1: z.string().optional(),
            line2: z.string().optional(),
            postal_code: z.string().optional(),
            city: z.string().optional(),
            state: z.string().optional(),
            country: z.string().length(2).describe('ISO code of two letters').optional(),
          })
          .optional(),
        metadata,
      }),
      request: 'POST /v1/customers',
      ...keyed,
      keep: keptCustomer,
    },
    listInvoices: {
      description:
        'List invoices, newest first, by customer, state or time. Returns amounts in the smallest unit of the currency (cents), not the lines.',
      input: z.strictObject({
        customer: customer.optional(),
        status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
        subscription: z.string().describe('Id of a subscription').optional(),
        created: created.optional(),
        due_date: created.describe('When it is due').optional(),
      }),
      request: 'GET /v1/invoices',
      effect: 'read_only',
      paging,
      keep: keptInvoice,
    },
    createInvoice: {
      description:
        'Create a draft invoice from the pending items of a customer. Returns its id and totals. Does not finalize, send or charge it unless auto_advance is true.',
      input: z.strictObject({
        customer,
        description: z.string().max(1500).describe('A note on the invoice').optional(),
        collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
        days_until_due: z.int().min(0).describe('Only with send_invoice').optional(),
        currency: currency.optional(),
        subscription: z.string().describe('Only the pending items of this subscription').optional(),
        pending_invoice_items_behavior: z.enum(['include', 'exclude']).default('include'),
        auto_advance: z.boolean().default(false).describe('Finalize and collect it after about an hour'),
        footer: z.string().max(5000).optional(),
        metadata,
      }),
      request: 'POST /v1/invoices',
      ...keyed,
      keep: keptInvoice,
    },
    listPaymentIntents: {
      description:
        'List payments, newest first, with amounts in the smallest unit of the currency and their states. Includes payments that failed.',
      input: z.strictObject({ customer: customer.optional(), created: created.optional() }),
      request: 'GET /v1/payment_intents',
      effect: 'read_only',
      paging,
      keep: [
        ...['id', 'amount', 'amount_received', 'currency', 'status', 'customer', 'description', 'invoice'],
        ...['latest_charge', 'receipt_email', 'last_payment_error.message', 'created', 'metadata'],
      ],
    },
    createRefund: {
      description:
        'Refund a payment in full or in part; the money goes back to the customer. Give payment_intent or charge. Returns the state of the refund.',
      input: z.strictObject({
        payment_intent: z.string().describe('Id of the payment, from listPaymentIntents').optional(),
        charge: z.string().describe('Id of a charge, instead of payment_intent').optional(),
        amount: z
          .int()
          .min(1)
          .describe('In the smallest unit of the currency; without it all that is left')
          .optional(),
        reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
        metadata,
      }),
      request: 'POST /v1/refunds',
      ...keyed,
      keep: [
        ...['id', 'status', 'amount', 'currency', 'payment_intent', 'charge', 'reason', 'failure_reason'],
        'created',
      ],
    },
    getBalance: {
      description:
        'Get the money of the account that is available for payouts and that is still pending, by currency, in its smallest unit. Returns no single transactions.',
      input: z.strictObject({}),
      request: 'GET /v1/balance',
      effect: 'read_only',
      keep: [
        ...['available.amount', 'available.currency', 'pending.amount', 'pending.currency', 'livemode'],
        ...['instant_available.amount', 'instant_available.currency'],
      ],
    },
    cancelSubscription: {
      description:
        'Cancel a subscription at once and for good. Returns its final state. Does not refund what was paid: use createRefund.',
      input: z.strictObject({
        subscription: z.string().min(1).describe('Id of the subscription, such as sub_1MowQVLkdIwHu7ix'),
        invoice_now: z.boolean().describe('Bill usage and prorations that are not billed yet').optional(),
        prorate: z.boolean().describe('Credit the time that is left').optional(),
        cancellation_details: z.strictObject({ comment: z.string().max(5000) }).optional(),
      }),
      request: 'DELETE /v1/subscriptions/{subscription}',
      query: [],
      effect: 'idempotent',
      keep: ['id', 'status', 'customer', 'canceled_at', 'ended_at', 'latest_invoice'],
    },
  },
});
