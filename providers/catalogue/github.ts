import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../src/domain/json.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const owner = z.string().min(1).max(100).describe('The account that owns the repository');
const repo = z.string().min(1).max(100).describe('The name of the repository');
const path = z.string().min(1).max(4096).describe('Path of the file in the repository');
const branch = z.string().min(1).describe('Without it the default branch').optional();
const sha = z.string().min(1).describe('Blob sha of the file as it is now, from getContents');
const message = z.string().min(1).describe('The commit message');
const person = z.strictObject({ name: z.string(), email: z.email() }).optional();
const paging = { style: 'link', items: '', size: { field: 'per_page', max: 100 } } as const;

export const github = defineProvider({
  name: 'github',
  title: 'GitHub',
  description: 'Work with issues, pull requests, code and files of GitHub repositories.',
  category: 'development',
  baseUrl: 'https://api.github.com',
  headers: {
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
    'User-Agent': 'holdfast',
  },
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    oauth: {
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      scopes: [],
      clientAuthentication: 'post',
    },
    hint: 'A fine-grained personal access token with access to the repositories.',
  },
  setup: [
    'For a token: open **Settings**, *Developer settings*, *Personal access tokens*, *Fine-grained tokens*. Choose the repositories, with *Read and write* for Issues, Pull requests and Contents, or *Read* where agents should only look.',
    'For OAuth: open **Settings**, *Developer settings*, *OAuth Apps*, and register an app. Copy its client id, and a new client secret.',
  ],
  verify: { request: 'GET /user', account: ['login'] },
  // 5,000 an hour: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
  rateLimit: { tokensPerMinute: 83 },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['message'], details: ['errors'] },
  operations: {
    listIssues: {
      description:
        'List the issues of a repository, newest first, with numbers, titles and labels. Pull requests are among them; to find issues by words, use other tools.',
      input: z.strictObject({
        owner,
        repo,
        state: z.enum(['open', 'closed', 'all']).default('open'),
        labels: z.string().describe('Names of labels, comma-separated').optional(),
        assignee: z.string().describe('A login, none or *').optional(),
        creator: z.string().optional(),
        milestone: z.string().describe('A number, none or *').optional(),
        since: z.iso.datetime().describe('Only what was updated after this').optional(),
        sort: z.enum(['created', 'updated', 'comments']).optional(),
        direction: z.enum(['asc', 'desc']).optional(),
      }),
      request: 'GET /repos/{owner}/{repo}/issues',
      effect: 'read_only',
      scopes: ['repo'],
      paging,
      keep: [
        ...['number', 'title', 'state', 'body', 'user.login', 'labels.name', 'assignees.login'],
        ...['milestone.title', 'comments', 'pull_request.url', 'html_url', 'created_at', 'updated_at'],
      ],
    },
    createIssue: {
      description:
        'Open a new issue in a repository. Returns its number and address. Does not check whether there is a similar one.',
      input: z.strictObject({
        owner,
        repo,
        title: z.string().min(1).max(256),
        body: z.string().max(65_536).describe('Markdown').optional(),
        labels: z.array(z.string()).max(100).optional(),
        assignees: z.array(z.string()).max(10).describe('Logins').optional(),
        milestone: z.int().min(1).describe('Number of the milestone').optional(),
      }),
      request: 'POST /repos/{owner}/{repo}/issues',
      effect: 'unsafe',
      scopes: ['repo'],
      keep: ['id', 'number', 'title', 'state', 'html_url', 'created_at'],
    },
    createIssueComment: {
      description:
        'Comment on an issue or a pull request. Returns the id and address of the comment. Does not change the state.',
      input: z.strictObject({
        owner,
        repo,
        issue_number: z.int().min(1),
        body: z.string().min(1).max(65_536).describe('Markdown'),
      }),
      request: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      effect: 'unsafe',
      scopes: ['repo'],
      keep: ['id', 'html_url', 'created_at'],
    },
    listPullRequests: {
      description:
        'List the pull requests of a repository, with branches and state. Does not return the changed files.',
      input: z.strictObject({
        owner,
        repo,
        state: z.enum(['open', 'closed', 'all']).default('open'),
        head: z.string().describe('Only from this branch, as owner:branch').optional(),
        base: z.string().describe('Only into this branch').optional(),
        sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
        direction: z.enum(['asc', 'desc']).optional(),
      }),
      request: 'GET /repos/{owner}/{repo}/pulls',
      effect: 'read_only',
      scopes: ['repo'],
      paging,
      keep: [
        ...['number', 'title', 'state', 'draft', 'body', 'user.login', 'head.label', 'base.ref'],
        ...['labels.name', 'html_url', 'created_at', 'merged_at'],
      ],
    },
    searchCode: {
      description:
        'Search code in default branches, with qualifiers such as repo:owner/name and language:go. Returns paths; read the files with getContents.',
      input: z.strictObject({ q: z.string().min(1).max(256) }),
      request: 'GET /search/code',
      effect: 'read_only',
      scopes: ['repo'],
      paging: { ...paging, items: 'items' },
      keep: ['name', 'path', 'sha', 'html_url', 'repository.full_name'],
      rateLimit: { tokensPerMinute: 10 },
    },
    getContents: {
      description:
        'Read a text file, or list a directory, of a repository. Returns the text and the blob sha that changes need.',
      input: z.strictObject({
        owner,
        repo,
        path,
        ref: z.string().describe('Branch, tag or commit; without it the default branch').optional(),
      }),
      request: 'GET /repos/{owner}/{repo}/contents/{+path}',
      effect: 'read_only',
      scopes: ['repo'],
      mapAnswer: decodeContent,
    },
    // Not idempotent: a repeated commit is refused as a conflict, which hides that the first one succeeded.
    createOrUpdateFile: {
      description:
        'Create a file, or replace it as a whole, with a commit. Replacing needs the blob sha from getContents. Returns the commit.',
      input: z.strictObject({
        owner,
        repo,
        path,
        message,
        content: z.string().describe('The whole text of the file'),
        sha: sha.describe('Only when the file exists: its blob sha from getContents').optional(),
        branch,
        committer: person,
        author: person,
      }),
      request: ({ owner, repo, path, content, ...rest }) => ({
        method: 'PUT',
        path: fillPath('/repos/{owner}/{repo}/contents/{+path}', { owner, repo, path }),
        body: { ...rest, content: Buffer.from(content).toString('base64') },
      }),
      effect: 'unsafe',
      scopes: ['repo'],
      keep: ['content.path', 'content.sha', 'commit.sha', 'commit.html_url'],
    },
    deleteFile: {
      description:
        'Delete one file of a repository with a commit. Needs the blob sha from getContents. Returns the commit.',
      input: z.strictObject({ owner, repo, path, message, sha, branch }),
      request: 'DELETE /repos/{owner}/{repo}/contents/{+path}',
      query: [],
      effect: 'unsafe',
      scopes: ['repo'],
      keep: ['commit.sha', 'commit.html_url'],
    },
  },
});

/** Decodes the base64 of a text file for the model; other files stay as they are. */
function decodeContent(answer: JsonValue): JsonValue {
  if (!isJsonObject(answer) || answer.encoding !== 'base64' || typeof answer.content !== 'string')
    return answer;
  try {
    const bytes = Buffer.from(answer.content, 'base64');
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ...answer, content, encoding: 'utf-8' };
  } catch {
    return answer;
  }
}
