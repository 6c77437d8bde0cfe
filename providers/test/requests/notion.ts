import type { ProviderRequests } from './request-case.ts';

const id = '59833787-2cf9-4fdf-8782-e53db20768a5';
const paragraph = {
  type: 'paragraph',
  paragraph: { rich_text: [{ type: 'text', text: { content: 'Hi' } }] },
};
const paragraphText =
  '{"type":"paragraph","paragraph":{"rich_text":[{"type":"text","text":{"content":"Hi"}}]}}';

export const notionRequests: ProviderRequests = {
  headers: { accept: 'application/json', 'notion-version': '2025-09-03' },
  contentType: 'application/json',
  cases: {
    search: {
      input: {
        query: 'Roadmap',
        filter: { property: 'object', value: 'page' },
        sort: { timestamp: 'last_edited_time', direction: 'descending' },
      },
      method: 'POST',
      target: '/v1/search',
      body:
        '{"query":"Roadmap","filter":{"property":"object","value":"page"},' +
        '"sort":{"timestamp":"last_edited_time","direction":"descending"},"page_size":100}',
    },
    queryDataSource: {
      input: {
        data_source_id: id,
        filter: { property: 'Done', checkbox: { equals: false } },
        sorts: [{ property: 'Due', direction: 'ascending' }],
        filter_properties: ['title', 'a%3Bb'],
        max_items: 5,
      },
      method: 'POST',
      target: `/v1/data_sources/${id}/query?filter_properties=title&filter_properties=a%253Bb`,
      body:
        '{"filter":{"property":"Done","checkbox":{"equals":false}},' +
        '"sorts":[{"property":"Due","direction":"ascending"}],"page_size":5}',
    },
    getPage: {
      input: { page_id: id, filter_properties: ['title'] },
      method: 'GET',
      target: `/v1/pages/${id}?filter_properties=title`,
    },
    createPage: {
      input: {
        parent: { page_id: id },
        properties: { title: { title: [{ text: { content: 'Plan' } }] } },
        children: [paragraph],
        icon: { emoji: '🫖' },
      },
      method: 'POST',
      target: '/v1/pages',
      body:
        `{"parent":{"page_id":"${id}"},"properties":{"title":{"title":[{"text":{"content":"Plan"}}]}},` +
        `"children":[${paragraphText}],"icon":{"emoji":"🫖"}}`,
    },
    updatePage: {
      destructive: true,
      input: {
        page_id: id,
        properties: { Done: { checkbox: true } },
        in_trash: false,
        icon: { emoji: '✅' },
      },
      method: 'PATCH',
      target: `/v1/pages/${id}`,
      body: '{"properties":{"Done":{"checkbox":true}},"in_trash":false,"icon":{"emoji":"✅"}}',
    },
    getBlockChildren: {
      input: { block_id: id, continue_from: 'next' },
      method: 'GET',
      target: `/v1/blocks/${id}/children?page_size=100&start_cursor=next`,
    },
    appendBlocks: {
      input: { block_id: id, children: [paragraph], after: id },
      method: 'PATCH',
      target: `/v1/blocks/${id}/children`,
      body: `{"children":[${paragraphText}],"after":"${id}"}`,
    },
    deleteBlock: { destructive: true, input: { block_id: id }, method: 'DELETE', target: `/v1/blocks/${id}` },
  },
};
