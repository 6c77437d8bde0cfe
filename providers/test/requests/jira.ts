import type { ProviderRequests } from './request-case.ts';

const issueIdOrKey = 'TEA-7';
const doc = (text: string) =>
  `{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"${text}"}]}]}`;

export const jiraRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    searchIssues: {
      input: { jql: 'project = TEA', max_items: 20 },
      method: 'POST',
      target: '/search/jql',
      body:
        '{"fields":["summary","status","issuetype","priority","assignee","reporter","labels","parent","project",' +
        '"duedate","created","updated","resolution"],"jql":"project = TEA","maxResults":20}',
    },
    getIssue: {
      input: { issueIdOrKey, fields: ['summary', 'comment'] },
      method: 'GET',
      target: '/issue/TEA-7?fields=summary%2Ccomment',
    },
    createIssue: {
      input: {
        project: { key: 'TEA' },
        issuetype: { name: 'Bug' },
        summary: 'It leaks',
        description: 'From the lid.',
        labels: ['kettle'],
        fields: { customfield_10010: 5 },
      },
      method: 'POST',
      target: '/issue',
      body:
        '{"fields":{"project":{"key":"TEA"},"issuetype":{"name":"Bug"},"summary":"It leaks","labels":["kettle"],' +
        `"description":${doc('From the lid.')},"customfield_10010":5}}`,
    },
    updateIssue: {
      input: { issueIdOrKey, summary: 'It drips', assignee: null, priority: { name: 'High' } },
      method: 'PUT',
      target: '/issue/TEA-7',
      body: '{"fields":{"summary":"It drips","assignee":null,"priority":{"name":"High"}}}',
    },
    addComment: {
      input: { issueIdOrKey, body: 'Seen it too.' },
      method: 'POST',
      target: '/issue/TEA-7/comment',
      body: `{"body":${doc('Seen it too.')}}`,
    },
    listTransitions: { input: { issueIdOrKey }, method: 'GET', target: '/issue/TEA-7/transitions' },
    transitionIssue: {
      input: { issueIdOrKey, transition: { id: '31' }, fields: { resolution: { name: 'Done' } } },
      method: 'POST',
      target: '/issue/TEA-7/transitions',
      body: '{"transition":{"id":"31"},"fields":{"resolution":{"name":"Done"}}}',
    },
    deleteIssue: {
      input: { issueIdOrKey, deleteSubtasks: true },
      method: 'DELETE',
      target: '/issue/TEA-7?deleteSubtasks=true',
      destructive: true,
    },
  },
};
