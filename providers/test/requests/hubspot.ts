import type { ProviderRequests } from './request-case.ts';

export const hubspotRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    search: {
      input: {
        objectType: 'contacts',
        filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ', value: 'ana@example.com' }] }],
        properties: ['email', 'phone'],
        max_items: 10,
      },
      method: 'POST',
      target: '/crm/v3/objects/contacts/search',
      body:
        '{"filterGroups":[{"filters":[{"propertyName":"email","operator":"EQ","value":"ana@example.com"}]}],' +
        '"properties":["email","phone"],"limit":10}',
    },
    getRecord: {
      input: {
        objectType: 'deals',
        id: '512',
        properties: ['dealname', 'amount'],
        associations: ['contacts'],
      },
      method: 'GET',
      target: '/crm/v3/objects/deals/512?properties=dealname%2Camount&associations=contacts',
    },
    listProperties: {
      input: { objectType: 'tickets' },
      method: 'GET',
      target: '/crm/v3/properties/tickets',
    },
    createRecord: {
      input: { objectType: 'contacts', properties: { email: 'ana@example.com', firstname: 'Ana' } },
      method: 'POST',
      target: '/crm/v3/objects/contacts',
      body: '{"properties":{"email":"ana@example.com","firstname":"Ana"}}',
    },
    updateRecord: {
      input: { objectType: 'deals', id: '512', properties: { dealstage: 'closedwon' } },
      method: 'PATCH',
      target: '/crm/v3/objects/deals/512',
      body: '{"properties":{"dealstage":"closedwon"}}',
    },
    linkRecords: {
      input: { fromType: 'contacts', fromId: '7', toType: 'companies', toId: '9' },
      method: 'PUT',
      target: '/crm/v4/objects/contacts/7/associations/default/companies/9',
    },
    archiveRecord: {
      input: { objectType: 'tickets', id: '44' },
      method: 'DELETE',
      target: '/crm/v3/objects/tickets/44',
      destructive: true,
    },
  },
};
