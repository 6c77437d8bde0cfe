import type { Knex } from 'knex';

/** Programs that do not know the column write none, and find their own files by the rest of the row. */
export const isCompatible = true;

/**
 * Tells the uploads with one `Idempotency-Key` apart, which have one id: only the bytes and the end of the upload that has
 * begun the row belong to it.
 */
const attempts = `ALTER TABLE blobs ADD COLUMN attempt uuid`;

/**
 * A request to the bucket that was given up may still arrive there and write its object after a removal. So the object of
 * an upload that broke off is removed when no request of it can be on its way any more.
 */
const removedObjects = `
CREATE OR REPLACE FUNCTION queue_removed_object() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO removed_objects (object_key, is_whole, next_try_at) VALUES (OLD.object_key, OLD.is_whole,
    CASE WHEN OLD.is_whole THEN now() ELSE now() + interval '15 minutes' END) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
`;

/** Tells repeated uploads apart, and puts off the removal of objects that broke off. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(attempts);
  await knex.raw(removedObjects);
}
