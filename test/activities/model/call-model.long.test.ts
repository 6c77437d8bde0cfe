import { openForTests } from '../../labs/open-for-tests.ts';
import { shareTurnLab } from '../../labs/turn-lab.ts';
import { testModelAnswers } from './model-answers.ts';

testModelAnswers(openForTests(shareTurnLab), 'inspectable');
