import type { OperatorService } from '@temporalio/client';
import proto from '@temporalio/proto';
import { searchAttributeNames } from '../../contract/search-attributes.ts';

/** Registers the custom search attributes that a namespace lacks, all of type Keyword, and returns their names. */
export async function registerSearchAttributes(
  { operatorService }: { operatorService: OperatorService },
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributeNames).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return [];
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
  return missing;
}
