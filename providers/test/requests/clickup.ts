import type { ProviderRequests } from './request-case.ts';

const task = '/task/9hv7x1';
const task_id = '9hv7x1';

export const clickupRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listWorkspaces: { input: {}, method: 'GET', target: '/team' },
    listSpaces: {
      input: { team_id: '512', archived: false },
      method: 'GET',
      target: '/team/512/space?archived=false',
    },
    listFolders: { input: { space_id: '789' }, method: 'GET', target: '/space/789/folder' },
    listLists: { input: { space_id: '789' }, method: 'GET', target: '/space/789/list' },
    listTasks: {
      input: { list_id: '124', statuses: ['to do', 'in progress'], include_closed: true },
      method: 'GET',
      target: '/list/124/task?statuses%5B%5D=to+do&statuses%5B%5D=in+progress&include_closed=true',
      answer: { tasks: [] },
    },
    findTasks: {
      input: { team_id: '512', space_ids: ['789'], assignees: ['183'], continue_from: '2' },
      method: 'GET',
      target: '/team/512/task?space_ids%5B%5D=789&assignees%5B%5D=183&page=2',
      answer: { tasks: [] },
    },
    getTask: {
      input: { task_id },
      method: 'GET',
      target: `${task}?include_subtasks=true&include_markdown_description=true`,
    },
    createTask: {
      input: {
        list_id: '124',
        name: 'Buy tea',
        markdown_content: '**Green**',
        priority: 2,
        due_date: 1772352000000,
        assignees: [183],
      },
      method: 'POST',
      target: '/list/124/task',
      body: '{"name":"Buy tea","markdown_content":"**Green**","priority":2,"due_date":1772352000000,"assignees":[183]}',
    },
    updateTask: {
      input: { task_id, status: 'done', assignees: { add: [182], rem: [183] } },
      method: 'PUT',
      target: task,
      body: '{"status":"done","assignees":{"add":[182],"rem":[183]}}',
    },
    deleteTask: { destructive: true, input: { task_id }, method: 'DELETE', target: task },
    listComments: { input: { task_id }, method: 'GET', target: `${task}/comment` },
    addComment: {
      input: { task_id, comment_text: 'Which sort?', assignee: 183 },
      method: 'POST',
      target: `${task}/comment`,
      body: '{"comment_text":"Which sort?","assignee":183,"notify_all":false}',
    },
  },
};
