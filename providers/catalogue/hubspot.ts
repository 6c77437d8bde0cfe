import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const objectType = z.enum(['contacts', 'companies', 'deals', 'tickets']);
const id = z.string().min(1).describe('Id of the record');
const properties = z
  .record(z.string(), z.string())
  .describe('Values by the internal name of the property, such as firstname; an empty text clears it');
const names = z
  .array(z.string())
  .max(100)
  .describe('Internal names of the properties to return; without it a few common ones')
  .optional();
const keep = ['id', 'properties', 'createdAt', 'updatedAt'];
const reading = [
  ...['crm.objects.contacts.read', 'crm.objects.companies.read', 'crm.objects.deals.read', 'tickets'],
] as const;
const writing = [
  ...['crm.objects.contacts.write', 'crm.objects.companies.write', 'crm.objects.deals.write', 'tickets'],
] as const;
const paging = {
  style: 'cursor',
  field: 'after',
  next: 'paging.next.after',
  items: 'results',
  size: { field: 'limit', max: 100 },
} as const;

export const hubspot = defineProvider({
  name: 'hubspot',
  title: 'HubSpot',
  description: 'Find, create and change contacts, companies, deals and tickets of HubSpot.',
  category: 'marketing',
  baseUrl: 'https://api.hubapi.com',
  listFormat: 'comma',
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
      tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
      // An operation is for all kinds of records, and needs the scopes of the kind that it is called for.
      scopes: ['oauth', ...reading, ...writing.slice(0, 3)],
      clientAuthentication: 'post',
    },
    hint: 'The access token of a private app of a HubSpot account.',
  },
  setup: [
    'For a token: open **Settings**, *Integrations*, *Private Apps*, and create an app with the read and write scopes of contacts, companies and deals, and `tickets`.',
    'For OAuth: create an app in a developer account.',
  ],
  unverified: '2026-08-21',
  verify: { request: 'GET /account-info/v3/details', account: ['uiDomain'] },
  // 100 in ten seconds: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
  rateLimit: { tokensPerMinute: 600 },
  errors: { message: ['message'], details: ['errors'] },
  operations: {
    search: {
      description:
        'Search contacts, companies, deals or tickets by words or by values of properties. Returns ids and properties. New records take seconds to be found.',
      input: z.strictObject({
        objectType,
        query: z
          .string()
          .max(3000)
          .describe('Words of names, e-mail addresses, domains or subjects')
          .optional(),
        filterGroups: z
          .array(
            z.strictObject({
              filters: z
                .array(
                  z.strictObject({
                    propertyName: z.string(),
                    operator: z.enum([
                      'EQ',
                      'NEQ',
                      'LT',
                      'LTE',
                      'GT',
                      'GTE',
                      'IN',
                      'NOT_IN',
                      'CONTAINS_TOKEN',
                      'HAS_PROPERTY',
                      'NOT_HAS_PROPERTY',
                    ]),
                    value: z.string().optional(),
                    values: z.array(z.string()).describe('For IN and NOT_IN').optional(),
                  }),
                )
                .max(6),
            }),
          )
          .max(5)
          .describe('One of the groups must hold; in a group, all filters')
          .optional(),
        sorts: z
          .array(z.strictObject({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']) }))
          .max(1)
          .optional(),
        properties: names,
      }),
      request: 'POST /crm/v3/objects/{objectType}/search',
      effect: 'read_only',
      scopes: [reading],
      // Five a second.
      rateLimit: { tokensPerMinute: 300 },
      paging,
      keep,
    },
    getRecord: {
      description:
        'Get one contact, company, deal or ticket by its id, with the properties that are named. To find it, use search.',
      input: z.strictObject({
        objectType,
        id,
        properties: names,
        associations: z
          .array(objectType)
          .describe('Also the ids of these records that it is linked to')
          .optional(),
      }),
      request: 'GET /crm/v3/objects/{objectType}/{id}',
      effect: 'read_only',
      scopes: [reading],
      keep: [...keep, 'associations'],
    },
    listProperties: {
      description:
        'List the properties of contacts, companies, deals or tickets with types and options. Use it before records are written.',
      input: z.strictObject({ objectType }),
      request: 'GET /crm/v3/properties/{objectType}',
      effect: 'read_only',
      scopes: [reading],
      result: 'results',
      keep: ['name', 'label', 'type', 'options.value'],
    },
    createRecord: {
      description:
        'Create a contact, company, deal or ticket. Returns its id. A contact with a used e-mail address is refused.',
      input: z.strictObject({ objectType, properties }),
      request: 'POST /crm/v3/objects/{objectType}',
      effect: 'unsafe',
      scopes: [writing],
      keep,
    },
    updateRecord: {
      description:
        'Change properties of a contact, company, deal or ticket, such as the stage of a deal; others stay. Returns the record.',
      input: z.strictObject({ objectType, id, properties }),
      request: 'PATCH /crm/v3/objects/{objectType}/{id}',
      effect: 'idempotent',
      scopes: [writing],
      keep,
    },
    linkRecords: {
      description:
        'Link two records, such as a contact and a company, with the common type of link. Returns the ids of both.',
      input: z.strictObject({
        fromType: objectType,
        fromId: id,
        toType: objectType,
        toId: id,
      }),
      request: 'PUT /crm/v4/objects/{fromType}/{fromId}/associations/default/{toType}/{toId}',
      query: [],
      effect: 'idempotent',
      scopes: [writing],
    },
    archiveRecord: {
      description:
        'Archive a contact, company, deal or ticket: it goes to the recycle bin, from which it can be restored for 90 days.',
      input: z.strictObject({ objectType, id }),
      request: 'DELETE /crm/v3/objects/{objectType}/{id}',
      effect: 'idempotent',
      scopes: [writing],
    },
  },
});
