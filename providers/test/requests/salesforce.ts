import type { ProviderRequests } from './request-case.ts';

const id = '001D000000INjVeIAL';

export const salesforceRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    query: {
      input: { q: "SELECT Id FROM Account WHERE Name = 'Tea' LIMIT 5" },
      method: 'GET',
      target: '/query?q=SELECT+Id+FROM+Account+WHERE+Name+%3D+%27Tea%27+LIMIT+5',
    },
    search: {
      input: { q: 'Tea & Co', sobject: 'Account' },
      method: 'GET',
      target: '/parameterizedSearch?q=Tea+%26+Co&sobject=Account&overallLimit=50',
    },
    describeObject: {
      input: { object: 'Invoice__c' },
      method: 'GET',
      target: '/sobjects/Invoice__c/describe',
    },
    getRecord: {
      input: { object: 'Account', id, fields: 'Name,Website' },
      method: 'GET',
      target: `/sobjects/Account/${id}?fields=Name%2CWebsite`,
    },
    createRecord: {
      input: { object: 'Account', fields: { Name: 'Tea & Co', NumberOfEmployees: 3 } },
      method: 'POST',
      target: '/sobjects/Account',
      body: '{"Name":"Tea & Co","NumberOfEmployees":3}',
    },
    updateRecord: {
      input: { object: 'Account', id, fields: { BillingCity: 'Assam' } },
      method: 'PATCH',
      target: `/sobjects/Account/${id}`,
      body: '{"BillingCity":"Assam"}',
    },
    upsertRecord: {
      input: { object: 'Account', externalIdField: 'Number__c', externalId: 'A/7', fields: { Name: 'Tea' } },
      method: 'PATCH',
      target: '/sobjects/Account/Number__c/A%2F7',
      body: '{"Name":"Tea"}',
    },
    deleteRecord: {
      destructive: true,
      input: { object: 'Account', id },
      method: 'DELETE',
      target: `/sobjects/Account/${id}`,
    },
  },
};
