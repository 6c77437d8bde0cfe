/** The kinds of states: each has a colour and a mark. */
export type Tone = 'good' | 'bad' | 'wait' | 'unknown' | 'live' | 'off';

const tones: Record<string, Tone> = {
  ...{
    completed: 'good',
    succeeded: 'good',
    approved: 'good',
    answered: 'good',
    ready: 'good',
    active: 'good',
    delivered: 'good',
    done: 'good',
  },
  ...{
    failed: 'bad',
    timed_out: 'bad',
    iteration_limit: 'bad',
    rejected: 'bad',
    blocked: 'bad',
    expired: 'bad',
    faulted: 'bad',
    refused: 'bad',
    stopped: 'bad',
  },
  ...{ error: 'bad', given_up: 'bad', disabled: 'bad', stuck: 'bad', quarantined: 'bad', revoked: 'bad' },
  ...{
    waiting_for_approval: 'wait',
    waiting: 'wait',
    paused: 'wait',
    pending: 'wait',
    needs_authorization: 'wait',
  },
  unknown: 'unknown',
  ...{ running: 'live', started: 'live', processing: 'live', settling: 'live', planning: 'live' },
  ...{ in_progress: 'live', ending: 'live' },
};

/** Returns the tone of a status of the API; `off` for one that is neither good nor bad. */
export function toTone(status: string): Tone {
  return tones[status] ?? 'off';
}

/** Returns a status of the API as people read it: `waiting_for_approval` is "waiting for approval". */
export function toWords(status: string): string {
  return status.replaceAll('_', ' ');
}
