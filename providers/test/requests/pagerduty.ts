import type { ProviderRequests } from './request-case.ts';

const from = 'ana@example.com';

export const pagerdutyRequests: ProviderRequests = {
  headers: { accept: 'application/vnd.pagerduty+json;version=2' },
  cases: {
    listIncidents: {
      input: { statuses: ['triggered', 'acknowledged'], service_ids: ['PIJ90N7'], max_items: 5 },
      method: 'GET',
      target:
        '/incidents?statuses%5B%5D=triggered&statuses%5B%5D=acknowledged&service_ids%5B%5D=PIJ90N7&limit=5',
    },
    getIncident: { input: { id: 'PT4KHLK' }, method: 'GET', target: '/incidents/PT4KHLK' },
    createIncident: {
      input: { from, title: 'No tea', service_id: 'PIJ90N7', urgency: 'high', details: 'The pot is empty.' },
      method: 'POST',
      target: '/incidents',
      headers: { from },
      body:
        '{"incident":{"type":"incident","title":"No tea","urgency":"high",' +
        '"service":{"id":"PIJ90N7","type":"service_reference"},' +
        '"body":{"type":"incident_body","details":"The pot is empty."}}}',
    },
    setIncidentStatus: {
      input: { id: 'PT4KHLK', from, status: 'resolved', resolution: 'Refilled' },
      method: 'PUT',
      target: '/incidents/PT4KHLK',
      headers: { from },
      body: '{"incident":{"type":"incident_reference","status":"resolved","resolution":"Refilled"}}',
    },
    addNote: {
      input: { id: 'PT4KHLK', from, content: 'Firefighters are on the scene.' },
      method: 'POST',
      target: '/incidents/PT4KHLK/notes',
      headers: { from },
      body: '{"note":{"content":"Firefighters are on the scene."}}',
    },
    listServices: {
      input: { query: 'kettle', team_ids: ['PN7XYZ'] },
      method: 'GET',
      target: '/services?query=kettle&team_ids%5B%5D=PN7XYZ&limit=100',
    },
    listOnCalls: {
      input: { escalation_policy_ids: ['PT20YPA'], earliest: true },
      method: 'GET',
      target: '/oncalls?escalation_policy_ids%5B%5D=PT20YPA&earliest=true&limit=100',
    },
  },
};
