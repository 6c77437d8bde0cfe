import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { googleOAuth } from '../google-oauth.ts';

const spreadsheetId = z.string().min(1).describe('Id of the spreadsheet, as in its address');
const range = z.string().min(1).describe("A1 notation with the sheet, such as 'Plan 2026'!A1:D20");
const values = z
  .array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])))
  .min(1)
  .describe('Rows of cells; null leaves a cell as it is');
const valueInputOption = z
  .enum(['RAW', 'USER_ENTERED'])
  .default('RAW')
  .describe('USER_ENTERED reads texts as a person types them: dates, numbers and formulas');
const majorDimension = z.enum(['ROWS', 'COLUMNS']).optional();
const valueRenderOption = z
  .enum(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
  .describe('Cells as shown, as values or as formulas')
  .optional();
const sheets = 'https://www.googleapis.com/auth/spreadsheets';
const drive = 'https://www.googleapis.com/auth/drive';
const reading: NeededScope[] = [[`${sheets}.readonly`, sheets, `${drive}.file`, `${drive}.readonly`, drive]];
const writing: NeededScope[] = [[sheets, `${drive}.file`, drive]];

export const googleSheets = defineProvider({
  name: 'google-sheets',
  title: 'Google Sheets',
  description: 'Read, write and create spreadsheets of Google Sheets.',
  category: 'documents',
  baseUrl: 'https://sheets.googleapis.com/v4',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: googleOAuth,
    hint: 'An OAuth client of a Google Cloud project with the Google Sheets API switched on.',
  },
  setup: [
    'Open the [Google Cloud console](https://console.cloud.google.com), choose a project and switch on the **Google Sheets API**.',
    'Fill in the *OAuth consent screen*, and add the scope `.../auth/spreadsheets`.',
    'Under *Credentials*, create an **OAuth client ID** for a *Web application*.',
  ],
  // The API has no request about the account: no spreadsheet has this id, and only good credentials get a 404 for it.
  verify: { request: 'GET /spreadsheets/none', accept: [404] },
  // For each user: https://developers.google.com/workspace/sheets/api/limits
  rateLimit: { tokensPerMinute: 60 },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    getSpreadsheet: {
      description:
        'Get the title of a spreadsheet and its sheets with their names and sizes. Use it before cells are read; it returns no cells.',
      input: z.strictObject({ spreadsheetId }),
      request: 'GET /spreadsheets/{spreadsheetId}',
      effect: 'read_only',
      scopes: reading,
      keep: [
        ...['spreadsheetId', 'spreadsheetUrl', 'properties.title', 'properties.locale'],
        ...['properties.timeZone', 'sheets.properties.sheetId', 'sheets.properties.title'],
        ...['sheets.properties.index', 'sheets.properties.gridProperties.rowCount'],
        ...['sheets.properties.gridProperties.columnCount', 'sheets.properties.hidden'],
        'namedRanges.name',
      ],
    },
    getValues: {
      description:
        'Read the cells of one range. Returns rows of values; empty rows and cells at the end are left out. For several ranges, use getManyValues.',
      input: z.strictObject({ spreadsheetId, range, majorDimension, valueRenderOption }),
      request: 'GET /spreadsheets/{spreadsheetId}/values/{range}',
      effect: 'read_only',
      scopes: reading,
    },
    getManyValues: {
      description:
        'Read the cells of several ranges of one spreadsheet with one request. Returns the rows of values of each range.',
      input: z.strictObject({
        spreadsheetId,
        ranges: z.array(range).min(1).max(50),
        majorDimension,
        valueRenderOption,
      }),
      request: 'GET /spreadsheets/{spreadsheetId}/values:batchGet',
      effect: 'read_only',
      scopes: reading,
      keep: ['valueRanges'],
    },
    appendRows: {
      description:
        'Add rows after the last row of a table. Returns the range that was written. To overwrite cells, use updateValues.',
      input: z.strictObject({
        spreadsheetId,
        range: range.describe('A range that finds the table, such as Sheet1!A1'),
        values,
        valueInputOption,
        insertDataOption: z
          .enum(['OVERWRITE', 'INSERT_ROWS'])
          .default('INSERT_ROWS')
          .describe('Whether the rows are inserted, or written over those beneath the table'),
      }),
      request: 'POST /spreadsheets/{spreadsheetId}/values/{range}:append',
      query: ['valueInputOption', 'insertDataOption'],
      effect: 'unsafe',
      scopes: writing,
      keep: ['tableRange', 'updates.updatedRange', 'updates.updatedRows', 'updates.updatedCells'],
    },
    updateValues: {
      description:
        'Overwrite the cells of a range; cells outside of the given rows stay. Returns the numbers of rows and cells that were written.',
      input: z.strictObject({ spreadsheetId, range, values, valueInputOption, majorDimension }),
      request: 'PUT /spreadsheets/{spreadsheetId}/values/{range}',
      query: ['valueInputOption'],
      effect: 'idempotent',
      scopes: writing,
      keep: ['updatedRange', 'updatedRows', 'updatedColumns', 'updatedCells'],
    },
    clearValues: {
      description:
        'Remove the values of all cells in a range. Formats, notes and the rows themselves stay. Returns the range that is now empty.',
      input: z.strictObject({ spreadsheetId, range }),
      request: 'POST /spreadsheets/{spreadsheetId}/values/{range}:clear',
      effect: 'idempotent',
      destructive: true,
      scopes: writing,
      keep: ['clearedRange'],
    },
    createSpreadsheet: {
      description:
        'Create a spreadsheet with a title and named, empty sheets. Returns its id and address. Fill it with updateValues.',
      input: z.strictObject({
        properties: z.strictObject({
          title: z.string().min(1),
          locale: z.string().describe('Such as en_US').optional(),
          timeZone: z.string().describe('IANA name, such as Europe/Berlin').optional(),
        }),
        sheets: z
          .array(z.strictObject({ properties: z.strictObject({ title: z.string().min(1).max(100) }) }))
          .max(50)
          .describe('Without it one sheet, Sheet1')
          .optional(),
      }),
      request: 'POST /spreadsheets',
      effect: 'unsafe',
      scopes: writing,
      keep: [
        ...['spreadsheetId', 'spreadsheetUrl', 'properties.title'],
        ...['sheets.properties.sheetId', 'sheets.properties.title'],
      ],
    },
  },
});
