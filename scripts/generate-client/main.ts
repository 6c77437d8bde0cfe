import { generateClient } from './generate-client.ts';
import { generateFields } from './generate-fields.ts';
import { listClientNames } from './list-client-names.ts';

await generateClient('docs/openapi.json', 'src/clients/client/generated', listClientNames());
generateFields('docs/openapi.json', 'src/clients/cli/generated');
