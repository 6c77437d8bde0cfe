import type { ProviderRequests } from './request-case.ts';

const place = { baseId: 'appTea', table: 'Tea list' };

export const airtableRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listBases: { input: {}, method: 'GET', target: '/meta/bases' },
    getSchema: { input: { baseId: 'appTea' }, method: 'GET', target: '/meta/bases/appTea/tables' },
    listRecords: {
      input: { ...place, filterByFormula: "{Kind} = 'green'", fields: ['Name', 'Price'], max_items: 20 },
      method: 'GET',
      target:
        '/appTea/Tea%20list?filterByFormula=%7BKind%7D+%3D+%27green%27&fields%5B%5D=Name&fields%5B%5D=Price&pageSize=20',
    },
    getRecord: {
      input: { ...place, recordId: 'rec1' },
      method: 'GET',
      target: '/appTea/Tea%20list/rec1',
    },
    createRecords: {
      input: { ...place, records: [{ fields: { Name: 'Sencha', Price: 4 } }], typecast: true },
      method: 'POST',
      target: '/appTea/Tea%20list',
      body: '{"records":[{"fields":{"Name":"Sencha","Price":4}}],"typecast":true}',
    },
    updateRecords: {
      input: { ...place, records: [{ id: 'rec1', fields: { Price: null } }] },
      method: 'PATCH',
      target: '/appTea/Tea%20list',
      body: '{"records":[{"id":"rec1","fields":{"Price":null}}]}',
    },
    deleteRecord: {
      input: { ...place, recordId: 'rec1' },
      method: 'DELETE',
      target: '/appTea/Tea%20list/rec1',
      destructive: true,
    },
    addComment: {
      input: { ...place, recordId: 'rec1', text: 'Too sweet' },
      method: 'POST',
      target: '/appTea/Tea%20list/rec1/comments',
      body: '{"text":"Too sweet"}',
    },
  },
};
