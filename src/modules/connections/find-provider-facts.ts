import type { ConnectionParts, ProviderFacts } from './connection-parts.ts';

/** Finds the provider of a connection: in the catalogue, or else among those that its workspace has imported. */
export async function findProviderFacts(
  { findProvider, findImported }: Pick<ConnectionParts, 'findProvider' | 'findImported'>,
  ref: { workspaceId: string; name: string },
): Promise<ProviderFacts | undefined> {
  return (await findProvider(ref.name)) ?? (await findImported?.(ref));
}
