import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const query = z
  .string()
  .min(1)
  .describe("Shopify's search syntax, such as financial_status:paid created_at:>2026-01-01; without it all")
  .optional();
const id = (of: string) =>
  z
    .string()
    .regex(/^gid:\/\/shopify\/\w+\/\d+$/)
    .describe(`Id of the ${of}, such as gid://shopify/${of}/1234`);
const tags = z.array(z.string().min(1).max(255)).min(1).max(250);
/** An app that may write may read, too, and its token names only the first. */
const reading = (what: string) => [[`read_${what}`, `write_${what}`]] as const;
const request = 'POST /graphql.json';
const pagingOf = (list: string) =>
  ({
    style: 'cursor',
    field: 'after',
    next: `data.${list}.pageInfo.endCursor`,
    more: `data.${list}.pageInfo.hasNextPage`,
    items: `data.${list}.nodes`,
    size: { field: 'first', max: 100 },
  }) as const;
const order = `id name email createdAt cancelledAt displayFinancialStatus displayFulfillmentStatus note tags
  totalPriceSet { shopMoney { amount currencyCode } } customer { id displayName }`;

/** Mutations are named `result`, so that their errors, which come with status 200, are at one place. */
export const shopify = defineProvider({
  name: 'shopify',
  title: 'Shopify',
  description: 'Find orders, products and customers of a Shopify store, and change notes and tags.',
  category: 'payments',
  baseUrl: 'https://{shop}.myshopify.com/admin/api/2026-01',
  variables: {
    shop: { description: 'The name before .myshopify.com in the address of the admin', example: 'acme-tea' },
  },
  auth: {
    types: ['oauth2_client_credentials', 'oauth2_authorization_code', 'api_key'],
    apiKey: { header: 'X-Shopify-Access-Token' },
    oauth: {
      authorizationUrl: 'https://{shop}.myshopify.com/admin/oauth/authorize',
      tokenUrl: 'https://{shop}.myshopify.com/admin/oauth/access_token',
      tokenHeader: 'X-Shopify-Access-Token',
      scopes: [],
      scopeSeparator: ',',
      clientAuthentication: 'post',
    },
    hint: 'The client id and secret of an app of the Dev Dashboard, or the token (shpat_…) of an older custom app.',
  },
  setup: [
    'Open the [Dev Dashboard](https://dev.shopify.com/dashboard) and create an app for your store.',
    'Give a version of it the scopes that agents need, and release it.',
    'Install the app in the store, and copy the **client id** and the **secret** of its settings. Client credentials work in stores of your own organization, and OAuth in others.',
  ],
  unverified: '2026-01-15',
  verify: { request, body: { query: '{ shop { name } }' }, account: ['data.shop.name'] },
  throttle: { when: { at: 'errors.0.extensions.code', oneOf: ['THROTTLED'] } },
  errors: {
    when: { at: 'data.result.userErrors.0.message' },
    message: ['data.result.userErrors.0.message', 'errors.0.message', 'errors'],
    details: ['data.result.userErrors'],
  },
  operations: {
    searchOrders: {
      description:
        'Find orders, newest first, by number, customer, payment, fulfilment or time. Returns totals and states; what was bought comes from getOrder.',
      input: z.strictObject({ query }),
      request,
      graphql: `query($query: String, $first: Int!, $after: String) {
        orders(query: $query, first: $first, after: $after, sortKey: CREATED_AT, reverse: true) {
          nodes { ${order} } pageInfo { hasNextPage endCursor } } }`,
      effect: 'read_only',
      scopes: reading('orders'),
      paging: pagingOf('orders'),
    },
    getOrder: {
      description:
        'Get one order by its id with the items, the address and the tracking numbers. Find the id by the number of the order with searchOrders.',
      input: z.strictObject({ id: id('Order') }),
      request,
      graphql: `query($id: ID!) { order(id: $id) { ${order}
        shippingAddress { name address1 address2 zip city provinceCode countryCodeV2 }
        lineItems(first: 100) { nodes { title sku quantity originalUnitPriceSet { shopMoney { amount } } } }
        fulfillments { status createdAt trackingInfo { company number url } } } }`,
      effect: 'read_only',
      scopes: reading('orders'),
      result: 'data.order',
    },
    searchProducts: {
      description:
        'Find products by title, vendor, type, tag or SKU, with their variants, prices and stock. Returns at most 20 variants of each.',
      input: z.strictObject({ query }),
      request,
      graphql: `query($query: String, $first: Int!, $after: String) {
        products(query: $query, first: $first, after: $after) {
          nodes { id title handle status vendor productType tags totalInventory
            variants(first: 20) { nodes { id title sku price inventoryQuantity } } }
          pageInfo { hasNextPage endCursor } } }`,
      effect: 'read_only',
      scopes: reading('products'),
      paging: pagingOf('products'),
    },
    searchCustomers: {
      description:
        'Find customers by name, e-mail, phone, tag or number of orders. Returns ids, contact data and what they spent, not their orders.',
      input: z.strictObject({ query }),
      request,
      graphql: `query($query: String, $first: Int!, $after: String) {
        customers(query: $query, first: $first, after: $after) {
          nodes { id displayName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber }
            numberOfOrders amountSpent { amount currencyCode } tags note createdAt }
          pageInfo { hasNextPage endCursor } } }`,
      effect: 'read_only',
      scopes: reading('customers'),
      paging: pagingOf('customers'),
    },
    createCustomer: {
      description:
        'Create a customer of the store. Returns the id. Fails when the e-mail or the phone number belongs to another customer. Sends no invitation.',
      input: z.strictObject({
        input: z.strictObject({
          email: z.email(),
          firstName: z.string().max(255).optional(),
          lastName: z.string().max(255).optional(),
          phone: z.string().describe('E.164').optional(),
          note: z.string().max(5000).optional(),
          tags: tags.optional(),
        }),
      }),
      request,
      graphql: `mutation($input: CustomerInput!) { result: customerCreate(input: $input) {
        customer { id displayName tags createdAt } userErrors { field message } } }`,
      effect: 'unsafe',
      scopes: ['write_customers'],
      result: 'data.result.customer',
    },
    setOrderNote: {
      description:
        'Set the note of an order, which staff see and the customer does not; it replaces the note that was there. Changes nothing else.',
      input: z.strictObject({ input: z.strictObject({ id: id('Order'), note: z.string().max(5000) }) }),
      request,
      graphql: `mutation($input: OrderInput!) { result: orderUpdate(input: $input) {
        order { id name note updatedAt } userErrors { field message } } }`,
      effect: 'idempotent',
      scopes: ['write_orders'],
      result: 'data.result.order',
    },
    addTags: {
      description:
        'Add tags to an order, a product, a customer or a draft order. Tags that are there already stay. Doing it twice changes nothing.',
      input: z.strictObject({ id: id('Order').describe('Such as gid://shopify/Product/1234'), tags }),
      request,
      graphql: `mutation($id: ID!, $tags: [String!]!) { result: tagsAdd(id: $id, tags: $tags) {
        node { id } userErrors { field message } } }`,
      effect: 'idempotent',
      scopes: [['write_orders', 'write_products', 'write_customers']],
      result: 'data.result.node',
    },
  },
});
