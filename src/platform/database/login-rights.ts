import type { Knex } from 'knex';
import { HoldfastError } from '../../domain/errors.ts';

/** The roles that the sessions of the programs take. */
const programRoles = ['holdfast_app', 'holdfast_system'] as const;

interface Login {
  name: string;
  database: string;
  /** Null while the database has no tables of Holdfast. */
  ownsTables: boolean | null;
  mayCreateTables: boolean;
  /** The roles of the programs that this login can neither take nor give itself. */
  missingRoles: string[];
}

/** Postgres 16 separated the right to take a role (`SET`) from membership. */
const loginQuery = `
SELECT current_user::text AS name, current_database()::text AS database,
  (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('public.knex_migrations')) AS "ownsTables",
  has_schema_privilege('public', 'CREATE') AS "mayCreateTables",
  array(
    SELECT wanted FROM unnest(?::text[]) AS wanted LEFT JOIN pg_roles existing ON existing.rolname = wanted
    WHERE NOT CASE
      WHEN existing.oid IS NULL THEN own.rolcreaterole OR own.rolsuper
      WHEN current_setting('server_version_num')::integer < 160000
        THEN pg_has_role(existing.oid, 'MEMBER') OR own.rolcreaterole
      ELSE pg_has_role(existing.oid, 'SET') OR pg_has_role(existing.oid, 'MEMBER WITH ADMIN OPTION')
    END
  ) AS "missingRoles"
FROM pg_roles own WHERE own.rolname = current_user`;

/**
 * Returns what the login of a session may do: `owner` may migrate, `program` may only run the programs.
 * @throws HoldfastError `FORBIDDEN` that names the missing rights and the statements that give them
 */
export async function checkLogin(knex: Knex): Promise<'owner' | 'program'> {
  const { rows } = await knex.raw<{ rows: Login[] }>(loginQuery, [[...programRoles]]);
  const [login] = rows;
  if (!login) throw new Error('Postgres did not tell who is logged in');
  if (login.ownsTables === null && !login.mayCreateTables) throw toEmptyError(login);
  if (login.missingRoles.length > 0) throw toRolesError(login);
  return login.ownsTables === false ? 'program' : 'owner';
}

/** Lets another login run the programs. Does nothing when it has the roles already. */
export async function grantProgramRoles(knex: Knex, login: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { missing: string[] }[] }>(
    `SELECT array(SELECT wanted FROM unnest(?::text[]) AS wanted WHERE NOT pg_has_role(?, wanted, 'MEMBER')) AS missing`,
    [[...programRoles], login],
  );
  for (const role of rows[0]?.missing ?? []) await knex.raw('GRANT ?? TO ??', [role, login]);
}

function toEmptyError({ name, database }: Login): HoldfastError {
  return new HoldfastError(
    'FORBIDDEN',
    `The database "${database}" has no tables of Holdfast, and its user "${name}" may not create them. ` +
      'Run "holdfast migrate" with DATABASE_OWNER_URL, or let the user own the database: ' +
      `ALTER DATABASE "${database}" OWNER TO "${name}".`,
  );
}

function toRolesError({ name, missingRoles }: Login): HoldfastError {
  const roles = missingRoles.join(', ');
  return new HoldfastError(
    'FORBIDDEN',
    `The user "${name}" of the database can take neither the roles that it needs, nor create them: ${roles}. ` +
      `Run as a superuser: GRANT ${roles} TO "${name}". Where the roles do not exist yet, first: ` +
      `${missingRoles.map((role) => `CREATE ROLE ${role} NOLOGIN`).join('; ')}.`,
  );
}
