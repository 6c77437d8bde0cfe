import pg from 'pg';
import type { Query, Statement } from './statement.ts';

/** Two ways to run prepared statements in one transaction that sees one workspace. */
export interface Transactions {
  /**
   * Sends all statements of `run` with their transaction in one go and waits once. `run` has to call its queries
   * before it waits for any of them.
   */
  atOnce: <Result>(workspaceId: string, run: (query: Query) => Promise<Result>) => Promise<Result>;
  /** Runs statements that depend on each other. */
  transact: <Result>(workspaceId: string, run: (query: Query) => Promise<Result>) => Promise<Result>;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens a pool for the steps of turns: pipelined connections, prepared statements, the role of a workspace. */
export function openTransactions(
  url: string,
  poolSize: number,
): Transactions & { close: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'holdfast-steps',
    max: poolSize,
    pipeline: true,
  });
  pool.on('connect', (client) => void client.query('SET ROLE holdfast_app').catch(() => undefined));
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);

  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  return {
    atOnce: (workspaceId, run) => withClient((client) => sendAtOnce(client, workspaceId, run)),
    transact: (workspaceId, run) => withClient((client) => sendInTurn(client, workspaceId, run)),
    close: () => pool.end(),
  };
}

async function sendAtOnce<Result>(
  client: pg.PoolClient,
  workspaceId: string,
  run: (query: Query) => Promise<Result>,
) {
  let sent = false;
  const begun = begin(client, workspaceId);
  const result = run((statement, values) => {
    if (sent) throw new Error(`${statement.name} came after its transaction was sent`);
    return execute(client, statement, values);
  });
  sent = true;
  // After a failed statement Postgres answers COMMIT with a rollback, so it is right in both cases.
  const settled = await Promise.allSettled([begun, result, client.query('COMMIT')]);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return result;
}

async function sendInTurn<Result>(
  client: pg.PoolClient,
  workspaceId: string,
  run: (query: Query) => Promise<Result>,
) {
  const begun = begin(client, workspaceId);
  try {
    const [, result] = await Promise.all([
      begun,
      run((statement, values) => execute(client, statement, values)),
    ]);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Not a statement with parameters, since those take no second command; so the id is checked to be one. */
function begin(client: pg.PoolClient, workspaceId: string): Promise<unknown> {
  if (!uuidPattern.test(workspaceId)) throw new TypeError(`${workspaceId} is not the id of a workspace`);
  return client.query(`BEGIN; SET LOCAL holdfast.workspace_id = '${workspaceId}'`);
}

async function execute<Values extends object, Row>(
  client: pg.PoolClient,
  { name, text, parameters }: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  const bindings = parameters.map((parameter) => values[parameter]);
  const { rows } = await client.query({ name, text, values: bindings });
  return rows as Row[];
}
