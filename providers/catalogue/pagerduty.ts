import { z } from 'zod';
import type { JsonObject } from '../../src/domain/json.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const id = z.string().min(1).describe('Id of the incident, such as PT4KHLK');
const from = z.email().describe('Address of the user in whose name it is done');
const headers = { From: '{from}' };
const ids = (description: string) => z.array(z.string().min(1)).describe(description).optional();
const instant = z.iso.datetime({ offset: true }).describe('Such as 2026-03-01T09:00:00Z').optional();
const pages = (items: string) =>
  ({ style: 'offset', field: 'offset', more: 'more', items, size: { field: 'limit', max: 100 } }) as const;
const keptIncident = [
  ...['id', 'incident_number', 'title', 'status', 'urgency', 'priority.summary', 'service.id'],
  ...['service.summary', 'assignments.assignee.id', 'assignments.assignee.summary'],
  ...['escalation_policy.summary', 'incident_key', 'created_at', 'last_status_change_at', 'html_url'],
  'body.details',
];

export const pagerduty = defineProvider({
  name: 'pagerduty',
  title: 'PagerDuty',
  description: 'Find, open, answer and resolve incidents, and see who is on call, in PagerDuty.',
  category: 'infrastructure',
  baseUrl: 'https://{host}.pagerduty.com',
  variables: {
    host: {
      description: 'The service region of the account: api for the US, api.eu for Europe',
      example: 'api.eu',
      default: 'api',
      oneOf: ['api', 'api.eu'],
    },
  },
  headers: { Accept: 'application/vnd.pagerduty+json;version=2' },
  listFormat: 'brackets',
  auth: {
    types: ['api_key', 'oauth2_authorization_code'],
    apiKey: { header: 'Authorization', prefix: 'Token token=' },
    oauth: {
      authorizationUrl: 'https://identity.pagerduty.com/oauth/authorize',
      tokenUrl: 'https://identity.pagerduty.com/oauth/token',
      scopes: ['openid', 'services.read'],
      clientAuthentication: 'post',
    },
    hint: 'A REST API key of the account, or a user token of a profile.',
  },
  setup: [
    'In PagerDuty, open *Integrations*, *API Access Keys*, and create a key; or *My Profile*, *User Settings*, *Create API User Token*.',
    'For OAuth, register an app under *Integrations*, *App Registration* with *Scoped OAuth* instead.',
  ],
  unverified: '2026-08-14',
  verify: { request: 'GET /services', query: { limit: 1 } },
  // https://developer.pagerduty.com/docs/rest-api-rate-limits
  rateLimit: { tokensPerMinute: 960 },
  throttle: { wait: [{ header: 'ratelimit-reset', unit: 'seconds' }] },
  errors: { message: ['error.message'], details: ['error.errors'] },
  operations: {
    listIncidents: {
      description:
        'List incidents by state, service, user or time. Returns titles, states and who is assigned, not the alerts and notes behind them.',
      input: z.strictObject({
        statuses: z.array(z.enum(['triggered', 'acknowledged', 'resolved'])).optional(),
        urgencies: z.array(z.enum(['high', 'low'])).optional(),
        service_ids: ids('Only of these services'),
        user_ids: ids('Only assigned to these users; not with resolved'),
        since: instant,
        until: instant,
        sort_by: z.enum(['created_at:desc', 'created_at:asc', 'urgency:desc']).optional(),
      }),
      request: 'GET /incidents',
      effect: 'read_only',
      scopes: [['incidents.read', 'incidents.write']],
      paging: pages('incidents'),
      keep: keptIncident,
    },
    getIncident: {
      description:
        'Get one incident with its state, assignees and details by its id. Does not return its notes.',
      input: z.strictObject({ id }),
      request: 'GET /incidents/{id}',
      effect: 'read_only',
      scopes: [['incidents.read', 'incidents.write']],
      result: 'incident',
      keep: keptIncident,
    },
    createIncident: {
      description:
        'Open an incident for a service, which alerts the people on call. Returns it with its id. With an incident_key it is refused while one with the same key is open.',
      input: z.strictObject({
        from,
        title: z.string().min(1).max(1024),
        service_id: z.string().min(1).describe('From listServices'),
        urgency: z.enum(['high', 'low']).optional(),
        details: z.string().describe('What people need to know').optional(),
        incident_key: z.string().min(1).max(255).optional(),
      }),
      headers,
      request: ({ service_id, details, ...rest }) => ({
        method: 'POST',
        path: '/incidents',
        body: {
          incident: {
            type: 'incident',
            ...rest,
            service: { id: service_id, type: 'service_reference' },
            ...(details === undefined ? {} : { body: { type: 'incident_body', details } }),
          } as JsonObject,
        },
      }),
      effect: 'unsafe',
      scopes: ['incidents.write'],
      result: 'incident',
      keep: keptIncident,
    },
    setIncidentStatus: {
      description:
        'Acknowledge or resolve an incident; the people on call are then no longer alerted. Returns the incident. Acknowledging a resolved one opens it again.',
      input: z.strictObject({
        id,
        from,
        status: z.enum(['acknowledged', 'resolved']),
        resolution: z.string().describe('How it was resolved').optional(),
      }),
      request: 'PUT /incidents/{id}',
      ...{ headers, fixed: { type: 'incident_reference' }, wrap: 'incident' },
      effect: 'idempotent',
      scopes: ['incidents.write'],
      result: 'incident',
      keep: keptIncident,
    },
    addNote: {
      description: 'Add a note to the timeline of an incident. Returns its id. Does not change the state.',
      input: z.strictObject({ id, from, content: z.string().min(1) }),
      request: 'POST /incidents/{id}/notes',
      ...{ headers, wrap: 'note' },
      effect: 'unsafe',
      scopes: ['incidents.write'],
      result: 'note',
      keep: ['id', 'content', 'user.summary', 'created_at'],
    },
    listServices: {
      description:
        'List services by name with ids, states and escalation policies. Use it for the service_id of an incident; it returns no incidents.',
      input: z.strictObject({
        query: z.string().describe('A part of the name').optional(),
        team_ids: ids('Only of these teams'),
      }),
      request: 'GET /services',
      effect: 'read_only',
      scopes: [['services.read', 'services.write']],
      paging: pages('services'),
      keep: [
        ...['id', 'name', 'description', 'status', 'escalation_policy.id', 'escalation_policy.summary'],
        'html_url',
      ],
    },
    listOnCalls: {
      description:
        'See who is on call now, or in a span of time, by escalation policy, schedule or user. Returns people with levels and times. Does not alert them.',
      input: z.strictObject({
        escalation_policy_ids: ids('Only of these policies'),
        schedule_ids: ids('Only of these schedules'),
        user_ids: ids('Only these users'),
        since: instant,
        until: instant,
        earliest: z.boolean().describe('Only the first of each person, policy and level').optional(),
      }),
      request: 'GET /oncalls',
      effect: 'read_only',
      scopes: ['oncalls.read'],
      paging: pages('oncalls'),
      keep: [
        ...['user.id', 'user.summary', 'escalation_level', 'escalation_policy.summary', 'schedule.summary'],
        ...['start', 'end'],
      ],
    },
  },
});
