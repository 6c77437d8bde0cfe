import { apiKeyInputSchema, type ApiKey } from '../domain/api-key.ts';
import { createInvalidInput } from '../domain/errors.ts';
import { issueApiKey } from '../modules/workspaces/keys/create-api-key.ts';
import { getWorkspace } from '../modules/workspaces/create-workspace.ts';
import { listIssuedKeys, revokeIssuedKey } from '../modules/workspaces/keys/operator-keys.ts';
import type { AdminCommand, AdminFlags } from './admin-commands.ts';

/** The options of `holdfast api-keys create`. */
export interface KeyFlags extends AdminFlags {
  workspace: string;
  name: string;
  /** Names of scopes. */
  scopes?: string[];
  expires?: string;
  /** Names of groups. */
  groups?: string[];
  actsFor?: string;
}

/** `holdfast api-keys create`. Prints the key alone on the standard output, for scripts. */
export const createFirstKey: AdminCommand<KeyFlags> = async ({ database, say, warn }, flags) => {
  const input = parseKeyFlags(flags);
  const workspace = await getWorkspace({ database }, flags.workspace);
  const { apiKey, key } = await issueApiKey({ database }, workspace.id, input);
  warn(
    `Created an API key of the workspace "${workspace.name}" with the scopes ${apiKey.scopes.join(', ')}.`,
  );
  warn('Keep it now, since only its hash is stored:');
  say(key);
  return 0;
};

function parseKeyFlags({ name, scopes, expires, groups, actsFor }: KeyFlags) {
  const parsed = apiKeyInputSchema.safeParse({ name, scopes, expiresAt: expires, groups, actsFor });
  if (parsed.success) return parsed.data;
  throw createInvalidInput(
    parsed.error.issues.map(({ path: [field], message }) => ({ field: toFlag(String(field)), message })),
  );
}

function toFlag(field: string): string {
  const names: Record<string, string> = { expiresAt: 'expires', actsFor: 'acts-for' };
  return `--${names[field] ?? field}`;
}

/** `holdfast api-keys list`: a line for each key of a workspace, newest first. */
export const listStoredKeys: AdminCommand<AdminFlags & { workspace: string }> = async (
  { database, say, warn },
  { workspace: idOrName },
) => {
  const workspace = await getWorkspace({ database }, idOrName);
  const keys = await listIssuedKeys({ database }, workspace.id);
  if (keys.length === 0) warn(`The workspace "${workspace.name}" has no API keys.`);
  for (const key of keys) say(toKeyLine(key));
  return 0;
};

function toKeyLine({ id, name, scopes, groups, actsFor, lastUsedAt, ...ends }: ApiKey): string {
  const parts = [
    ...[id, name, scopes.join(',')],
    ...(groups.length === 0 ? [] : [`in ${groups.join(',')}`]),
    ...(actsFor === null ? [] : [`for ${actsFor}`]),
    lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`,
    toEnd(ends),
  ];
  return parts.join('  ');
}

function toEnd({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'never expires';
  return `${Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired'} ${expiresAt}`;
}

/** `holdfast api-keys revoke`. */
export const revokeStoredKey =
  (id: string): AdminCommand =>
  async ({ database, say }) => {
    const { apiKey, isNew } = await revokeIssuedKey({ database }, id);
    say(
      isNew
        ? `The API key "${apiKey.name}" (${apiKey.id}) is revoked, with the user tokens that it issued.`
        : `The API key "${apiKey.name}" (${apiKey.id}) was revoked at ${apiKey.revokedAt} already.`,
    );
    return 0;
  };
