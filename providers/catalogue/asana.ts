import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const task_gid = z.string().min(1).describe('Id of the task, as in its address');
const workspace = z.string().min(1).describe('Id of the workspace');
const ids = z.string().describe('Ids with commas between; for people also me').optional();
const name = z.string().min(1);
const notes = z.string().describe('The description, as plain text').optional();
const assignee = z
  .string()
  .nullable()
  .describe('Id or e-mail address of a user, me, or null for nobody')
  .optional();
const due_on = z.iso.date().nullable().describe('null for no date').optional();
const due_at = z.iso.datetime().nullable().describe('Instead of due_on, a date with a time').optional();
const start_on = z.iso.date().nullable().describe('Needs a due date, too').optional();
const custom_fields = z.record(z.string(), z.json()).describe('Values by the id of the field').optional();
const shown =
  'name,completed,completed_at,assignee.name,due_on,due_at,projects.name,permalink_url,modified_at';
const listed = { opt_fields: shown };
const whole = { opt_fields: `${shown},notes,created_at,parent.name,tags.name,followers.name,num_subtasks` };
const keptTask = ['gid', 'name', 'completed', 'due_on', 'permalink_url'];
const paging = {
  style: 'cursor',
  field: 'offset',
  next: 'next_page.offset',
  items: 'data',
  size: { field: 'limit', max: 100 },
} as const;

export const asana = defineProvider({
  name: 'asana',
  title: 'Asana',
  description: 'Find, create and complete tasks of Asana, and comment on them.',
  category: 'productivity',
  baseUrl: 'https://app.asana.com/api/1.0',
  listFormat: 'comma',
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
      tokenUrl: 'https://app.asana.com/-/oauth_token',
      scopes: ['users:read'],
      clientAuthentication: 'post',
    },
    hint: 'A personal access token of the Asana developer console.',
  },
  setup: [
    'For a token: open the [developer console](https://app.asana.com/0/my-apps), create a *personal access token* and copy it.',
    'For OAuth: create an *app* there, and choose scopes instead of full permissions.',
  ],
  verify: { request: 'GET /users/me', account: ['data.name', 'data.email'] },
  // Of a free account: https://developers.asana.com/docs/rate-limits
  rateLimit: { tokensPerMinute: 150 },
  errors: { message: ['errors.0.message', 'error_description'] },
  operations: {
    searchTasks: {
      description:
        'Find tasks of a workspace by words, people, projects or dates. Returns the first matches only. Needs a paid Asana; a change may take a minute to be found.',
      input: z.strictObject({
        workspace_gid: workspace,
        text: z.string().describe('Words of the name or description').optional(),
        assignees: ids,
        projects: ids,
        tags: ids,
        completed: z.boolean().optional(),
        due_before: z.iso.date().optional(),
        due_after: z.iso.date().optional(),
        modified_after: z.iso.datetime().optional(),
        is_blocked: z.boolean().optional(),
        sort_by: z
          .enum(['due_date', 'created_at', 'completed_at', 'likes', 'modified_at', 'relevance'])
          .optional(),
        sort_ascending: z.boolean().optional(),
      }),
      request: 'GET /workspaces/{workspace_gid}/tasks/search',
      rename: {
        assignees: 'assignee.any',
        projects: 'projects.any',
        tags: 'tags.any',
        due_before: 'due_on.before',
        due_after: 'due_on.after',
        modified_after: 'modified_at.after',
      },
      fixed: listed,
      effect: 'read_only',
      scopes: [['tasks:read', 'default']],
      // The search has separate limits.
      rateLimit: { tokensPerMinute: 60 },
      result: 'data',
    },
    listProjectTasks: {
      description:
        'List the tasks of a project in its order, with people and dates. Done tasks are left out if completed_since is now.',
      input: z.strictObject({
        project_gid: z.string().min(1).describe('Id of the project, from listProjects'),
        completed_since: z
          .string()
          .describe('now, or an ISO 8601 time: open tasks and those done since')
          .optional(),
      }),
      request: 'GET /projects/{project_gid}/tasks',
      fixed: listed,
      effect: 'read_only',
      scopes: [['tasks:read', 'default']],
      paging,
    },
    getTask: {
      description:
        'Get one task with its description, people, dates, projects and parent. Does not return its comments or subtasks.',
      input: z.strictObject({ task_gid }),
      request: 'GET /tasks/{task_gid}',
      fixed: whole,
      effect: 'read_only',
      scopes: [['tasks:read', 'default']],
      result: 'data',
    },
    createTask: {
      description:
        'Create a task in projects, beneath another task, or in a workspace. Returns its id and address. The assignee is told.',
      input: z.strictObject({
        name,
        notes,
        projects: z
          .array(z.string())
          .describe('Ids; one of projects, parent and workspace is needed')
          .optional(),
        parent: z.string().describe('Id of the task that it is a subtask of').optional(),
        workspace: workspace.optional(),
        assignee,
        due_on,
        due_at,
        start_on,
        tags: z.array(z.string()).describe('Ids').optional(),
        followers: z.array(z.string()).describe('Ids or e-mail addresses').optional(),
        custom_fields,
      }),
      request: 'POST /tasks',
      fixed: listed,
      query: ['opt_fields'],
      wrap: 'data',
      effect: 'unsafe',
      scopes: [['tasks:write', 'default']],
      result: 'data',
      keep: keptTask,
    },
    updateTask: {
      description:
        'Change fields of a task, or complete it; fields that are not given stay. Does not move it between projects.',
      input: z.strictObject({
        task_gid,
        name: name.optional(),
        notes,
        completed: z.boolean().optional(),
        assignee,
        due_on,
        due_at,
        start_on,
        custom_fields,
      }),
      request: 'PUT /tasks/{task_gid}',
      fixed: listed,
      query: ['opt_fields'],
      wrap: 'data',
      effect: 'idempotent',
      scopes: [['tasks:write', 'default']],
      result: 'data',
      keep: keptTask,
    },
    addComment: {
      description:
        'Comment on a task; its followers are told. Returns the id of the comment. Does not change the task.',
      input: z.strictObject({
        task_gid,
        text: z.string().min(1).describe('Plain text'),
        is_pinned: z.boolean().optional(),
      }),
      request: 'POST /tasks/{task_gid}/stories',
      wrap: 'data',
      effect: 'unsafe',
      scopes: [['stories:write', 'default']],
      result: 'data',
      keep: ['gid', 'created_at', 'text'],
    },
    deleteTask: {
      description:
        'Delete a task. It stays in the trash of the user for 30 days. To mark it as done, use updateTask.',
      input: z.strictObject({ task_gid }),
      request: 'DELETE /tasks/{task_gid}',
      effect: 'idempotent',
      scopes: [['tasks:delete', 'default']],
    },
    listProjects: {
      description:
        'List the projects of a workspace, with the ids that the other tools need. Returns no tasks.',
      input: z.strictObject({ workspace: workspace.optional(), archived: z.boolean().optional() }),
      request: 'GET /projects',
      fixed: { opt_fields: 'name,archived,workspace.name,permalink_url' },
      effect: 'read_only',
      scopes: [['projects:read', 'default']],
      paging,
    },
  },
});
