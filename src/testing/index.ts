export {
  type ModelRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptStep,
} from './scripted-model.ts';
export { startHoldfast, type StartOptions, type TestHoldfast } from './start-holdfast.ts';
