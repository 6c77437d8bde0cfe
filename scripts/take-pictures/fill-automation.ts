import type { HoldfastClient } from '../../src/clients/client/index.ts';

const refunds = `
document: { dsl: '1.0.3', namespace: shop, name: refunds, version: '1.0.0' }
do:
  - orders:
      set: { number: 1017, amount: 59.7 }
  - approve:
      call: ask_user
      with:
        question: \${ "Shall order \\(.number) get a refund of \\(.amount)?" }
        options: ['yes', 'no']
  - decide:
      switch:
        - agreed:
            when: . == "yes"
            then: pay
        - refused:
            then: end
  - pay:
      set: { paid: true }
`;

interface Agents {
  demoId: string;
  shopId: string;
}

/** Starts a routine that waits for a person and a swarm, and stores a schedule, a trigger and a webhook. */
export async function fillAutomation(client: HoldfastClient, { demoId, shopId }: Agents) {
  const routine = await client.routines.create({ agentId: shopId, document: refunds });
  const run = await client.routines.start(routine.id, { input: {} });
  const swarm = await client.swarms.create({
    kind: 'rich',
    goal: 'A page about the hours of two offices',
    teamConfig: {
      leader: demoId,
      members: [{ agentId: demoId, name: 'writer', role: 'Writes what was found.' }],
    },
    subtasks: [
      { id: 'berlin', description: 'What time is it in Europe/Berlin?', assignee: 'writer' },
      { id: 'tokyo', description: 'What time is it in Asia/Tokyo?', assignee: 'writer' },
      {
        id: 'page',
        description: 'Echo "Both offices have time for a call."',
        assignee: 'writer',
        depends_on: ['berlin', 'tokyo'],
      },
    ],
  });
  await client.schedules.create({
    name: 'Report of the morning',
    times: { cron: '0 8 * * MON-FRI' },
    action: { kind: 'turn', agentId: demoId, message: 'What is new?' },
  });
  await client.triggers.create({
    name: 'Triage of issues',
    provider: 'github',
    events: ['issues'],
    action: { kind: 'turn', agentId: demoId, message: 'Look at {{ .issue.title }}' },
  });
  await client.webhooks.create({
    url: 'https://shop.example.com/hooks/holdfast',
    events: ['turn.settled', 'turn.action_required'],
  });
  return { runId: run.id, swarmId: swarm.id };
}
