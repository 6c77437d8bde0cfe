import { executionModes } from '../../../src/domain/agent.ts';
import { crossedEnds } from '../../labs/crossing-case.ts';
import { testCrossings } from './crossing-table.ts';

testCrossings(executionModes, crossedEnds);
