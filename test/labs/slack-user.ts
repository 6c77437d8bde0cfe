import { createHmac } from 'node:crypto';

/** A press of a button, as Slack sends it. Its times and ids are those of the test. */
interface PressOptions {
  url: string;
  webhookId: string;
  signingSecret: string;
  button: 'holdfast_approve' | 'holdfast_reject';
  actionId: string;
  responseUrl?: string;
  userId?: string;
  /** Seconds since the epoch. */
  timestamp?: number;
  /** Changes the request after it was signed. */
  change?: (request: { headers: Record<string, string>; body: string }) => unknown;
}

/** Presses a button as Slack does for one of its users, and returns the answer of Holdfast. */
export async function pressButton(options: PressOptions): Promise<{ status: number; text: string }> {
  const { url, webhookId, signingSecret, timestamp = Math.floor(Date.now() / 1000) } = options;
  const body = new URLSearchParams({ payload: JSON.stringify(toPayload(options)) }).toString();
  const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const request = {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${mac}`,
    } as Record<string, string>,
  };
  options.change?.(request);
  const path = `/api/slack/interactions/${webhookId}`;
  const response = await fetch(`${url}${path}`, { method: 'POST', ...request });
  return { status: response.status, text: await response.text() };
}

function toPayload({
  button,
  actionId,
  userId = 'U2CERLKJA',
  responseUrl = 'https://hooks.slack.example',
}: PressOptions) {
  return {
    type: 'block_actions',
    user: { id: userId, username: 'ada', name: 'ada', team_id: 'T1DC2JH3J' },
    api_app_id: 'A1',
    token: 'x',
    container: { type: 'message', message_ts: '1712345678.000100', channel_id: 'C024BE91L' },
    team: { id: 'T1DC2JH3J', domain: 'team' },
    channel: { id: 'C024BE91L', name: 'approvals' },
    response_url: responseUrl,
    actions: [
      { type: 'button', block_id: 'a', action_id: button, value: actionId, action_ts: '1712345679.000100' },
    ],
  };
}
