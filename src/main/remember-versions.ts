import { LRUCache } from 'lru-cache';
import type { AgentVersion } from '../domain/agent.ts';

type GetVersion = (workspaceId: string, versionId: string) => Promise<AgentVersion>;

/**
 * Caches agent versions, which never change. Versions with many tools are large, so the limit is in characters of their
 * JSON.
 * @param maxCharacters by default 16 million
 */
export function rememberVersions(getVersion: GetVersion, maxCharacters = 16 * 1024 * 1024): GetVersion {
  const versions = new LRUCache<string, AgentVersion>({
    maxSize: maxCharacters,
    sizeCalculation: (version) => JSON.stringify(version).length,
  });
  return async (workspaceId, versionId) => {
    const key = `${workspaceId}/${versionId}`;
    const known = versions.get(key);
    if (known) return known;
    const version = await getVersion(workspaceId, versionId);
    versions.set(key, version);
    return version;
  };
}
