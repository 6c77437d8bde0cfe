import { createHoldfastClient, HoldfastApiError } from '../../../src/clients/client/index.ts';

/** The API that has served this page. The browser adds the cookie of the session to each request. */
export const holdfast = createHoldfastClient({ baseUrl: location.origin, apiKey: null });

/** Opens a session for an API key or a user token. @throws HoldfastApiError `UNAUTHORIZED` */
export async function openSession(apiKey: string): Promise<void> {
  await createHoldfastClient({ baseUrl: location.origin, apiKey }).session.open({});
}

/** Returns the name of the workspace of an API key or a user token. @throws HoldfastApiError `UNAUTHORIZED` */
export async function readWorkspaceOf(apiKey: string, signal: AbortSignal): Promise<string> {
  const client = createHoldfastClient({ baseUrl: location.origin, apiKey });
  return (await client.workspace.get({ signal })).name;
}

/** Returns true for an error of the API with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof HoldfastApiError && error.code === code;
}

/** Returns the message of an error for people, with the fields that a refused request names. */
export function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message;
}

/** Returns the messages of a refused request by the names of its fields, such as `auth.token`. */
export function toFieldErrors(error: unknown): Readonly<Record<string, string>> {
  const details = error instanceof HoldfastApiError && Array.isArray(error.details) ? error.details : [];
  return Object.fromEntries(
    (details as { field?: unknown; message?: unknown }[]).flatMap(({ field, message }) =>
      typeof field === 'string' && typeof message === 'string' ? [[field, message]] : [],
    ),
  );
}
