import pg from 'pg';
import { messageCharacters, turnSteps } from '../programs/contract.ts';

const text = 'j'.repeat(messageCharacters);

/** Creates the table of the baseline that stores its steps. */
export async function createJournalTable(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(
      'CREATE TABLE bench_journal (turn uuid, step int, content text NOT NULL, PRIMARY KEY (turn, step))',
    );
  } finally {
    await client.end();
  }
}

/** Stores the steps of baseline turns. */
export interface Journal {
  /** Inserts the steps of a turn one after the other, each on disk before the next one begins. */
  writeTurn: (turn: string) => Promise<void>;
  close: () => Promise<void>;
}

/** Opens the journal: each row holds one message and is written by a separate commit with a prepared statement. */
export function openJournal(databaseUrl: string, poolSize: number): Journal {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  return {
    writeTurn: async (turn) => {
      for (let step = 1; step <= turnSteps; step++) {
        await pool.query({
          name: 'write-step',
          text: 'INSERT INTO bench_journal (turn, step, content) VALUES ($1, $2, $3)',
          values: [turn, step, text],
        });
      }
    },
    close: () => pool.end(),
  };
}
