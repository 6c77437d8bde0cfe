import { openProviderLab, providerNames, testAgentTurns } from './agent-turn-lab.ts';

testAgentTurns(openProviderLab(), providerNames);
