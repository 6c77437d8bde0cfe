import type { RowScope } from '../../domain/row-scope.ts';

/** Runs work in one transaction that sees the rows of its scope, with the repositories that use the transaction. */
export type UnitOfWork<Repositories> = <Result>(
  scope: RowScope,
  run: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;
