import { writeFileSync } from 'node:fs';
import { bundlePage } from './bundle-page.ts';

writeFileSync('src/modules/replays/report/generated/page-script.ts', await bundlePage());
