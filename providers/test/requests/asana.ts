import type { ProviderRequests } from './request-case.ts';

const task_gid = '1201';
const fields =
  'name%2Ccompleted%2Ccompleted_at%2Cassignee.name%2Cdue_on%2Cdue_at%2Cprojects.name%2Cpermalink_url%2Cmodified_at';

export const asanaRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    searchTasks: {
      input: {
        workspace_gid: '15',
        text: 'tea',
        assignees: 'me,1300',
        due_before: '2026-03-01',
        completed: false,
      },
      method: 'GET',
      target:
        `/workspaces/15/tasks/search?opt_fields=${fields}&text=tea&assignee.any=me%2C1300` +
        '&completed=false&due_on.before=2026-03-01',
    },
    listProjectTasks: {
      input: { project_gid: '1331', completed_since: 'now', max_items: 20 },
      method: 'GET',
      target: `/projects/1331/tasks?opt_fields=${fields}&completed_since=now&limit=20`,
    },
    getTask: {
      input: { task_gid },
      method: 'GET',
      target: `/tasks/1201?opt_fields=${fields}%2Cnotes%2Ccreated_at%2Cparent.name%2Ctags.name%2Cfollowers.name%2Cnum_subtasks`,
    },
    createTask: {
      input: {
        name: 'Buy tea',
        projects: ['1331'],
        assignee: 'me',
        due_on: '2026-03-01',
        custom_fields: { '55': 'green' },
      },
      method: 'POST',
      target: `/tasks?opt_fields=${fields}`,
      body: '{"data":{"name":"Buy tea","projects":["1331"],"assignee":"me","due_on":"2026-03-01","custom_fields":{"55":"green"}}}',
    },
    updateTask: {
      input: { task_gid, completed: true, assignee: null },
      method: 'PUT',
      target: `/tasks/1201?opt_fields=${fields}`,
      body: '{"data":{"completed":true,"assignee":null}}',
    },
    addComment: {
      input: { task_gid, text: 'Bought.' },
      method: 'POST',
      target: '/tasks/1201/stories',
      body: '{"data":{"text":"Bought."}}',
    },
    deleteTask: { input: { task_gid }, method: 'DELETE', target: '/tasks/1201', destructive: true },
    listProjects: {
      input: { workspace: '15', archived: false, continue_from: 'eyJ0' },
      method: 'GET',
      target:
        '/projects?opt_fields=name%2Carchived%2Cworkspace.name%2Cpermalink_url&workspace=15&archived=false&limit=100&offset=eyJ0',
    },
  },
};
