import { z } from 'zod';
import type { JsonObject } from '../../src/domain/json.ts';
import { readAtlassianDocuments, toAtlassianDocument } from '../atlassian-document.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { fillPath } from '../../src/engines/providers/request-path.ts';

const issueIdOrKey = z.string().min(1).describe('Key or id of the issue, such as TEA-7');
const summary = z.string().min(1).max(255);
const description = z
  .string()
  .max(32_767)
  .describe('Plain text; an empty line begins a paragraph')
  .optional();
const labels = z.array(z.string().regex(/^\S+$/, 'expected no spaces')).optional();
const person = z.strictObject({ accountId: z.string() }).nullable().describe('null for nobody').optional();
const priority = z.strictObject({ name: z.string() }).describe('Such as { "name": "High" }').optional();
const duedate = z.iso.date().optional();
const otherFields = z
  .looseObject({})
  .describe('More fields by id, such as customfield_10010, as Jira takes them')
  .optional();
const shownFields = [
  ...['summary', 'status', 'issuetype', 'priority', 'assignee', 'reporter', 'labels', 'parent', 'project'],
  ...['duedate', 'created', 'updated', 'resolution'],
];
const keptFields = [
  ...['id', 'key', 'fields.summary', 'fields.status.name', 'fields.issuetype.name'],
  ...['fields.priority.name', 'fields.assignee.displayName', 'fields.assignee.accountId'],
  ...['fields.reporter.displayName', 'fields.labels', 'fields.parent.key', 'fields.project.key'],
  ...['fields.duedate', 'fields.created', 'fields.updated', 'fields.resolution.name'],
];

/** The fields of an issue as the API takes them: the description is a document. */
function toFields({ description: text, fields, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(typeof text === 'string' ? { description: toAtlassianDocument(text) } : {}),
    ...(fields as JsonObject | undefined),
  };
}

export const jira = defineProvider({
  name: 'jira',
  title: 'Jira',
  description: 'Search, read, create and move issues of Jira Cloud.',
  category: 'development',
  baseUrl: 'https://{site}.atlassian.net/rest/api/3',
  variables: {
    site: { description: 'With a token: the first part of the address of your Jira', example: 'acme' },
    cloudId: {
      description: 'With OAuth: the cloudId that https://YOUR_SITE.atlassian.net/_edge/tenant_info shows',
      example: '11223344-a1b2-3b33-c444-def123456789',
    },
  },
  listFormat: 'comma',
  auth: {
    types: ['basic', 'oauth2_authorization_code'],
    basic: { username: 'E-mail address', password: 'API token' },
    oauth: {
      authorizationUrl: 'https://auth.atlassian.com/authorize',
      tokenUrl: 'https://auth.atlassian.com/oauth/token',
      // Without the first one there is no refresh token; the second one is for the test of the connection.
      scopes: ['offline_access', 'read:jira-user'],
      baseUrl: 'https://api.atlassian.com/ex/jira/{cloudId}/rest/api/3',
      parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
      clientAuthentication: 'post',
    },
    hint: 'The e-mail address of an Atlassian account and an API token of it.',
  },
  setup: [
    'For a token: open [API tokens](https://id.atlassian.com/manage-profile/security/api-tokens), create one, and use it as the password with your e-mail address.',
    'For OAuth: create an *OAuth 2.0 integration* in the [developer console](https://developer.atlassian.com/console/myapps/), and add the *Jira API*.',
  ],
  verify: { request: 'GET /myself', account: ['displayName'] },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'date' }] },
  errors: { message: ['errorMessages.0', 'message'], details: ['errorMessages', 'errors'] },
  operations: {
    searchIssues: {
      description:
        'Find issues with JQL, such as project = TEA AND status = "To Do" ORDER BY updated. Returns keys, titles and states, not the descriptions.',
      input: z.strictObject({
        jql: z.string().min(1).describe('Must limit the search, for example to a project or a time'),
      }),
      request: 'POST /search/jql',
      fixed: { fields: shownFields },
      effect: 'read_only',
      scopes: ['read:jira-work'],
      paging: {
        style: 'cursor',
        field: 'nextPageToken',
        next: 'nextPageToken',
        items: 'issues',
        size: { field: 'maxResults', max: 100 },
      },
      keep: keptFields,
    },
    getIssue: {
      description:
        'Read one issue by its key: title, description, state, people, links, subtasks and comments. To search, use searchIssues.',
      input: z.strictObject({
        issueIdOrKey,
        fields: z
          .array(z.string())
          .default([...shownFields, 'description', 'comment', 'issuelinks', 'subtasks'])
          .describe('The fields to return, also by id, such as customfield_10010'),
      }),
      request: 'GET /issue/{issueIdOrKey}',
      effect: 'read_only',
      scopes: ['read:jira-work'],
      mapAnswer: readAtlassianDocuments,
    },
    createIssue: {
      description:
        'Create an issue in a project. Returns its key. Does not check whether there is a similar one; what is required depends on the project.',
      input: z.strictObject({
        project: z.strictObject({ key: z.string().min(1) }).describe('Such as { "key": "TEA" }'),
        issuetype: z.strictObject({ name: z.string().min(1) }).describe('Such as { "name": "Task" }'),
        summary,
        description,
        assignee: person,
        priority,
        labels,
        parent: z.strictObject({ key: z.string() }).describe('The epic, or the task of a subtask').optional(),
        duedate,
        fields: otherFields,
      }),
      request: (input) => ({
        method: 'POST',
        path: '/issue',
        body: { fields: toFields(input as JsonObject) },
      }),
      effect: 'unsafe',
      scopes: ['write:jira-work'],
      keep: ['id', 'key'],
    },
    updateIssue: {
      description:
        'Set fields of an issue; a list or text that is given replaces the old one. For its state, use transitionIssue.',
      input: z.strictObject({
        issueIdOrKey,
        summary: summary.optional(),
        description,
        assignee: person,
        priority,
        labels,
        duedate,
        fields: otherFields,
      }),
      request: ({ issueIdOrKey: key, ...rest }) => ({
        method: 'PUT',
        path: fillPath('/issue/{key}', { key }),
        body: { fields: toFields(rest as JsonObject) },
      }),
      effect: 'idempotent',
      scopes: ['write:jira-work'],
    },
    addComment: {
      description:
        'Comment on an issue; its watchers are told. Returns the id of the comment. Does not change the issue.',
      input: z.strictObject({ issueIdOrKey, body: z.string().min(1).max(32_767).describe('Plain text') }),
      request: ({ issueIdOrKey: key, body }) => ({
        method: 'POST',
        path: fillPath('/issue/{key}/comment', { key }),
        body: { body: toAtlassianDocument(body) },
      }),
      effect: 'unsafe',
      scopes: ['write:jira-work'],
      keep: ['id', 'created', 'author.displayName'],
    },
    listTransitions: {
      description:
        'List the states that an issue can go to from the one it has, with the ids of transitions that transitionIssue needs.',
      input: z.strictObject({ issueIdOrKey }),
      request: 'GET /issue/{issueIdOrKey}/transitions',
      effect: 'read_only',
      scopes: ['read:jira-work'],
      result: 'transitions',
      keep: ['id', 'name', 'to.name', 'to.statusCategory.name'],
    },
    transitionIssue: {
      description:
        'Move an issue to another state, such as Done, with an id of listTransitions. Returns nothing; rules of the workflow may run.',
      input: z.strictObject({
        issueIdOrKey,
        transition: z.strictObject({ id: z.string().min(1) }).describe('Such as { "id": "31" }'),
        fields: otherFields.describe('Fields that the transition asks for, such as resolution'),
      }),
      request: 'POST /issue/{issueIdOrKey}/transitions',
      effect: 'unsafe',
      scopes: ['write:jira-work'],
    },
    deleteIssue: {
      description:
        'Delete an issue for good. One with subtasks is refused, unless they are to be deleted with it.',
      input: z.strictObject({
        issueIdOrKey,
        deleteSubtasks: z.boolean().describe('Delete its subtasks, too').optional(),
      }),
      request: 'DELETE /issue/{issueIdOrKey}',
      effect: 'idempotent',
      scopes: ['write:jira-work'],
    },
  },
});
