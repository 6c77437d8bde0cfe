import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const pageId = z.string().min(1).describe('Id of the page');
const blockId = z.string().min(1).describe('Id of the block or page');
const blocks = z
  .array(z.looseObject({}))
  .max(100)
  .describe('Block objects, such as paragraphs with rich_text');
const properties = z.looseObject({}).describe('Values by the name of the property, as Notion writes them');
const filterProperties = z.array(z.string()).describe('Only the properties with these ids').optional();
const icon = z.strictObject({ emoji: z.string() });
const cover = z.strictObject({
  type: z.literal('external').optional(),
  external: z.strictObject({ url: z.url() }),
});
const paging = {
  style: 'cursor',
  field: 'start_cursor',
  next: 'next_cursor',
  items: 'results',
  size: { field: 'page_size', max: 100 },
} as const;

export const notion = defineProvider({
  name: 'notion',
  title: 'Notion',
  description: 'Search, read and write pages and data sources of a Notion workspace.',
  category: 'documents',
  baseUrl: 'https://api.notion.com',
  headers: { 'Notion-Version': '2025-09-03' },
  auth: {
    types: ['bearer'],
    hint: 'The secret of an internal integration that the pages are shared with.',
  },
  setup: [
    'Create an **internal integration** at [notion.so/profile/integrations](https://www.notion.so/profile/integrations), with the capabilities that agents need: read, insert and update content, and read comments.',
    'Share pages with it: open a page, *•••*, *Connections*, and choose the integration. It sees those pages and the ones below them, and no others.',
    'Copy its *Internal Integration Secret*.',
  ],
  verify: { request: 'GET /v1/users/me', account: ['name'] },
  // Three a second on average: https://developers.notion.com/reference/request-limits
  rateLimit: { tokensPerMinute: 180 },
  errors: { message: ['message'] },
  operations: {
    search: {
      description:
        'Search pages and data sources by their titles. Returns ids and properties; does not search inside the text of pages.',
      input: z.strictObject({
        query: z.string().describe('Without it everything that is shared').optional(),
        filter: z
          .strictObject({ property: z.literal('object'), value: z.enum(['page', 'data_source']) })
          .optional(),
        sort: z
          .strictObject({
            timestamp: z.literal('last_edited_time'),
            direction: z.enum(['ascending', 'descending']),
          })
          .optional(),
      }),
      request: 'POST /v1/search',
      paging,
      effect: 'read_only',
    },
    queryDataSource: {
      description:
        'Read the rows of a data source, filtered and sorted. Returns pages with their properties, not their content.',
      input: z.strictObject({
        data_source_id: z.string().min(1),
        filter: z.looseObject({}).describe('A filter as Notion writes it').optional(),
        sorts: z
          .array(z.strictObject({ property: z.string(), direction: z.enum(['ascending', 'descending']) }))
          .optional(),
        filter_properties: filterProperties,
        in_trash: z.boolean().optional(),
      }),
      request: 'POST /v1/data_sources/{data_source_id}/query',
      query: ['filter_properties'],
      paging,
      effect: 'read_only',
    },
    getPage: {
      description: 'Get the properties of a page by its id. Its content comes from getBlockChildren.',
      input: z.strictObject({ page_id: pageId, filter_properties: filterProperties }),
      request: 'GET /v1/pages/{page_id}',
      effect: 'read_only',
    },
    createPage: {
      description:
        'Create a page beneath a page or as a row of a data source. Returns the page with its id and address.',
      input: z.strictObject({
        parent: z
          .union([
            z.strictObject({ page_id: z.string() }),
            z.strictObject({ data_source_id: z.string() }),
            z.strictObject({ database_id: z.string() }),
          ])
          .describe('Where the page goes'),
        properties,
        children: blocks.optional(),
        icon: icon.optional(),
        cover: cover.optional(),
      }),
      request: 'POST /v1/pages',
      effect: 'unsafe',
    },
    updatePage: {
      description:
        'Change properties of a page, or put it into the trash. Does not change its content: use appendBlocks.',
      input: z.strictObject({
        page_id: pageId,
        properties: properties.optional(),
        in_trash: z.boolean().optional(),
        icon: icon.optional(),
        cover: cover.optional(),
      }),
      request: 'PATCH /v1/pages/{page_id}',
      effect: 'idempotent',
      destructive: true,
    },
    getBlockChildren: {
      description:
        'Read the content of a page or block as a list of blocks. Blocks inside blocks need a call of their own.',
      input: z.strictObject({ block_id: blockId }),
      request: 'GET /v1/blocks/{block_id}/children',
      paging,
      effect: 'read_only',
    },
    appendBlocks: {
      description:
        'Append blocks to the end of a page or block, or after another block. Returns the new blocks.',
      input: z.strictObject({
        block_id: blockId,
        children: blocks.min(1),
        after: z.string().describe('Id of the block to put them after').optional(),
      }),
      request: 'PATCH /v1/blocks/{block_id}/children',
      effect: 'unsafe',
    },
    deleteBlock: {
      description: 'Put a block or a page into the trash, from which a person can restore it.',
      input: z.strictObject({ block_id: blockId }),
      request: 'DELETE /v1/blocks/{block_id}',
      effect: 'idempotent',
    },
  },
});
