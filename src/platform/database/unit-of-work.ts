/** Runs work in one transaction of a workspace, with the repositories that use the transaction. */
export type UnitOfWork<Repositories> = <Result>(
  workspaceId: string,
  run: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;
