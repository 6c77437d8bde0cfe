import type { ConnectionAccess } from '../../../domain/connection.ts';
import type { SearchKnowledge } from '../../../domain/knowledge.ts';
import type { GenerateImage } from '../../../domain/model.ts';
import type { ResultFileStore } from '../../../domain/tool.ts';
import type { ExecutionRouter } from '../../providers/execution-router.ts';
import type { ToolFunction } from './tool-function.ts';
import { askUser } from './ask-user.ts';
import { callModel } from './call-model.ts';
import { calculate } from './calculate.ts';
import { currentTime } from './current-time.ts';
import { endSwarm } from './end-swarm.ts';
import { defineTool } from './define-tool.ts';
import { createFileSearch } from './file-search.ts';
import { createImageGeneration } from './generate-image.ts';
import { httpRequest } from './http-request.ts';
import { runRoutine } from './run-routine.ts';
import { spawnSwarm } from './spawn-swarm.ts';
import { updateSwarmSharedState } from './update-swarm-shared-state.ts';
import { readToolResult } from './read-tool-result.ts';
import { recall } from './recall.ts';
import { remember } from './remember.ts';
import { resourceManage } from './resource-manage.ts';
import { loadSkill, readSkillResource } from './read-skills.ts';
import { sendMessage } from './send-message.ts';
import { createWebSearch } from './web-search.ts';

/** The services that the built-in functions search and make images with. */
export interface FunctionBackEnds {
  connections: Pick<ConnectionAccess, 'open'>;
  router: Pick<ExecutionRouter, 'searchWeb'>;
  searchKnowledge: SearchKnowledge;
  generateImage: GenerateImage;
  resultFiles: ResultFileStore;
}

/** Builds the functions that Holdfast brings along; one whose back end is missing answers that it cannot run. */
export function createBuiltInFunctions(backEnds?: FunctionBackEnds): ToolFunction[] {
  return [
    currentTime,
    calculate,
    askUser,
    httpRequest,
    createWebSearch(backEnds),
    createFileSearch(backEnds?.searchKnowledge),
    createImageGeneration(backEnds),
    runRoutine,
    spawnSwarm,
    updateSwarmSharedState,
    endSwarm,
    resourceManage,
    defineTool,
    remember,
    recall,
    sendMessage,
    readToolResult,
    loadSkill,
    readSkillResource,
    callModel,
  ];
}
