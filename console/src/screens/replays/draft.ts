import { useState } from 'react';
import type { CreateReplayData } from '../../api/types.ts';
import type { NewSearch } from './search.ts';

/** What a new replay tries, and how. An empty text leaves the setting as it was recorded, or as it is by default. */
export interface Draft {
  agentVersionId: string;
  model: string;
  instructions: string;
  mode: 'turns' | 'conversations';
  onMiss: 'stop' | 'stub' | 'live_if_read_only';
  baseline: boolean;
  /** How many of the runs are taken at random, how often each is run, and what all may cost in dollars, as they are typed. */
  sample: string;
  repeats: string;
  mostDollars: string;
  judgeModel: string;
  rubric: string;
}

/** Changes some of the settings of a draft. */
export type ChangeDraft = (change: Partial<Draft>) => void;

/** The draft of a new replay. */
export function useDraft({ agentVersionId = '' }: NewSearch): [Draft, ChangeDraft] {
  const [draft, setDraft] = useState<Draft>({
    ...{ agentVersionId, model: '', instructions: '', mode: 'turns', onMiss: 'stop', baseline: true },
    ...{ sample: '', repeats: '', mostDollars: '', judgeModel: '', rubric: '' },
  });
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))];
}

interface NewReplay {
  search: NewSearch;
  draft: Draft;
  name: string;
}

/** Returns the order for a replay as the API takes it. */
export function toReplayBody({ search, draft, name }: NewReplay): CreateReplayData['body'] {
  const { turnIds, agentId, tag, tool, from, to } = search;
  const chosen = turnIds === undefined ? { agentId, tag, tool, from, to } : { turnIds: turnIds.split(',') };
  const sample = toNumber(draft.sample);
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    selection: { ...chosen, ...(sample === undefined ? {} : { sample: { size: sample } }) },
    candidate: toCandidate(draft),
    ...{ mode: draft.mode, onMiss: draft.onMiss, baseline: draft.baseline },
    repeats: toNumber(draft.repeats),
    ceiling: { costUsd: toNumber(draft.mostDollars) },
    ...(draft.judgeModel === '' ? {} : { judge: { model: draft.judgeModel, rubric: draft.rubric } }),
  };
}

function toCandidate({ agentVersionId, model, instructions }: Draft) {
  return {
    ...(agentVersionId === '' ? {} : { agentVersionId }),
    ...(model === '' ? {} : { model }),
    ...(instructions === '' ? {} : { instructions }),
  };
}

/** What is no number is left to the API to refuse. */
const toNumber = (text: string) => (text.trim() === '' ? undefined : Number(text));
