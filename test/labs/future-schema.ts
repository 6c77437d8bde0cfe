import { runAsOwner } from './database-login.ts';

/** Leaves a database as a later version would: with more columns in all tables, and more tables. */
export function migrateToFuture(databaseUrl: string, isCompatible: boolean): Promise<void> {
  return runAsOwner(
    databaseUrl,
    `
    INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('9999-future', 99, now());
    INSERT INTO applied_migrations (name, is_compatible) VALUES ('9999-future', ${isCompatible});
    CREATE TABLE later_things (id uuid PRIMARY KEY, conversation_id uuid REFERENCES conversations);
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%migrations%' LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN later_text text, ADD COLUMN later_count integer DEFAULT 0', name);
      END LOOP;
    END $$;`,
  );
}
