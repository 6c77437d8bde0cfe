import type { Screen } from '../../app/screen.ts';
import { parseFilesSearch } from './search.ts';

export const screen: Screen = {
  title: 'Files',
  group: 'Build',
  order: 4,
  anyOf: ['conversations:read'],
  pages: [{ path: '/files', load: () => import('./files-page.tsx'), search: parseFilesSearch }],
};
