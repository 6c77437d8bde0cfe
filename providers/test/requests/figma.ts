import type { ProviderRequests } from './request-case.ts';

const file_key = 'LKQ4FJ4bTnCSjedbRpk931';

export const figmaRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    getFileNodes: {
      input: { file_key, ids: '1:5,1:8', depth: 1 },
      method: 'GET',
      target: `/v1/files/${file_key}/nodes?ids=1%3A5%2C1%3A8&depth=1`,
    },
    getFileMeta: { input: { file_key }, method: 'GET', target: `/v1/files/${file_key}/meta` },
    renderImages: {
      input: { file_key, ids: '1:5', scale: 0.5, contents_only: false },
      method: 'GET',
      target: `/v1/images/${file_key}?ids=1%3A5&format=png&scale=0.5&contents_only=false`,
    },
    listComments: { input: { file_key }, method: 'GET', target: `/v1/files/${file_key}/comments?as_md=true` },
    postComment: {
      input: {
        file_key,
        message: 'More tea?',
        client_meta: { node_id: '1:5', node_offset: { x: 10, y: 2.5 } },
      },
      method: 'POST',
      target: `/v1/files/${file_key}/comments`,
      body: '{"message":"More tea?","client_meta":{"node_id":"1:5","node_offset":{"x":10,"y":2.5}}}',
    },
    deleteComment: {
      destructive: true,
      input: { file_key, comment_id: '324152' },
      method: 'DELETE',
      target: `/v1/files/${file_key}/comments/324152`,
    },
    listTeamProjects: {
      input: { team_id: '123456789' },
      method: 'GET',
      target: '/v1/teams/123456789/projects',
    },
    listProjectFiles: {
      input: { project_id: '987654', branch_data: true },
      method: 'GET',
      target: '/v1/projects/987654/files?branch_data=true',
    },
  },
};
