export { agentTurn } from './agent-turn.ts';
export { turnSubmission } from './turn-submission.ts';
export { turnSweep } from './turn-sweep.ts';
