import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const id = z.string().min(1).describe('Id of the issue, or its identifier, such as ENG-123');
const title = z.string().min(1).max(512);
const description = z.string().describe('Markdown').optional();
const priority = z.int().min(0).max(4).describe('0 none, 1 urgent, 2 high, 3 medium, 4 low').optional();
const uuid = (what: string) => z.uuid().describe(`Id of ${what}`);
const issueFields = `id identifier title url priority priorityLabel dueDate createdAt updatedAt
  state { id name type } assignee { id name } team { id key } project { id name } labels { nodes { name } }`;
const reading: NeededScope[] = ['read'];
const size = { field: 'first', max: 100 };
const cursor = (list: string) =>
  ({
    style: 'cursor',
    field: 'after',
    next: `data.${list}.pageInfo.endCursor`,
    more: `data.${list}.pageInfo.hasNextPage`,
    items: `data.${list}.nodes`,
    size,
  }) as const;
const pageInfo = 'pageInfo { hasNextPage endCursor }';

/** The API is GraphQL; a mutation answers `success` with what it changed. */
export const linear = defineProvider({
  name: 'linear',
  title: 'Linear',
  description: 'Search, read, create and change issues of Linear.',
  category: 'development',
  baseUrl: 'https://api.linear.app',
  auth: {
    types: ['api_key', 'oauth2_authorization_code'],
    apiKey: { header: 'Authorization' },
    oauth: {
      authorizationUrl: 'https://linear.app/oauth/authorize',
      tokenUrl: 'https://api.linear.app/oauth/token',
      scopes: ['read'],
      scopeSeparator: ',',
      clientAuthentication: 'post',
    },
    hint: 'A personal API key of Settings, Security & access.',
  },
  setup: [
    'For a key: open **Settings**, *Security & access*, create a personal API key and copy it.',
    'For OAuth: open **Settings**, *API*, create an OAuth application, and copy the client ID and secret.',
  ],
  unverified: '2026-07-22',
  verify: {
    request: 'POST /graphql',
    body: { query: '{ viewer { name organization { name } } }' },
    account: ['data.viewer.name', 'data.viewer.organization.name'],
  },
  // 1,500 an hour at least: https://linear.app/developers/rate-limiting
  rateLimit: { tokensPerMinute: 25 },
  throttle: {
    when: { at: 'errors.0.extensions.code', oneOf: ['RATELIMITED'] },
    wait: [
      { header: 'x-ratelimit-endpoint-requests-reset', unit: 'epoch_milliseconds' },
      { header: 'x-ratelimit-requests-reset', unit: 'epoch_milliseconds' },
    ],
  },
  errors: {
    message: ['errors.0.extensions.userPresentableMessage', 'errors.0.message', 'error_description'],
  },
  operations: {
    searchIssues: {
      description:
        'Search issues by words of their titles, descriptions and comments. Returns identifiers, titles and states.',
      input: z.strictObject({ term: z.string().min(1), includeArchived: z.boolean().optional() }),
      request: 'POST /graphql',
      graphql: `query($term: String!, $includeArchived: Boolean, $first: Int, $after: String) {
        searchIssues(term: $term, includeArchived: $includeArchived, first: $first, after: $after, includeComments: true) {
          nodes { ${issueFields} } ${pageInfo}
        }
      }`,
      effect: 'read_only',
      scopes: reading,
      rateLimit: { tokensPerMinute: 30 },
      paging: cursor('searchIssues'),
    },
    listIssues: {
      description:
        'List issues by a filter, such as { "assignee": { "isMe": { "eq": true } } }, those changed last first. To find words, use searchIssues.',
      input: z.strictObject({
        filter: z
          .looseObject({})
          .describe(
            'An IssueFilter of Linear: team.key, state.type, assignee.email, labels.name, dueDate with eq, in, lt',
          )
          .optional(),
      }),
      request: 'POST /graphql',
      graphql: `query($filter: IssueFilter, $first: Int, $after: String) {
        issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) { nodes { ${issueFields} } ${pageInfo} }
      }`,
      effect: 'read_only',
      scopes: reading,
      paging: cursor('issues'),
    },
    getIssue: {
      description:
        'Read one issue by its id or identifier: description, state, people, parent and its first 50 comments.',
      input: z.strictObject({ id }),
      request: 'POST /graphql',
      graphql: `query($id: String!) {
        issue(id: $id) {
          ${issueFields} description branchName parent { identifier title }
          comments(first: 50) { nodes { id body createdAt user { name } } }
        }
      }`,
      effect: 'read_only',
      scopes: reading,
      result: 'data.issue',
    },
    listTeams: {
      description:
        'List the teams with their states and labels, whose ids createIssue and updateIssue need. Returns no issues.',
      input: z.strictObject({}),
      request: 'POST /graphql',
      graphql: `query($first: Int, $after: String) {
        teams(first: $first, after: $after) {
          nodes { id key name states { nodes { id name type } } labels { nodes { id name } } } ${pageInfo}
        }
      }`,
      effect: 'read_only',
      scopes: reading,
      paging: { ...cursor('teams'), size: { field: 'first', max: 20 } },
    },
    listUsers: {
      description:
        'List the people of the workspace with names and e-mail addresses, whose ids are needed to assign issues.',
      input: z.strictObject({}),
      request: 'POST /graphql',
      graphql: `query($first: Int, $after: String) {
        users(first: $first, after: $after) { nodes { id name displayName email active } ${pageInfo} }
      }`,
      effect: 'read_only',
      scopes: reading,
      paging: cursor('users'),
    },
    createIssue: {
      description:
        'Create an issue in a team. Returns its identifier and address. Does not check whether there is a similar one.',
      input: z.strictObject({
        input: z.strictObject({
          teamId: uuid('the team, from listTeams'),
          title,
          description,
          assigneeId: uuid('a user').optional(),
          stateId: uuid('a state of the team').optional(),
          labelIds: z.array(z.uuid()).optional(),
          projectId: uuid('a project').optional(),
          parentId: z.string().describe('Id or identifier of the issue above it').optional(),
          priority,
          dueDate: z.iso.date().optional(),
        }),
      }),
      request: 'POST /graphql',
      graphql: `mutation($input: IssueCreateInput!) {
        issueCreate(input: $input) { success issue { ${issueFields} } }
      }`,
      effect: 'unsafe',
      scopes: [['issues:create', 'write']],
      result: 'data.issueCreate.issue',
    },
    updateIssue: {
      description:
        'Change fields of an issue: title, state, assignee, priority, labels or date. Returns it; does not comment.',
      input: z.strictObject({
        id,
        input: z.strictObject({
          title: title.optional(),
          description,
          stateId: uuid('a state of its team, from listTeams').optional(),
          assigneeId: uuid('a user').nullable().optional(),
          labelIds: z.array(z.uuid()).describe('All labels that it is to have').optional(),
          projectId: uuid('a project').nullable().optional(),
          priority,
          dueDate: z.iso.date().nullable().optional(),
        }),
      }),
      request: 'POST /graphql',
      graphql: `mutation($id: String!, $input: IssueUpdateInput!) {
        issueUpdate(id: $id, input: $input) { success issue { ${issueFields} } }
      }`,
      effect: 'idempotent',
      scopes: ['write'],
      result: 'data.issueUpdate.issue',
    },
    createComment: {
      description:
        'Comment on an issue; its subscribers are told. Returns the address of the comment. Does not change the issue.',
      input: z.strictObject({
        input: z.strictObject({ issueId: id, body: z.string().min(1).describe('Markdown') }),
      }),
      request: 'POST /graphql',
      graphql: `mutation($input: CommentCreateInput!) {
        commentCreate(input: $input) { success comment { id url createdAt } }
      }`,
      effect: 'unsafe',
      scopes: [['comments:create', 'write']],
      result: 'data.commentCreate.comment',
    },
  },
});
