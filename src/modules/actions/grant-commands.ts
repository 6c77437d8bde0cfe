import { HoldfastApiError, type HoldfastClient } from '../../clients/client/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { grantScopes, type RememberInput } from '../../domain/remember-input.ts';
import { toOneLine } from '../../domain/text.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** The options that remember an approval, as they are typed. */
export interface RememberOptions {
  /** A scope. */
  remember?: string;
  /** The paths of the arguments that later calls must have as well. */
  pins?: string[];
  /** An ISO 8601 time. */
  until?: string;
}

/**
 * Returns what an approval remembers: the pinned values are those of the approved call.
 * @throws HoldfastApiError `INVALID_INPUT`
 */
export function toRememberInput(
  call: { tool: string; arguments: JsonObject },
  { remember, pins: paths = [], until }: RememberOptions,
): RememberInput {
  const scope = grantScopes.find((one) => one === remember);
  if (!scope) throw invalid(`--remember takes ${grantScopes.join(', ')}; found ${remember}`);
  if (until === undefined) throw invalid('--remember needs --until <time>, such as 2027-01-31T00:00:00Z');
  const pins = Object.fromEntries(paths.map((path) => [path, readArgument(call, path)]));
  return { tool: call.tool, pins, scope, until };
}

function readArgument({ tool, arguments: input }: { tool: string; arguments: JsonObject }, path: string) {
  let found: JsonValue | undefined = input;
  for (const name of path.split('.'))
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  if (found === undefined) throw invalid(`--pin ${path}: this call of ${tool} has no such argument`);
  return found;
}

function invalid(message: string): HoldfastApiError {
  return new HoldfastApiError('INVALID_INPUT', message);
}

/** Lists the remembered approvals that hold now, one line each. */
export async function listGrants({ client, terminal }: CommandServices, options: OutputOptions) {
  const grants = await readAll((page) => client.approvalGrants.list({ ...page, active: 'true' }));
  if (options.json) {
    printJson(terminal, grants);
    return;
  }
  if (grants.length === 0) terminal.line('No approvals are remembered.');
  for (const { id, tool, target, pins, scope, scopeId, until } of grants) {
    const where = scope === 'workspace' ? 'the workspace' : `${scope} ${scopeId}`;
    const pinned = toOneLine(JSON.stringify(pins), 200);
    terminal.line(`${id}  ${target ?? tool} ${pinned}  in ${where}  until ${until}`);
  }
}

/** Revokes a remembered approval. */
export async function forgetGrant(
  { client, terminal }: CommandServices,
  id: string,
  { actingFor, json }: OutputOptions & { actingFor?: string },
): Promise<void> {
  const grant = await client.approvalGrants.revoke(id, actingFor === undefined ? {} : { actingFor });
  if (json) printJson(terminal, grant);
  else terminal.line(`Calls of ${grant.target ?? grant.tool} ask again.`);
}
