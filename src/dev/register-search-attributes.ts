import type { ConnectionLike } from '@temporalio/client';
import proto from '@temporalio/proto';
import { searchAttributes } from './temporal-flags.ts';

/** Registers the custom search attributes that a namespace lacks, and returns their names. */
export async function registerSearchAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.keys(searchAttributes).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return [];
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
  return missing;
}
