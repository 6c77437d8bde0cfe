import { createRoutineCallRepository } from '../../src/modules/routines/calls/routine-call-repository.ts';
import { createRoutineEventRepository } from '../../src/modules/routines/runs/routine-event-repository.ts';
import { createRoutineRunRepository } from '../../src/modules/routines/runs/routine-run-repository.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { runningConversation, toRowId } from './large-tables.ts';
import { createToolCall } from './turn-rows.ts';

const { turnId } = runningConversation;
const [openRun, endedRun] = [toRowId('run', 50_000), toRowId('run', 50)];
const routineId = toRowId('routine', 5_000);
const runs = createRoutineRunRepository;

/** Statements of runs of routines: of each step, each call, each event, and each request for a run. */
export const stepsOfRoutines: [string, (query: Query) => Promise<unknown>][] = [
  ['the document of a run', (query) => runs(query).findRun(openRun)],
  ['the newest steps of a run', (query) => runs(query).listNewestSteps(endedRun)],
  ['a page of the steps of a run', (query) => runs(query).listSteps(endedRun, { after: 10, most: 100 })],
  ['pausing a run', (query) => runs(query).setStatus(openRun, 'paused')],
  [
    'storing how a run ended',
    (query) => runs(query).settleRun({ runId: openRun, status: 'completed', output: {}, error: null }),
  ],
  ['the depth of the run above a turn', (query) => runs(query).findDepthAbove(turnId)],
  ['the runs below a run', (query) => runs(query).listOpenChildren(openRun)],
  ['a page of runs', (query) => runs(query).listRuns({ limit: 20, cursor: openRun })],
  ['a page of the runs of a routine', (query) => runs(query).listRuns({ limit: 20, routineId })],
  [
    'emitting an event',
    (query) =>
      createRoutineEventRepository(query).emit({
        id: newId(),
        runId: openRun,
        by: [],
        person: null,
        event: {},
      }),
  ],
  ['beginning to listen', (query) => createRoutineEventRepository(query).beginListening(openRun)],
  [
    'the next events',
    (query) =>
      createRoutineEventRepository(query).takeAfter({ runId: openRun, position: 150_000, limit: 50 }),
  ],
  [
    'recording a call',
    (query) => createRoutineCallRepository(query).recordCall({ turnId, step: 7, call: createToolCall(0) }),
  ],
  ['the agent of a run', (query) => createRoutineCallRepository(query).getActor(turnId)],
  ['a recorded call', (query) => createRoutineCallRepository(query).findCall(turnId, 1)],
];
