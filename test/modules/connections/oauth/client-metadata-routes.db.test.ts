import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Api } from '../../../labs/api-lab.ts';

let own: Api;
let published: Api;
const elsewhere = 'https://static.example/holdfast.json';

beforeAll(async () => {
  own = await startApi({}, { HOLDFAST_PUBLIC_URL: 'https://holdfast.example' });
  published = await startApi({}, { HOLDFAST_CLIENT_METADATA_URL: elsewhere });
});
afterAll(async () => {
  await own.stop();
  await published.stop();
});

async function read(api: Api): Promise<unknown> {
  const response = await fetch(`${api.url}/api/oauth/client-metadata.json`);
  expect(response.headers.get('content-type')).toContain('application/json');
  return response.json();
}

test('the client metadata document is read without a key, and its address is the client id', async () => {
  expect(await read(own)).toEqual({
    client_id: 'https://holdfast.example/api/oauth/client-metadata.json',
    client_uri: 'https://holdfast.example',
    client_name: 'Holdfast',
    redirect_uris: ['https://holdfast.example/api/oauth/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'web',
    token_endpoint_auth_method: 'none',
  });
});

test('the client id is the address that the operator publishes the document at', async () => {
  expect(await read(published)).toMatchObject({ client_id: elsewhere, application_type: 'native' });
});
