import type { ProviderRequests } from './request-case.ts';

const repository = { owner: 'octo', repo: 'kettle' };

export const githubRequests: ProviderRequests = {
  headers: {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'holdfast',
  },
  contentType: 'application/json',
  cases: {
    listIssues: {
      input: { ...repository, labels: 'bug,ui', since: '2026-01-02T03:04:05Z', max_items: 10 },
      method: 'GET',
      target:
        '/repos/octo/kettle/issues?state=open&labels=bug%2Cui&since=2026-01-02T03%3A04%3A05Z&per_page=10',
    },
    createIssue: {
      input: { ...repository, title: 'It leaks', body: 'From the lid.', labels: ['bug'], milestone: 3 },
      method: 'POST',
      target: '/repos/octo/kettle/issues',
      body: '{"title":"It leaks","body":"From the lid.","labels":["bug"],"milestone":3}',
    },
    createIssueComment: {
      input: { ...repository, issue_number: 12, body: 'Seen it too.' },
      method: 'POST',
      target: '/repos/octo/kettle/issues/12/comments',
      body: '{"body":"Seen it too."}',
    },
    listPullRequests: {
      input: { ...repository, state: 'all', base: 'main', sort: 'long-running', continue_from: 'page=2' },
      method: 'GET',
      target: '/repos/octo/kettle/pulls?page=2',
    },
    searchCode: {
      input: { q: 'boil repo:octo/kettle' },
      method: 'GET',
      target: '/search/code?q=boil+repo%3Aocto%2Fkettle&per_page=100',
    },
    getContents: {
      input: { ...repository, path: 'docs/how to.md', ref: 'main' },
      method: 'GET',
      target: '/repos/octo/kettle/contents/docs/how%20to.md?ref=main',
    },
    createOrUpdateFile: {
      input: { ...repository, path: 'docs/tea.md', message: 'Add tea', content: 'Té\n', branch: 'main' },
      method: 'PUT',
      target: '/repos/octo/kettle/contents/docs/tea.md',
      body: '{"message":"Add tea","branch":"main","content":"VMOpCg=="}',
    },
    deleteFile: {
      destructive: true,
      input: {
        ...repository,
        path: 'docs/tea.md',
        message: 'No tea',
        sha: '3b18e512dba79e4c8300dd08aeb37f8e',
      },
      method: 'DELETE',
      target: '/repos/octo/kettle/contents/docs/tea.md',
      body: '{"message":"No tea","sha":"3b18e512dba79e4c8300dd08aeb37f8e"}',
    },
  },
};
