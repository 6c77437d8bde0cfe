import type { ProviderRequests } from './request-case.ts';

export const datadogRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    queryMetrics: {
      input: { query: 'avg:system.cpu.user{*} by {host}', from: 1772352000, to: 1772355600 },
      method: 'GET',
      target: '/api/v1/query?query=avg%3Asystem.cpu.user%7B*%7D+by+%7Bhost%7D&from=1772352000&to=1772355600',
    },
    listMonitors: {
      input: { name: 'cpu', monitor_tags: 'service:web,team:tea', max_items: 20 },
      method: 'GET',
      target: '/api/v1/monitor?name=cpu&monitor_tags=service%3Aweb%2Cteam%3Atea&page_size=20',
    },
    getMonitor: {
      input: { monitor_id: 666486743, group_states: 'all' },
      method: 'GET',
      target: '/api/v1/monitor/666486743?group_states=all',
    },
    createMonitor: {
      input: {
        name: 'CPU is high',
        type: 'query alert',
        query: 'avg(last_5m):avg:system.cpu.user{*} by {host} > 90',
        message: '@slack-ops',
        tags: ['team:tea'],
        options: { thresholds: { critical: 90 } },
      },
      method: 'POST',
      target: '/api/v1/monitor',
      body:
        '{"name":"CPU is high","type":"query alert","query":"avg(last_5m):avg:system.cpu.user{*} by {host} > 90",' +
        '"message":"@slack-ops","tags":["team:tea"],"options":{"thresholds":{"critical":90}}}',
    },
    postEvent: {
      input: { title: 'Deployed', text: 'Kettle 1.2', alert_type: 'info', tags: ['env:prod'] },
      method: 'POST',
      target: '/api/v1/events',
      body: '{"title":"Deployed","text":"Kettle 1.2","alert_type":"info","tags":["env:prod"]}',
    },
    searchLogs: {
      input: {
        query: 'service:web status:error',
        time: { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' },
        max_items: 50,
      },
      method: 'POST',
      target: '/api/v1/logs-queries/list',
      body:
        '{"query":"service:web status:error","time":{"from":"2026-03-01T09:00:00Z","to":"2026-03-01T10:00:00Z"},' +
        '"sort":"desc","limit":50}',
    },
    createDowntime: {
      input: { scope: ['env:staging'], monitor_id: 666486743, end: 1772355600, message: 'Descaling' },
      method: 'POST',
      target: '/api/v1/downtime',
      body: '{"scope":["env:staging"],"monitor_id":666486743,"end":1772355600,"message":"Descaling"}',
    },
    deleteMonitor: {
      destructive: true,
      input: { monitor_id: 666486743, force: 'true' },
      method: 'DELETE',
      target: '/api/v1/monitor/666486743?force=true',
    },
  },
};
