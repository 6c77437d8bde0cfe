import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const monitor_id = z.int().min(1).describe('Id of the monitor, from listMonitors');
const seconds = z.int().min(0).describe('Seconds since 1970 (Unix time)');
const group_states = z
  .string()
  .describe('With these groups: all, or of alert, warn and no data, comma-separated')
  .optional();
const tags = z.array(z.string().min(1)).describe('Such as env:prod').optional();
const keptMonitor = [
  ...['id', 'name', 'type', 'query', 'message', 'overall_state', 'priority', 'tags', 'options.thresholds'],
  ...['creator.email', 'created', 'modified', 'matching_downtimes', 'state'],
];

export const datadog = defineProvider({
  name: 'datadog',
  title: 'Datadog',
  description: 'Query metrics and logs, and manage monitors, events and downtimes in Datadog.',
  category: 'infrastructure',
  baseUrl: 'https://api.{site}',
  variables: {
    site: {
      description: 'The site of your organization, as in the address of its pages',
      example: 'datadoghq.eu',
      default: 'datadoghq.com',
      oneOf: [
        ...['datadoghq.com', 'us3.datadoghq.com', 'us5.datadoghq.com', 'datadoghq.eu', 'ap1.datadoghq.com'],
        ...['ap2.datadoghq.com', 'uk1.datadoghq.com', 'ddog-gov.com', 'us2.ddog-gov.com'],
      ],
    },
  },
  auth: {
    types: ['keys'],
    keys: {
      apiKey: { title: 'API key', header: 'DD-API-KEY' },
      applicationKey: { title: 'Application key', header: 'DD-APPLICATION-KEY' },
    },
    hint: 'An API key and an application key of the organization settings.',
  },
  setup: [
    'In Datadog, open *Organization Settings*, *API Keys*, and create a key.',
    'Open *Organization Settings*, *Application Keys*, and create a key with the scopes that the tools need, such as `monitors_read`, `timeseries_query` and `logs_read_data`.',
  ],
  verify: { request: 'GET /api/v2/validate_keys' },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'seconds' }] },
  // A query of metrics that fails is answered with status 200.
  errors: { message: ['error', 'errors.0'], details: ['errors'], when: { at: 'status', oneOf: ['error'] } },
  operations: {
    queryMetrics: {
      description:
        'Read the values of a metric over a span of time, such as avg:system.cpu.user{env:prod} by {host}. Returns series of points [milliseconds, value]. For text, use searchLogs.',
      input: z.strictObject({
        query: z.string().min(1).describe('A metrics query'),
        from: seconds,
        to: seconds,
      }),
      request: 'GET /api/v1/query',
      effect: 'read_only',
      keep: [
        ...['series.metric', 'series.scope', 'series.tag_set', 'series.interval', 'series.pointlist'],
        ...['series.unit.short_name', 'message'],
      ],
    },
    listMonitors: {
      description:
        'List monitors with their queries and states, by name or tags. Returns ids that getMonitor and createDowntime need.',
      input: z.strictObject({
        name: z.string().describe('A part of the name').optional(),
        tags: z.string().describe('Tags of the scope, comma-separated, such as host:web1').optional(),
        monitor_tags: z.string().describe('Tags of the monitor itself, comma-separated').optional(),
        group_states,
        with_downtimes: z.boolean().optional(),
      }),
      request: 'GET /api/v1/monitor',
      effect: 'read_only',
      paging: { style: 'page', field: 'page', first: 0, items: '', size: { field: 'page_size', max: 1000 } },
      keep: keptMonitor,
    },
    getMonitor: {
      description:
        'Get one monitor with its query, message, thresholds and state. Does not return its past alerts.',
      input: z.strictObject({ monitor_id, group_states, with_downtimes: z.boolean().optional() }),
      request: 'GET /api/v1/monitor/{monitor_id}',
      effect: 'read_only',
      keep: keptMonitor,
    },
    createMonitor: {
      description:
        'Create a monitor that alerts by a query, such as avg(last_5m):avg:system.cpu.user{env:prod} > 90. Returns it with its id. Does not check whether there is a similar one.',
      input: z.strictObject({
        name: z.string().min(1),
        type: z
          .enum([
            ...(['metric alert', 'query alert', 'service check', 'event-v2 alert', 'log alert'] as const),
            ...(['composite', 'process alert', 'rum alert', 'trace-analytics alert', 'slo alert'] as const),
          ])
          .describe('query alert for metrics'),
        query: z.string().min(1),
        message: z.string().describe('Sent with alerts; mentions such as @slack-ops say to whom').optional(),
        tags,
        priority: z.int().min(1).max(5).describe('1 is the highest').optional(),
        options: z
          .looseObject({})
          .describe('As Datadog writes it, such as { "thresholds": { "critical": 90, "warning": 80 } }')
          .optional(),
      }),
      request: 'POST /api/v1/monitor',
      effect: 'unsafe',
      keep: keptMonitor,
    },
    postEvent: {
      description:
        'Post an event to the event stream, such as a deployment, which people see in dashboards. Returns its id. Alerts nobody unless the text mentions them.',
      input: z.strictObject({
        title: z.string().min(1).max(500),
        text: z.string().min(1).max(4000).describe('Markdown between lines of %%% is rendered'),
        alert_type: z.enum(['error', 'warning', 'info', 'success']).optional(),
        priority: z.enum(['normal', 'low']).optional(),
        tags,
        host: z.string().optional(),
        aggregation_key: z.string().max(100).describe('Events with the same key are shown as one').optional(),
        date_happened: seconds.describe('Without it now; not older than 18 hours').optional(),
      }),
      request: 'POST /api/v1/events',
      effect: 'unsafe',
      result: 'event',
      keep: ['id', 'title', 'url', 'date_happened', 'tags'],
    },
    searchLogs: {
      description:
        'Search indexed logs by a query, such as service:web status:error, in a span of time. Returns texts, services and attributes. Does not count or group them.',
      input: z.strictObject({
        query: z.string().min(1),
        time: z.strictObject({
          from: z.iso.datetime({ offset: true }),
          to: z.iso.datetime({ offset: true }),
        }),
        index: z.string().describe('Only this index').optional(),
        sort: z.enum(['asc', 'desc']).default('desc').describe('By time'),
      }),
      request: 'POST /api/v1/logs-queries/list',
      effect: 'read_only',
      paging: {
        style: 'cursor',
        field: 'startAt',
        next: 'nextLogId',
        items: 'logs',
        size: { field: 'limit', max: 1000 },
      },
      keep: [
        ...['id', 'content.timestamp', 'content.service', 'content.host', 'content.message'],
        ...['content.tags', 'content.attributes'],
      ],
    },
    createDowntime: {
      description:
        'Mute the alerts of monitors for a while: of one monitor, of tags of monitors, or of all in a scope. Returns the downtime with its id. Does not change the monitors.',
      input: z.strictObject({
        scope: z.array(z.string().min(1)).min(1).describe('Such as env:prod; * for everything'),
        monitor_id: monitor_id.optional(),
        monitor_tags: z.array(z.string().min(1)).describe('Only monitors with all of these tags').optional(),
        start: seconds.describe('Unix time; without it now').optional(),
        end: seconds.describe('Unix time; without it the downtime has no end').optional(),
        timezone: z.string().describe('IANA name, such as Europe/Berlin').optional(),
        message: z.string().describe('Sent when it begins and ends').optional(),
      }),
      request: 'POST /api/v1/downtime',
      effect: 'unsafe',
      keep: ['id', 'active', 'scope', 'monitor_id', 'monitor_tags', 'start', 'end', 'timezone', 'message'],
    },
    deleteMonitor: {
      description:
        'Delete a monitor for good by its id; nobody is alerted by it any more. Refused when SLOs or composite monitors use it, unless forced.',
      input: z.strictObject({
        monitor_id,
        force: z.enum(['true', 'false']).describe('true: even when others use it').optional(),
      }),
      request: 'DELETE /api/v1/monitor/{monitor_id}',
      effect: 'idempotent',
    },
  },
});
