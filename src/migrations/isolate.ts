/**
 * The statements that give a table of workspaces its policies and grants: `holdfast_app` sees one workspace,
 * `holdfast_system` sees all.
 */
export function isolateTable(table: string): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_workspace ON ${table} TO holdfast_app
      USING (workspace_id = (SELECT current_workspace())) WITH CHECK (workspace_id = (SELECT current_workspace()));
    CREATE POLICY every_workspace ON ${table} TO holdfast_system USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO holdfast_app, holdfast_system;`;
}
