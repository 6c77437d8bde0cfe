import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { textAt } from '../read-answer.ts';

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
  start_cursor: z.string().describe('next_cursor of the page before').optional(),
  page_size: z.int().min(1).max(100).default(50),
};

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
  verify: { request: 'GET /v1/users/me', describe: (answer) => textAt(answer, 'name') },
  // Three a second on average: https://developers.notion.com/reference/request-limits
  rateLimit: { tokensPerMinute: 180 },
  readError: ({ status, body }) => (status < 400 ? null : (textAt(body, 'message') ?? null)),
  operations: {
    search: {
      description: 'Search pages and data sources by title.',
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
        ...paging,
      }),
      request: 'POST /v1/search',
      effect: 'read_only',
    },
    queryDataSource: {
      description: 'Read the rows of a data source, filtered and sorted.',
      input: z.strictObject({
        data_source_id: z.string().min(1),
        filter: z.looseObject({}).describe('A filter as Notion writes it').optional(),
        sorts: z
          .array(z.strictObject({ property: z.string(), direction: z.enum(['ascending', 'descending']) }))
          .optional(),
        filter_properties: filterProperties,
        in_trash: z.boolean().optional(),
        ...paging,
      }),
      request: 'POST /v1/data_sources/{data_source_id}/query',
      query: ['filter_properties'],
      effect: 'read_only',
    },
    getPage: {
      description: 'Get the properties of a page.',
      input: z.strictObject({ page_id: pageId, filter_properties: filterProperties }),
      request: 'GET /v1/pages/{page_id}',
      effect: 'read_only',
    },
    createPage: {
      description: 'Create a page beneath a page or in a database.',
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
      description: 'Change properties of a page, or put it into the trash.',
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
      description: 'List the blocks inside a page or block.',
      input: z.strictObject({ block_id: blockId, ...paging }),
      request: 'GET /v1/blocks/{block_id}/children',
      effect: 'read_only',
    },
    appendBlocks: {
      description: 'Append blocks to a page or block.',
      input: z.strictObject({
        block_id: blockId,
        children: blocks.min(1),
        after: z.string().describe('Id of the block to put them after').optional(),
      }),
      request: 'PATCH /v1/blocks/{block_id}/children',
      effect: 'unsafe',
    },
    deleteBlock: {
      description: 'Put a block or page into the trash.',
      input: z.strictObject({ block_id: blockId }),
      request: 'DELETE /v1/blocks/{block_id}',
      effect: 'idempotent',
    },
  },
});
