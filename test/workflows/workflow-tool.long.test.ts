import { openWorkflowToolLab, testWorkflowToolOutcomes } from './workflow-tool-lab.ts';

testWorkflowToolOutcomes(openWorkflowToolLab(), 'inspectable');
