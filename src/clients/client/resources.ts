import type { CreateAgentData } from './generated/types.ts';
import { operations, type OperationFunctions } from './generated/operations.ts';
import type { ApiTransport } from './api-transport.ts';
import { toReader } from './operation-answer.ts';
import { toRequest, type Operation } from './operation-request.ts';
import { resourceTree } from './generated/resource-tree.ts';

type ToResources<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends keyof OperationFunctions
    ? OperationFunctions[Tree[Name]]
    : ToResources<Tree[Name]>;
};

/** An agent as it is created: fields with a default are optional. */
export type NewAgent = CreateAgentData['body'];

/** The operations of the API as functions, ordered by what they are about. */
export type Resources = ToResources<typeof resourceTree>;

interface Branch {
  readonly [name: string]: keyof OperationFunctions | Branch;
}

/** Makes the functions of the whole tree over one transport. */
export function createResources(transport: ApiTransport): Resources {
  return growBranch(transport, resourceTree) as Resources;
}

function growBranch(transport: ApiTransport, branch: Branch): unknown {
  const entries = Object.entries(branch).map(([name, part]) => [
    name,
    typeof part === 'string' ? toFunction(transport, operations[part]) : growBranch(transport, part),
  ]);
  return Object.fromEntries(entries);
}

function toFunction(transport: ApiTransport, operation: Operation) {
  const read = toReader(operation);
  return async (...given: unknown[]) => transport.send(toRequest(operation, given), read);
}
