import { generateClient } from './generate-client.ts';
import { listClientNames } from './list-client-names.ts';

await generateClient('docs/openapi.json', 'src/clients/client/generated', listClientNames());
