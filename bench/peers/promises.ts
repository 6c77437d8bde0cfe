/** The engines of the table of promises. */
export const engines = [
  'plain inserts',
  'LangGraph',
  'Mastra workflow',
  'Mastra agent',
  'DBOS',
  'Restate',
  'Holdfast',
];

/** What each engine stores and promises as it is measured here; a line for each subject, a cell for each engine. */
export const promises = [
  ['step durable before the next', 'yes', 'yes, if sync', 'yes', 'if recovery on', 'yes', 'yes', 'yes'],
  [
    'goes on after a crash',
    'no',
    'when invoked',
    'when restarted',
    'when restarted',
    'at start',
    'by itself',
    'by itself',
  ],
  [
    'tool running at a crash',
    '-',
    'runs again',
    'runs again',
    'runs again',
    'runs again',
    'runs again',
    'once if unsafe',
  ],
  ['conversation', 'no', 'yes', 'no', 'yes', 'no', 'yes', 'yes'],
  ['event log with cursor', 'no', 'no', 'no', 'no', 'no', 'no', 'yes'],
  ['stream resumes after a break', 'no', 'no', 'no', 'with a cache', 'own streams', 'no', 'yes'],
  ['audit log', 'no', 'no', 'no', 'no', 'no', 'no', 'hash chain'],
  ['tenants isolated by', '-', '-', '-', '-', '-', '-', 'row security'],
];
