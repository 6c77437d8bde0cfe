import pg from 'pg';
import { eventually } from './eventually.ts';
import type { TurnLab } from './turn-lab.ts';

/** Settlements of calls that wait in the database, so that a test can kill the process that sent them. */
export interface HeldSettlements {
  /** Holds the settlements of calls of these models and tools from now on. */
  hold: (names: string[]) => Promise<void>;
  /** Waits until so many settlements are held. */
  waitForHeld: (count: number) => Promise<void>;
  /** Ends the sessions of the settlements that are held, so that nothing of them is stored. */
  lose: () => Promise<void>;
  /** Releases all held settlements. */
  letGo: () => Promise<void>;
  close: () => Promise<void>;
}

const trigger = `
CREATE FUNCTION hold_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('settle ' || NEW.name, 0));
  RETURN NEW;
END $$;
CREATE TRIGGER hold_settlement BEFORE INSERT ON credit_entries FOR EACH ROW WHEN (NEW.status = 'settled')
  EXECUTE FUNCTION hold_settlement()`;

const waiting = `SELECT l.pid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.mode = 'ShareLock' AND NOT l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Adds a trigger to the database of a laboratory that makes settlements wait for the test. */
export async function holdSettlements(lab: TurnLab): Promise<HeldSettlements> {
  await lab.asOwner(trigger);
  const session = new pg.Client(lab.databaseUrl);
  await session.connect();
  return {
    hold: async (names) => {
      for (const name of names)
        await session.query(`SELECT pg_advisory_lock(hashtextextended('settle ' || $1, 0))`, [name]);
    },
    waitForHeld: async (count) => {
      await eventually(
        () => session.query<{ pid: number }>(waiting),
        ({ rows }) => rows.length >= count,
      );
    },
    lose: () => lab.asOwner(`SELECT pg_terminate_backend(pid) FROM (${waiting}) held`),
    letGo: async () => {
      await session.query('SELECT pg_advisory_unlock_all()');
    },
    close: () => session.end(),
  };
}
