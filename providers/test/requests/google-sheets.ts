import type { ProviderRequests } from './request-case.ts';

const spreadsheetId = '1qpyC0XzvTcKT6EISywvqESX3A0MwQoFDE8p-Bll4hps';

export const googleSheetsRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    getSpreadsheet: {
      input: { spreadsheetId },
      method: 'GET',
      target: `/spreadsheets/${spreadsheetId}`,
    },
    getValues: {
      input: { spreadsheetId, range: "'Plan 1/2'!A1:D5", valueRenderOption: 'FORMULA' },
      method: 'GET',
      target: `/spreadsheets/${spreadsheetId}/values/'Plan%201%2F2'!A1%3AD5?valueRenderOption=FORMULA`,
    },
    getManyValues: {
      input: { spreadsheetId, ranges: ['Sheet1!A1:B2', 'Sheet2!C:C'], majorDimension: 'COLUMNS' },
      method: 'GET',
      target:
        `/spreadsheets/${spreadsheetId}/values:batchGet` +
        '?ranges=Sheet1%21A1%3AB2&ranges=Sheet2%21C%3AC&majorDimension=COLUMNS',
    },
    appendRows: {
      input: { spreadsheetId, range: 'Sheet1!A1', values: [['Tea', 4, true, null]] },
      method: 'POST',
      target: `/spreadsheets/${spreadsheetId}/values/Sheet1!A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS`,
      body: '{"values":[["Tea",4,true,null]]}',
    },
    updateValues: {
      input: {
        spreadsheetId,
        range: 'Sheet1!A1:A2',
        values: [['=SUM(B:B)', 'x']],
        valueInputOption: 'USER_ENTERED',
        majorDimension: 'COLUMNS',
      },
      method: 'PUT',
      target: `/spreadsheets/${spreadsheetId}/values/Sheet1!A1%3AA2?valueInputOption=USER_ENTERED`,
      body: '{"values":[["=SUM(B:B)","x"]],"majorDimension":"COLUMNS"}',
    },
    clearValues: {
      input: { spreadsheetId, range: 'Sheet1!A2:Z' },
      method: 'POST',
      target: `/spreadsheets/${spreadsheetId}/values/Sheet1!A2%3AZ:clear`,
      body: '{}',
      destructive: true,
    },
    createSpreadsheet: {
      input: { properties: { title: 'Teas', locale: 'en_US' }, sheets: [{ properties: { title: 'Green' } }] },
      method: 'POST',
      target: '/spreadsheets',
      body: '{"properties":{"title":"Teas","locale":"en_US"},"sheets":[{"properties":{"title":"Green"}}]}',
    },
  },
};
