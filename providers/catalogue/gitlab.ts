import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const id = z.string().min(1).describe('Id of the project, or its path, such as group/project');
const iid = z.int().min(1).describe('Number of the issue in its project, as in its address');
const description = z.string().max(1_048_576).describe('Markdown').optional();
const labels = z.array(z.string()).max(100);
const assignee_ids = z.array(z.int().min(0)).describe('Ids of users; all who are assigned').optional();
const milestone_id = z.int().min(0).describe('The id, not the number, of a milestone').optional();
const due_date = z.iso.date().optional();
const confidential = z.boolean().describe('Shown to members only').optional();
const reading: NeededScope[] = [['read_api', 'api']];
const paging = { style: 'link', items: '' } as const;
const keptIssue = [
  ...['iid', 'project_id', 'title', 'state', 'description', 'labels', 'author.username'],
  ...['assignees.username', 'milestone.title', 'due_date', 'confidential', 'user_notes_count', 'web_url'],
  ...['created_at', 'updated_at'],
];

export const gitlab = defineProvider({
  name: 'gitlab',
  title: 'GitLab',
  description: 'Find projects, and work with issues, labels and milestones, of GitLab.',
  category: 'development',
  baseUrl: 'https://gitlab.com/api/v4',
  listFormat: 'comma',
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://gitlab.com/oauth/authorize',
      tokenUrl: 'https://gitlab.com/oauth/token',
      scopes: [],
      clientAuthentication: 'post',
    },
    hint: 'A personal, group or project access token with the scope api.',
  },
  setup: [
    'For a token: open **Preferences**, *Access tokens*, and add one with the scope `api` (or `read_api`, to read only).',
    'For OAuth: open **Preferences**, *Applications*, and add a confidential application.',
  ],
  verify: { request: 'GET /user', account: ['username'] },
  // https://docs.gitlab.com/user/gitlab_com/#rate-limits-on-gitlabcom
  rateLimit: { tokensPerMinute: 2000 },
  throttle: { wait: [{ header: 'ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['message', 'error_description', 'error'], details: ['message'] },
  operations: {
    listProjects: {
      description:
        'List or search projects, by default those that the user is a member of. Returns the ids and paths that the other tools need.',
      input: z.strictObject({
        search: z.string().describe('Words of the name or path').optional(),
        membership: z.boolean().default(true).describe('false: all projects that can be seen'),
        owned: z.boolean().optional(),
        starred: z.boolean().optional(),
        archived: z.boolean().optional(),
        order_by: z.enum(['created_at', 'last_activity_at', 'name']).optional(),
        sort: z.enum(['asc', 'desc']).optional(),
      }),
      request: 'GET /projects',
      fixed: { simple: true },
      effect: 'read_only',
      scopes: reading,
      paging,
      keep: [
        ...['id', 'name', 'path_with_namespace', 'description', 'default_branch', 'web_url'],
        'last_activity_at',
      ],
    },
    listIssues: {
      description:
        'List or search the issues of a project, newest first. Returns numbers, titles, states and labels, not the comments.',
      input: z.strictObject({
        id,
        state: z.enum(['opened', 'closed', 'all']).default('opened'),
        search: z.string().describe('Words of the title or description').optional(),
        labels: labels.describe('Only issues with all of these').optional(),
        milestone: z.string().describe('A title, None or Any').optional(),
        assignee_username: z.string().optional(),
        author_username: z.string().optional(),
        created_after: z.iso.datetime().optional(),
        updated_after: z.iso.datetime().optional(),
        order_by: z.enum(['created_at', 'updated_at', 'due_date', 'priority']).optional(),
        sort: z.enum(['asc', 'desc']).optional(),
      }),
      request: 'GET /projects/{id}/issues',
      effect: 'read_only',
      scopes: reading,
      paging,
      keep: keptIssue,
    },
    getIssue: {
      description:
        'Get one issue by its number in the project, with its whole description. Does not return its comments.',
      input: z.strictObject({ id, iid }),
      request: 'GET /projects/{id}/issues/{iid}',
      effect: 'read_only',
      scopes: reading,
      keep: keptIssue,
    },
    createIssue: {
      description:
        'Open a new issue in a project. Returns its number and address. Does not check whether there is a similar one.',
      input: z.strictObject({
        id,
        title: z.string().min(1).max(255),
        description,
        labels: labels.describe('Names; those that do not exist are created').optional(),
        assignee_ids,
        milestone_id,
        due_date,
        confidential,
        issue_type: z.enum(['issue', 'incident', 'test_case']).optional(),
      }),
      request: 'POST /projects/{id}/issues',
      effect: 'unsafe',
      scopes: ['api'],
      rateLimit: { tokensPerMinute: 200 },
      keep: ['id', 'iid', 'title', 'state', 'web_url', 'created_at'],
    },
    updateIssue: {
      description:
        'Change fields of an issue, close it or open it again. Fields that are not given stay. Returns the issue; does not comment.',
      input: z.strictObject({
        id,
        iid,
        title: z.string().min(1).max(255).optional(),
        description,
        state_event: z.enum(['close', 'reopen']).optional(),
        labels: labels.describe('All labels that the issue is to have').optional(),
        add_labels: labels.describe('More labels').optional(),
        assignee_ids,
        milestone_id,
        due_date,
        confidential,
        discussion_locked: z.boolean().optional(),
      }),
      request: 'PUT /projects/{id}/issues/{iid}',
      effect: 'idempotent',
      scopes: ['api'],
      keep: keptIssue,
    },
    deleteIssue: {
      description:
        'Delete an issue with its comments for good, which only owners of a project may. To close it, use updateIssue.',
      input: z.strictObject({ id, iid }),
      request: 'DELETE /projects/{id}/issues/{iid}',
      effect: 'idempotent',
      scopes: ['api'],
    },
    listLabels: {
      description:
        'List the labels of a project and of its groups, with descriptions. Use it before labels are set on an issue.',
      input: z.strictObject({
        id,
        search: z.string().describe('Words of the name').optional(),
        with_counts: z.boolean().describe('With the numbers of issues').optional(),
        include_ancestor_groups: z.boolean().optional(),
      }),
      request: 'GET /projects/{id}/labels',
      effect: 'read_only',
      scopes: reading,
      paging,
      keep: ['id', 'name', 'description', 'color', 'priority', 'is_project_label'],
    },
    createMilestone: {
      description:
        'Create a milestone in a project, with dates if wanted. Returns its id, which issues need. Does not put issues into it.',
      input: z.strictObject({
        id,
        title: z.string().min(1).max(255),
        description: z.string().max(4000).describe('Markdown').optional(),
        start_date: z.iso.date().optional(),
        due_date,
      }),
      request: 'POST /projects/{id}/milestones',
      query: ['title', 'description', 'start_date', 'due_date'],
      effect: 'unsafe',
      scopes: ['api'],
      keep: ['id', 'iid', 'title', 'state', 'start_date', 'due_date', 'web_url'],
    },
  },
});
