import { generateClient } from './generate-client.ts';

await generateClient('docs/openapi.json', 'src/clients/client/generated');
