import type { Knex } from 'knex';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { Maker } from '../../../domain/resource.ts';

interface ConnectionUse {
  author: Pick<Actor, 'scopes'>;
  maker: Maker | undefined;
  document: JsonObject;
}

/**
 * Refuses a document with a connection that its workspace does not have, or that its author may not use. An agent stores no
 * such document: its runs would act with a credential that the agent was not given.
 * @throws HoldfastError `INVALID_INPUT` with the path of each name; `FORBIDDEN`
 */
export async function checkConnections(trx: Knex, { author, maker, document }: ConnectionUse): Promise<void> {
  const { use } = document;
  const secrets = isJsonObject(use) && Array.isArray(use.secrets) ? use.secrets : [];
  const names = secrets.filter((name) => typeof name === 'string');
  if (names.length === 0) return;
  authorize(author, 'connections.use', 'a routine with connections');
  if (maker?.type === 'agent')
    throw new HoldfastError('FORBIDDEN', 'Agents store no routines with connections ("use.secrets").');
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
