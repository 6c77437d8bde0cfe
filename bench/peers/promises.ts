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

/** The table of stored data and promises of the engines, as measured here: a line a subject, a cell an engine. */
export const promises = [
  ['a step is stored as', 'row', 'checkpoint', 'snapshot', 'snapshots', 'row', 'log entry', 'rows'],
  ['after a crash it goes on', 'no', 'if invoked', 'if restarted', 'if recovered', 'at start', 'yes', 'yes'],
  ['unsafe tool at a crash', '-', 'again', 'again', 'again', 'again', 'again', 'not again'],
  ['reads earlier messages', 'no', 'all', 'no', 'the last 10', 'no', 'all', 'a window'],
  ['to read afterwards', 'rows', 'checkpoints', 'last snapshot', 'messages', 'steps', 'journal', 'event log'],
  ['stream after a break', '-', 'no', 'no', 'from a cache', 'own streams', 'no', 'by cursor'],
  ['audit log', 'no', 'no', 'no', 'no', 'no', 'no', 'hash chain'],
  ['keeps tenants apart', 'no', 'no', 'no', 'no', 'no', 'no', 'row security'],
];
