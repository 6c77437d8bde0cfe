import type { ProviderRequests } from './request-case.ts';

const shared = { method: 'POST', target: '/graphql.json' } as const;

export const shopifyRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    searchOrders: {
      ...shared,
      input: { query: 'financial_status:paid', max_items: 5, continue_from: 'eyJsYXN0' },
      bodyHas: [
        'orders(query: $query, first: $first, after: $after, sortKey: CREATED_AT, reverse: true)',
        '"variables":{"query":"financial_status:paid","first":5,"after":"eyJsYXN0"}}',
      ],
    },
    getOrder: {
      ...shared,
      input: { id: 'gid://shopify/Order/148977776' },
      bodyHas: [
        '{"query":"query($id: ID!) { order(id: $id) {',
        '"variables":{"id":"gid://shopify/Order/148977776"}}',
      ],
    },
    searchProducts: {
      ...shared,
      input: { query: 'sku:TEA-1' },
      bodyHas: [
        'products(query: $query, first: $first, after: $after)',
        '"variables":{"query":"sku:TEA-1","first":100}}',
      ],
    },
    searchCustomers: {
      ...shared,
      input: { max_items: 3 },
      bodyHas: ['customers(query: $query, first: $first, after: $after)', '"variables":{"first":3}}'],
    },
    createCustomer: {
      ...shared,
      input: { input: { email: 'ana@example.com', firstName: 'Ana', tags: ['vip'] } },
      bodyHas: [
        '{"query":"mutation($input: CustomerInput!) { result: customerCreate(input: $input) {',
        '"variables":{"input":{"email":"ana@example.com","firstName":"Ana","tags":["vip"]}}}',
      ],
    },
    setOrderNote: {
      ...shared,
      input: { input: { id: 'gid://shopify/Order/148977776', note: 'Call first' } },
      bodyHas: [
        '{"query":"mutation($input: OrderInput!) { result: orderUpdate(input: $input) {',
        '"variables":{"input":{"id":"gid://shopify/Order/148977776","note":"Call first"}}}',
      ],
    },
    addTags: {
      ...shared,
      input: { id: 'gid://shopify/Product/108828309', tags: ['sale'] },
      bodyHas: [
        'result: tagsAdd(id: $id, tags: $tags)',
        '"variables":{"id":"gid://shopify/Product/108828309","tags":["sale"]}}',
      ],
    },
  },
};
