import type { ProviderRequests } from './request-case.ts';

const teamId = '9cfb482a-81e3-4154-b5b9-2c805e70a02d';
const method = 'POST';
const target = '/graphql';

/** The documents of GraphQL are compared by their heads; the variables are compared as a whole. */
export const linearRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    searchIssues: {
      input: { term: 'leak', max_items: 20 },
      method,
      target,
      bodyHas: [
        '{"query":"query($term: String!,',
        'searchIssues(term: $term,',
        '"variables":{"term":"leak","first":20}}',
      ],
    },
    listIssues: {
      input: { filter: { team: { key: { eq: 'ENG' } } }, continue_from: 'abc' },
      method,
      target,
      bodyHas: [
        '{"query":"query($filter: IssueFilter,',
        'issues(filter: $filter,',
        '"variables":{"filter":{"team":{"key":{"eq":"ENG"}}},"first":100,"after":"abc"}}',
      ],
    },
    getIssue: {
      input: { id: 'ENG-123' },
      method,
      target,
      bodyHas: ['{"query":"query($id: String!)', 'issue(id: $id)', '"variables":{"id":"ENG-123"}}'],
    },
    listTeams: {
      input: {},
      method,
      target,
      bodyHas: ['teams(first: $first, after: $after)', '"variables":{"first":20}}'],
    },
    listUsers: {
      input: {},
      method,
      target,
      bodyHas: ['users(first: $first, after: $after)', '"variables":{"first":100}}'],
    },
    createIssue: {
      input: { input: { teamId, title: 'It leaks', priority: 2 } },
      method,
      target,
      bodyHas: [
        '{"query":"mutation($input: IssueCreateInput!)',
        'issueCreate(input: $input)',
        `"variables":{"input":{"teamId":"${teamId}","title":"It leaks","priority":2}}}`,
      ],
    },
    updateIssue: {
      input: { id: 'ENG-123', input: { assigneeId: null, dueDate: '2026-03-01' } },
      method,
      target,
      bodyHas: [
        '{"query":"mutation($id: String!, $input: IssueUpdateInput!)',
        'issueUpdate(id: $id, input: $input)',
        '"variables":{"id":"ENG-123","input":{"assigneeId":null,"dueDate":"2026-03-01"}}}',
      ],
    },
    createComment: {
      input: { input: { issueId: 'ENG-123', body: 'Seen it too.' } },
      method,
      target,
      bodyHas: [
        '{"query":"mutation($input: CommentCreateInput!)',
        'commentCreate(input: $input)',
        '"variables":{"input":{"issueId":"ENG-123","body":"Seen it too."}}}',
      ],
    },
  },
};
