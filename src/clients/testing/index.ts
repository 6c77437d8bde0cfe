export { type Ask, type AskOptions } from './ask-agent.ts';
export { type Somebody } from './make-key.ts';
export {
  type ModelRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptStep,
} from './scripted-model.ts';
export { startHoldfast, type StartOptions, type TestHoldfast } from './start-holdfast.ts';
