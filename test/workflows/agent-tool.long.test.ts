import { openForTests } from '../labs/open-for-tests.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { testAgentToolOutcomes } from './agent-tool-outcomes.ts';

testAgentToolOutcomes(openForTests(shareTurnLab), 'inspectable');
