import { expect, test } from 'vitest';
import { findBrokenRules, findNarrowedChecks } from './migration-rules.ts';

const check = (text: string, isCompatible = true) => findBrokenRules({ sql: [text], isCompatible });

test.each([
  'CREATE TABLE things (id uuid PRIMARY KEY); CREATE INDEX ON things (id); ALTER TABLE things ADD UNIQUE (id)',
  'ALTER TABLE turns ADD COLUMN colour text',
  "ALTER TABLE turns ADD COLUMN colour text NOT NULL DEFAULT 'red', ADD COLUMN shape text",
  'ALTER TABLE turns ALTER COLUMN answer DROP NOT NULL',
  'CREATE INDEX CONCURRENTLY turns_colour ON turns (colour)',
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS turns_colour ON turns (colour)',
  'DROP INDEX CONCURRENTLY IF EXISTS turns_colour',
  'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM turns; DROP TABLE turns $$',
  'CREATE OR REPLACE FUNCTION f() RETURNS void AS $$ SELECT $$; REVOKE EXECUTE ON FUNCTION f FROM PUBLIC',
  "ALTER TABLE turns DROP CONSTRAINT status, ADD CONSTRAINT status CHECK (status IN ('a', 'b')) NOT VALID",
  '-- DROP TABLE turns',
  'REFERENCES turns ON DELETE CASCADE',
])('lets pass: %s', (text) => {
  expect(check(text)).toEqual([]);
});

test.each([
  'DROP TABLE turns',
  'ALTER TABLE turns DROP COLUMN answer',
  'ALTER TABLE turns DROP CONSTRAINT turns_status_check',
  'ALTER TABLE turns RENAME COLUMN answer TO reply',
  'ALTER TABLE turns ALTER COLUMN answer TYPE jsonb',
  'ALTER TABLE turns ALTER COLUMN answer SET NOT NULL',
  'ALTER TABLE turns ADD COLUMN colour text NOT NULL',
  "ALTER TABLE turns ADD COLUMN shape text DEFAULT 'round', ADD COLUMN colour text NOT NULL",
  'ALTER TABLE turns ADD CONSTRAINT small CHECK (priority < 9)',
  "ALTER TABLE turns DROP CONSTRAINT status, ADD CONSTRAINT other CHECK (status IN ('a', 'b')) NOT VALID",
  'ALTER TABLE turns DROP CONSTRAINT small, ADD CONSTRAINT small CHECK (priority < 9) NOT VALID',
  'ALTER TABLE turns ADD CHECK (priority < 9)',
  'REVOKE SELECT ON turns FROM holdfast_app',
  'REVOKE EXECUTE ON FUNCTION f FROM PUBLIC',
])('finds, unless the migration says so: %s', (text) => {
  expect(check(`CREATE TABLE things (id uuid); ${text}`)).toEqual([`is not additive: ${text}`]);
  expect(check(text, false)).toEqual([]);
});

test.each(['CREATE INDEX ON turns (colour)', 'CREATE UNIQUE INDEX turns_colour\n ON turns (colour)'])(
  'finds an index that blocks writers, whatever the migration says: %s',
  (text) => {
    expect(check(text, false)).toEqual([`blocks writers: ${text}`]);
  },
);

test('a check may allow more values, and neither less nor others', () => {
  const before = { status: "CHECK (status IN ('a', 'b'))", small: 'CHECK (priority < 9)' };
  const after = (status: string) => findNarrowedChecks(before, { ...before, status });
  expect(after("CHECK (status IN ('b', 'a', 'c'))")).toEqual([]);
  expect(after("CHECK (status IN ('b', 'c'))")).toEqual(["status allows less: CHECK (status IN ('b', 'c'))"]);
  expect(findNarrowedChecks(before, { status: before.status })).toEqual(['small allows less: it is gone']);
});
