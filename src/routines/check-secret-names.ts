import type { Knex } from 'knex';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { createInvalidInput } from '../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';

/**
 * Refuses a document with a secret that is no connection of its workspace.
 * @throws HoldfastError `INVALID_INPUT` with the path of each
 */
export async function checkSecretNames(trx: Knex, { use }: JsonObject): Promise<void> {
  const secrets = isJsonObject(use) && Array.isArray(use.secrets) ? use.secrets : [];
  const names = secrets.filter((name) => typeof name === 'string');
  if (names.length === 0) return;
  const known = await createConnectionRepository(trx).listNamed({ ids: [], names });
  const wrong = secrets.flatMap((name, index) =>
    known.some((connection) => connection.name === name)
      ? []
      : [
          {
            field: `document/use/secrets/${index}`,
            message: `there is no connection ${JSON.stringify(name)}`,
          },
        ],
  );
  if (wrong.length > 0) throw createInvalidInput(wrong);
}
