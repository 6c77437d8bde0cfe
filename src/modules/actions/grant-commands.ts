import { invalid } from '../../clients/cli/option-values.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { grantScopes, type RememberInput } from '../../domain/remember-input.ts';

/** The options that remember an approval, as they are typed. */
export type RememberOptions = {
  /** A scope. */
  remember?: string;
  /** The paths of the arguments that later calls must have as well. */
  pins?: string[];
  /** An ISO 8601 time. */
  until?: string;
};

/**
 * Returns what an approval remembers: the pinned values are those of the approved call.
 * @throws HoldfastError `INVALID_INPUT`
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
