import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const baseId = z.string().min(1).describe('Id of the base, such as appXyz, from listBases');
const table = z.string().min(1).describe('Id or name of the table');
const recordId = z.string().min(1).describe('Id of the record, such as recXyz');
const fields = z.record(z.string(), z.json()).describe('Values by the name of the field');
const typecast = z
  .boolean()
  .describe('Turn texts into the types of the fields, and add new options')
  .optional();
const reading: NeededScope[] = ['data.records:read'];
const writing: NeededScope[] = ['data.records:write'];
const paging = { style: 'cursor', field: 'offset', next: 'offset' } as const;

export const airtable = defineProvider({
  name: 'airtable',
  title: 'Airtable',
  description: 'Read, create, change and delete records of Airtable bases.',
  category: 'documents',
  baseUrl: 'https://api.airtable.com/v0',
  listFormat: 'brackets',
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://airtable.com/oauth2/v1/authorize',
      tokenUrl: 'https://airtable.com/oauth2/v1/token',
      scopes: [],
      clientAuthentication: 'basic',
    },
    hint: 'A personal access token of the Airtable builder hub.',
  },
  setup: [
    'For a token: open [Create tokens](https://airtable.com/create/tokens), add the scopes `data.records:read`, `data.records:write`, `data.recordComments:write` and `schema.bases:read`, and the bases that agents may use.',
    'For OAuth: register an integration at [OAuth integrations](https://airtable.com/create/oauth).',
  ],
  unverified: '2025-10-01',
  verify: { request: 'GET /meta/whoami', account: ['email', 'id'] },
  // Five a second for each base: https://airtable.com/developers/web/api/rate-limits
  rateLimit: { tokensPerMinute: 300 },
  errors: { message: ['error.message', 'error.type', 'error', 'error_description'] },
  operations: {
    listBases: {
      description:
        'List the bases that can be reached, with the ids that the other tools need. Returns no tables or records.',
      input: z.strictObject({}),
      request: 'GET /meta/bases',
      effect: 'read_only',
      scopes: ['schema.bases:read'],
      paging: { ...paging, items: 'bases' },
      keep: ['id', 'name', 'permissionLevel'],
    },
    getSchema: {
      description:
        'Get the tables of a base with the names, types and options of their fields. Use it before records are written.',
      input: z.strictObject({ baseId }),
      request: 'GET /meta/bases/{baseId}/tables',
      effect: 'read_only',
      scopes: ['schema.bases:read'],
      result: 'tables',
      keep: [
        ...['id', 'name', 'primaryFieldId', 'fields.id', 'fields.name', 'fields.type'],
        'fields.options.choices.name',
      ],
    },
    listRecords: {
      description:
        'List or filter the records of a table, also sorted or by a view. Returns ids and fields; empty fields are left out.',
      input: z.strictObject({
        baseId,
        table,
        filterByFormula: z.string().describe("A formula, such as {Status} = 'Open'").optional(),
        fields: z.array(z.string()).describe('Only these fields').optional(),
        view: z.string().describe('Name or id of a view').optional(),
      }),
      request: 'GET /{baseId}/{table}',
      effect: 'read_only',
      scopes: reading,
      paging: { ...paging, items: 'records', size: { field: 'pageSize', max: 100 } },
    },
    getRecord: {
      description:
        'Get one record of a table by its id, with its fields. Empty fields are left out; to search, use listRecords.',
      input: z.strictObject({ baseId, table, recordId }),
      request: 'GET /{baseId}/{table}/{recordId}',
      effect: 'read_only',
      scopes: reading,
    },
    createRecords: {
      description:
        'Create up to ten records in a table. Returns them with their ids. Does not check whether there are similar ones.',
      input: z.strictObject({
        baseId,
        table,
        records: z.array(z.strictObject({ fields })).min(1).max(10),
        typecast,
      }),
      request: 'POST /{baseId}/{table}',
      effect: 'unsafe',
      scopes: writing,
      result: 'records',
    },
    updateRecords: {
      description:
        'Change fields of up to ten records; fields that are not given stay. Returns the records as they are then.',
      input: z.strictObject({
        baseId,
        table,
        records: z
          .array(z.strictObject({ id: recordId, fields }))
          .min(1)
          .max(10),
        typecast,
      }),
      request: 'PATCH /{baseId}/{table}',
      effect: 'idempotent',
      scopes: writing,
      result: 'records',
    },
    deleteRecord: {
      description:
        'Delete one record of a table. A person can restore it from the trash of the base for some days.',
      input: z.strictObject({ baseId, table, recordId }),
      request: 'DELETE /{baseId}/{table}/{recordId}',
      effect: 'idempotent',
      scopes: writing,
    },
    addComment: {
      description:
        'Comment on a record. Returns the id of the comment. Does not change the fields of the record.',
      input: z.strictObject({ baseId, table, recordId, text: z.string().min(1) }),
      request: 'POST /{baseId}/{table}/{recordId}/comments',
      effect: 'unsafe',
      scopes: ['data.recordComments:write'],
      keep: ['id', 'text', 'createdTime'],
    },
  },
});
