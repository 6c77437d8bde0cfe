export { agentTurn, fastTurn, recordedTurn } from './agent-turn.ts';
export { batchReplay } from './batch-replay.ts';
export { documentIngestion } from './document-ingestion.ts';
export { recordRemoval } from './record-removal.ts';
export { scheduledRun } from './scheduled-run.ts';
export { routineRun } from './routine/routine-run.ts';
export { turnSubmission } from './turn-submission.ts';
export { turnSweep } from './turn-sweep.ts';
export { webhookDelivery } from './webhook-delivery.ts';
