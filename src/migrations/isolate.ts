/**
 * The statements that give a table of workspaces its policies and grants: `holdfast_app` sees one workspace,
 * `holdfast_system` sees all.
 */
export function isolateTable(table: string): string {
  return `
    ${addPolicies(table)}
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO holdfast_app, holdfast_system;`;
}

/** The statements that show `holdfast_app` the rows of one workspace, whose id is in `column`, and `holdfast_system` all. */
export function addPolicies(table: string, column = 'workspace_id'): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_workspace ON ${table} TO holdfast_app
      USING (${column} = (SELECT current_workspace())) WITH CHECK (${column} = (SELECT current_workspace()));
    CREATE POLICY every_workspace ON ${table} TO holdfast_system USING (true) WITH CHECK (true);`;
}

/**
 * The statement that hides the rows of a table from a transaction for one person, unless `condition` holds. The policy is
 * restrictive: it holds besides the one that shows a workspace its rows.
 */
export function hideFromOthers(table: string, condition: string): string {
  return `
    CREATE POLICY seen_by_person ON ${table} AS RESTRICTIVE TO holdfast_app
      USING ((SELECT current_person()) IS NULL OR ${condition});`;
}

/** A condition of {@link hideFromOthers}: the row belongs to the person of the transaction. */
export const isOfPerson = 'person = (SELECT current_person())';

/** A condition of {@link hideFromOthers}: the person sees the row of `table` whose id is in `column`. */
export function isInside(table: string, column: string): string {
  return `EXISTS (SELECT FROM ${table} AS above WHERE above.id = ${column})`;
}

/** As {@link isInside} for a conversation, in a table that the steps of turns use: it costs nothing where no person is named. */
export function isInConversation(column: string): string {
  return `sees_conversation(${column})`;
}
