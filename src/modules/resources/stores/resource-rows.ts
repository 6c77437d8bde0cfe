import type { JsonObject } from '../../../domain/json.ts';
import type { Maker, Resource, ResourceVersion } from '../../../domain/resource.ts';

/** A row of `resources` with the attributes of its newest version. */
export interface ResourceRow {
  id: string;
  kind: string;
  name: string;
  tags: string[];
  version: number;
  attributes: JsonObject;
  owner: Maker | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** A row of `resource_versions`. */
export interface ResourceVersionRow {
  version: number;
  attributes: JsonObject;
  made_by: Maker | null;
  created_at: Date;
}

/** Turns a row into a resource. */
export function toResource(row: ResourceRow): Resource {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    tags: row.tags,
    version: row.version,
    attributes: row.attributes,
    owner: row.owner,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
  };
}

/** Turns a row into a version. */
export function toResourceVersion(row: ResourceVersionRow): ResourceVersion {
  return {
    version: row.version,
    attributes: row.attributes,
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
  };
}
