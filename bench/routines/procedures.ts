import type { JsonObject } from '../../src/domain/json.ts';
import { noOpToolName } from '../holdfast/no-op-tool.ts';

/** How many steps a routine has. */
export const routineSteps = 100;

/** One line of the table: a bare workflow of activities, or a routine and the lines that it is compared with. */
export interface ProcedureRow {
  name: string;
  procedure: { activities: number } | { document: JsonObject };
  floors?: readonly string[];
}

const call: JsonObject = { call: noOpToolName, with: { text: 'x' } };
const set: JsonObject = { set: { data: '${ . }' } };
const jq: JsonObject = { set: { rounds: '${ (.rounds // 0) + 1 }' } };

/** The lines of the table, in the order in which their rounds take turns. */
export const procedureRows: readonly ProcedureRow[] = [
  { name: 'floor: 50 activities', procedure: { activities: routineSteps / 2 } },
  { name: 'floor: 100 activities', procedure: { activities: routineSteps } },
  {
    name: 'routine: 50 set, 50 call',
    procedure: { document: toDocument('mixed', (step) => (step % 2 === 0 ? set : call)) },
    floors: ['floor: 100 activities', 'floor: 50 activities'],
  },
  {
    name: 'routine: 100 call',
    procedure: { document: toDocument('calls', () => call) },
    floors: ['floor: 100 activities'],
  },
  {
    name: 'routine: 100 set with jq',
    procedure: { document: toDocument('programs', () => jq) },
    floors: ['floor: 100 activities'],
  },
];

function toDocument(name: string, toTask: (step: number) => JsonObject): JsonObject {
  return {
    document: { dsl: '1.0.0', namespace: 'bench', name, version: '1.0.0' },
    do: Array.from({ length: routineSteps }, (_, step) => ({ [`step${step}`]: toTask(step) })),
  };
}
