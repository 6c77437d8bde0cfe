import type { ProviderRequests } from './request-case.ts';

const id = 'kitchen/kettle';

export const gitlabRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listProjects: {
      input: { search: 'kettle', archived: false, sort: 'asc', max_items: 10 },
      method: 'GET',
      target: '/projects?simple=true&search=kettle&membership=true&archived=false&sort=asc',
    },
    listIssues: {
      input: { id, labels: ['bug', 'help wanted'], created_after: '2026-01-02T03:04:05Z' },
      method: 'GET',
      target:
        '/projects/kitchen%2Fkettle/issues?state=opened&labels=bug%2Chelp+wanted' +
        '&created_after=2026-01-02T03%3A04%3A05Z',
    },
    getIssue: { input: { id: '42', iid: 7 }, method: 'GET', target: '/projects/42/issues/7' },
    createIssue: {
      input: { id, title: 'It leaks', description: 'From the lid.', labels: ['bug'], assignee_ids: [3] },
      method: 'POST',
      target: '/projects/kitchen%2Fkettle/issues',
      body: '{"title":"It leaks","description":"From the lid.","labels":["bug"],"assignee_ids":[3]}',
    },
    updateIssue: {
      input: { id, iid: 7, state_event: 'close', add_labels: ['done'], due_date: '2026-03-01' },
      method: 'PUT',
      target: '/projects/kitchen%2Fkettle/issues/7',
      body: '{"state_event":"close","add_labels":["done"],"due_date":"2026-03-01"}',
    },
    deleteIssue: {
      input: { id, iid: 7 },
      method: 'DELETE',
      target: '/projects/kitchen%2Fkettle/issues/7',
      destructive: true,
    },
    listLabels: {
      input: { id, with_counts: true },
      method: 'GET',
      target: '/projects/kitchen%2Fkettle/labels?with_counts=true',
    },
    createMilestone: {
      input: { id, title: 'Spring & tea', due_date: '2026-05-31' },
      method: 'POST',
      target: '/projects/kitchen%2Fkettle/milestones?title=Spring+%26+tea&due_date=2026-05-31',
    },
  },
};
