import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const object = z
  .string()
  .regex(/^\w+$/, 'expected the API name of an object')
  .describe('API name of the object, such as Account, Contact or Invoice__c');
const id = z
  .string()
  .regex(/^[A-Za-z0-9]{15,18}$/, 'expected an id')
  .describe('Id of the record');
const fields = z
  .looseObject({})
  .describe('Values by the API name of the field, such as { "LastName": "Ng" }');
const scopes = ['api'] as const;

export const salesforce = defineProvider({
  name: 'salesforce',
  title: 'Salesforce',
  description: 'Query, create and change records of a Salesforce organization.',
  category: 'marketing',
  baseUrl: 'https://{domain}.salesforce.com/services/data/v64.0',
  variables: {
    domain: {
      description: 'The address of the organization before .salesforce.com, from Setup, My Domain',
      example: 'acme.my',
      severalLabels: true,
    },
  },
  auth: {
    types: ['oauth2_authorization_code', 'oauth2_client_credentials', 'bearer'],
    oauth: {
      authorizationUrl: 'https://{domain}.salesforce.com/services/oauth2/authorize',
      tokenUrl: 'https://{domain}.salesforce.com/services/oauth2/token',
      scopes: ['refresh_token'],
      clientAuthentication: 'post',
    },
    hint: 'The consumer key and secret of an external client app or a connected app.',
  },
  setup: [
    'In **Setup**, open *External Client App Manager*, and create an app with OAuth enabled.',
    'Copy the consumer key and secret, and the domain of the organization from *My Domain*.',
  ],
  unverified: '2025-06-16',
  verify: { request: 'GET /limits' },
  throttle: { when: { at: '0.errorCode', oneOf: ['REQUEST_LIMIT_EXCEEDED'] } },
  errors: { message: ['0.message', 'error_description'], details: ['0.fields'] },
  operations: {
    query: {
      description:
        'Find or count records with SOQL, such as SELECT Id, Name FROM Account LIMIT 20; total is the number that fits. Use LIMIT. To search by words, use search.',
      input: z.strictObject({ q: z.string().min(1).max(16_000).describe('A SOQL query') }),
      request: 'GET /query',
      effect: 'read_only',
      scopes,
      paging: {
        ...{ style: 'cursor', field: 'locator', next: 'nextRecordsUrl', then: 'GET /query/{locator}' },
        ...{ items: 'records', last: 'done', total: 'totalSize' },
      },
    },
    search: {
      description:
        'Find records by words in all their fields, in all objects or one of them. Returns ids and types; read the records with getRecord. For conditions, use query.',
      input: z.strictObject({
        q: z.string().min(2).describe('The words'),
        sobject: object.optional(),
        overallLimit: z.int().min(1).max(2000).default(50),
      }),
      request: 'GET /parameterizedSearch',
      effect: 'read_only',
      scopes,
      result: 'searchRecords',
      keep: ['Id', 'attributes.type', 'Name'],
    },
    describeObject: {
      description:
        'List the fields of an object with API names, types and the values of picklists. Use it before a query or a change. Returns no records.',
      input: z.strictObject({ object }),
      request: 'GET /sobjects/{object}/describe',
      effect: 'read_only',
      scopes,
      keep: [
        ...['name', 'label', 'fields.name', 'fields.label', 'fields.type', 'fields.nillable'],
        ...['fields.createable', 'fields.updateable', 'fields.externalId', 'fields.referenceTo'],
        'fields.picklistValues.value',
      ],
    },
    getRecord: {
      description:
        'Read one record by its id, all fields or the ones given. Does not return related records.',
      input: z.strictObject({
        object,
        id,
        fields: z.string().min(1).describe('API names, comma-separated; without it all').optional(),
      }),
      request: 'GET /sobjects/{object}/{id}',
      effect: 'read_only',
      scopes,
    },
    createRecord: {
      description:
        'Create a record of an object. Returns its id. A repetition creates a second one: where the object has an external id, use upsertRecord.',
      input: z.strictObject({ object, fields }),
      request: ({ object: name, fields: body }) => ({
        method: 'POST',
        path: fillPath('/sobjects/{name}', { name }),
        body: body as Record<string, string>,
      }),
      effect: 'unsafe',
      scopes,
      keep: ['id', 'success', 'errors'],
    },
    updateRecord: {
      description:
        'Change fields of a record by its id; fields that are left out stay as they are. Returns nothing.',
      input: z.strictObject({ object, id, fields }),
      request: ({ object: name, id: record, fields: body }) => ({
        method: 'PATCH',
        path: fillPath('/sobjects/{name}/{record}', { name, record }),
        body: body as Record<string, string>,
      }),
      effect: 'idempotent',
      scopes,
    },
    upsertRecord: {
      description:
        'Create the record with this external id, or change it when there is one. Returns its id and whether it is new. Refused when several records have the value.',
      input: z.strictObject({
        object,
        externalIdField: z
          .string()
          .regex(/^\w+$/)
          .describe('A field that is an external id, such as Number__c'),
        externalId: z.string().min(1).describe('Its value'),
        fields: fields.describe('All others by API name; neither Id nor the external id'),
      }),
      request: ({ fields: body, ...place }) => ({
        method: 'PATCH',
        path: fillPath('/sobjects/{object}/{externalIdField}/{externalId}', place),
        body: body as Record<string, string>,
      }),
      effect: 'idempotent',
      scopes,
      keep: ['id', 'success', 'created', 'errors'],
    },
    deleteRecord: {
      description:
        'Delete one record by its id, and the records that depend on it. It stays in the recycle bin for 15 days. Returns nothing.',
      input: z.strictObject({ object, id }),
      request: 'DELETE /sobjects/{object}/{id}',
      effect: 'idempotent',
      scopes,
    },
  },
});
