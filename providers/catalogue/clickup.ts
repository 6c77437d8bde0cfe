import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const team_id = z.string().min(1).describe('Id of the workspace, from listWorkspaces');
const space_id = z.string().min(1).describe('Id of the space, from listSpaces');
const list_id = z.string().min(1).describe('Id of the list, from listFolders or listLists');
const task_id = z.string().min(1).describe('Id of the task, such as 9hv7x1');
const milliseconds = z.int().min(0).describe('Milliseconds since 1970 (Unix time)').optional();
const priority = z.int().min(1).max(4).describe('1 is urgent, 4 is low').optional();
const ids = (description: string) => z.array(z.int()).describe(description).optional();
const taskFields = {
  markdown_content: z.string().describe('The description as Markdown').optional(),
  status: z.string().describe('The name of a status of the list').optional(),
  priority,
  due_date: milliseconds,
  start_date: milliseconds,
};
const taskFilter = {
  statuses: z.array(z.string()).describe('Only with these statuses').optional(),
  assignees: z.array(z.string()).describe('Only of these user ids').optional(),
  tags: z.array(z.string()).describe('Only with these tags').optional(),
  include_closed: z.boolean().optional(),
  subtasks: z.boolean().describe('With subtasks').optional(),
  due_date_gt: milliseconds,
  due_date_lt: milliseconds,
  order_by: z.enum(['id', 'created', 'updated', 'due_date']).optional(),
};
// A page has 100 tasks, and its size cannot be chosen.
const paging = { style: 'page', field: 'page', first: 0, items: 'tasks', last: 'last_page' } as const;
const scopes: string[] = [];
const keptTask = [
  ...['id', 'name', 'text_content', 'status.status', 'priority.priority', 'assignees.id'],
  ...['assignees.username', 'tags.name', 'due_date', 'start_date', 'list.id', 'list.name', 'parent'],
  ...['date_updated', 'url'],
];
const listFields = ['id', 'name', 'task_count', 'archived'];

/** Its OAuth has no scopes: people choose the workspaces that an app may use. */
export const clickup = defineProvider({
  name: 'clickup',
  title: 'ClickUp',
  description: 'Find, create, change and discuss tasks in ClickUp workspaces.',
  category: 'productivity',
  baseUrl: 'https://api.clickup.com/api/v2',
  listFormat: 'brackets',
  auth: {
    types: ['api_key', 'oauth2_authorization_code'],
    apiKey: { header: 'Authorization' },
    oauth: {
      authorizationUrl: 'https://app.clickup.com/api',
      tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
      scopes: [],
      clientAuthentication: 'post',
    },
    hint: 'A personal API token (pk_…) of the settings of an account.',
  },
  setup: [
    'In ClickUp, open your avatar, *Settings*, *Apps* (or *ClickUp API*), and generate a personal API token.',
    'For OAuth, an owner or admin creates an app on the same page instead.',
  ],
  unverified: '2025-09-04',
  verify: { request: 'GET /user', account: ['user.username', 'user.email'] },
  // 100 a minute for each token on the smaller plans: https://developer.clickup.com/docs/rate-limits
  rateLimit: { tokensPerMinute: 100 },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['err'], details: ['ECODE'] },
  operations: {
    listWorkspaces: {
      description:
        'List the workspaces (in the API: teams) of the account with ids and members. Begin here: the other lists need these ids.',
      input: z.strictObject({}),
      request: 'GET /team',
      effect: 'read_only',
      scopes,
      result: 'teams',
      keep: ['id', 'name', 'members.user.id', 'members.user.username', 'members.user.email'],
    },
    listSpaces: {
      description:
        'List the spaces of a workspace with ids and their statuses. Does not return folders and lists.',
      input: z.strictObject({ team_id, archived: z.boolean().optional() }),
      request: 'GET /team/{team_id}/space',
      effect: 'read_only',
      scopes,
      result: 'spaces',
      keep: ['id', 'name', 'private', 'statuses.status'],
    },
    listFolders: {
      description:
        'List the folders of a space, each with its lists and their ids. Lists outside of folders come from listLists.',
      input: z.strictObject({ space_id, archived: z.boolean().optional() }),
      request: 'GET /space/{space_id}/folder',
      effect: 'read_only',
      scopes,
      result: 'folders',
      keep: [...listFields, ...listFields.map((field) => `lists.${field}`)],
    },
    listLists: {
      description: 'List the lists of a space that are in no folder. Lists in folders come from listFolders.',
      input: z.strictObject({ space_id, archived: z.boolean().optional() }),
      request: 'GET /space/{space_id}/list',
      effect: 'read_only',
      scopes,
      result: 'lists',
      keep: listFields,
    },
    listTasks: {
      description:
        'List the tasks of one list, by status, assignee, tag or date. Returns ids, states and dates, not comments. For a whole workspace, use findTasks.',
      input: z.strictObject({ list_id, ...taskFilter }),
      request: 'GET /list/{list_id}/task',
      effect: 'read_only',
      scopes,
      paging,
      keep: keptTask,
    },
    findTasks: {
      description:
        'List tasks of a whole workspace, by space, list, status, assignee, tag or date. Returns ids, states and dates. Does not search for words.',
      input: z.strictObject({
        team_id,
        space_ids: z.array(z.string()).describe('Only in these spaces').optional(),
        list_ids: z.array(z.string()).describe('Only in these lists').optional(),
        ...taskFilter,
      }),
      request: 'GET /team/{team_id}/task',
      effect: 'read_only',
      scopes,
      paging,
      keep: keptTask,
    },
    getTask: {
      description:
        'Get one task with its description, state, people and subtasks. Its comments come from listComments.',
      input: z.strictObject({ task_id }),
      request: 'GET /task/{task_id}',
      fixed: { include_subtasks: true, include_markdown_description: true },
      effect: 'read_only',
      scopes,
      keep: [...keptTask, 'markdown_description', 'subtasks.id', 'subtasks.name', 'subtasks.status.status'],
    },
    createTask: {
      description:
        'Create a task in a list, or a subtask with parent. Returns it with its id and address. Does not check whether there is a similar one.',
      input: z.strictObject({
        list_id,
        name: z.string().min(1),
        ...taskFields,
        assignees: ids('Ids of users'),
        tags: z.array(z.string()).optional(),
        parent: task_id.describe('The task that it is a subtask of').optional(),
        notify_all: z.boolean().describe('Notify the creator, too').optional(),
      }),
      request: 'POST /list/{list_id}/task',
      effect: 'unsafe',
      scopes,
      keep: keptTask,
    },
    updateTask: {
      description:
        'Change fields of a task, such as its status or its people; fields that are left out stay as they are. Returns the task. Does not move it to another list.',
      input: z.strictObject({
        task_id,
        name: z.string().min(1).optional(),
        ...taskFields,
        assignees: z
          .strictObject({ add: ids('Ids of users to add'), rem: ids('Ids of users to take off') })
          .optional(),
      }),
      request: 'PUT /task/{task_id}',
      effect: 'idempotent',
      scopes,
      keep: keptTask,
    },
    deleteTask: {
      description:
        'Delete a task with its subtasks; a person can restore it from the trash for 30 days. Returns nothing.',
      input: z.strictObject({ task_id }),
      request: 'DELETE /task/{task_id}',
      effect: 'idempotent',
      scopes,
    },
    listComments: {
      description:
        'Read the latest 25 comments of a task, newest first, with their authors. Does not return replies.',
      input: z.strictObject({ task_id }),
      request: 'GET /task/{task_id}/comment',
      effect: 'read_only',
      scopes,
      result: 'comments',
      keep: ['id', 'comment_text', 'user.id', 'user.username', 'date', 'resolved', 'reply_count'],
    },
    addComment: {
      description:
        'Comment on a task; its watchers are notified. Returns the id of the comment. Does not change the task.',
      input: z.strictObject({
        task_id,
        comment_text: z.string().min(1).describe('Plain text'),
        assignee: z.int().describe('Id of the user who has to act on it').optional(),
        notify_all: z.boolean().default(false).describe('Notify the author of the comment, too'),
      }),
      request: 'POST /task/{task_id}/comment',
      effect: 'unsafe',
      scopes,
      keep: ['id', 'date'],
    },
  },
});
