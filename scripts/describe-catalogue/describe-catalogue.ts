import type { ConnectionAuthType } from '../../src/domain/connection.ts';
import type { Provider } from '../../src/engines/providers/define-provider.ts';

const authNames: Record<ConnectionAuthType, string> = {
  none: 'none',
  api_key: 'API key',
  bearer: 'token',
  basic: 'user and password',
  keys: 'keys',
  oauth2_authorization_code: 'OAuth',
  oauth2_client_credentials: 'client credentials',
};

const begin = '<!-- The table is written by "npm run generate". -->';
const end = '<!-- End of the table. -->';

/** Replaces the table of the catalogue in a page. @throws Error when the page has no place for it */
export function replaceTable(page: string, providers: readonly Provider[]): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no place for the table: ${begin} … ${end}.`);
  return `${page.slice(0, from + begin.length)}\n\n${describeCatalogue(providers)}\n${page.slice(to)}`;
}

function describeCatalogue(providers: readonly Provider[]): string {
  const rows = providers.map(({ name, title, operations, auth, unverified }) => [
    `${title}, \`${name}\``,
    Object.keys(operations).join(', '),
    auth.types.map((type) => authNames[type]).join(', '),
    unverified === undefined ? 'the OpenAPI document of the vendor' : `documentation of ${unverified}`,
  ]);
  const count = providers.reduce((sum, { operations }) => sum + Object.keys(operations).length, 0);
  const head = ['Provider', 'Operations', 'Auth, the recommended first', 'Checked against'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${providers.length} providers with ${count} operations:\n\n${table.join('\n')}\n`;
}
