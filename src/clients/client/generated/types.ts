// Generated from docs/openapi.json by "npm run generate".
export type Agent = {
    id: string;
    version: number;
    name: string;
    model: string;
    instructions: string;
    limits: {
        activityTimeoutMs?: number | undefined;
        modelTimeoutMs?: number | undefined;
        turnTimeoutMs?: number | undefined;
        startTimeoutMs?: number | undefined;
        absenceTimeoutMs?: number | undefined;
        maxIterations?: number | undefined;
        contextCharacters?: number | undefined;
        maxTokens?: number | undefined;
        maxAgentDepth?: number | undefined;
        approvalTimeoutMs?: number | undefined;
    };
    execution: 'inspectable' | 'direct';
    modelConnectionId: string | null;
    /**
     * Models that are called when the ones before them are away, in this order
     */
    fallbackModels: Array<{
        model: string;
        modelConnectionId: string | null;
    }>;
    modelSettings: {
        temperature?: number | undefined;
        topP?: number | undefined;
        maxOutputTokens?: number | undefined;
        reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
        /**
         * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
         */
        reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
        /**
         * `required`, or the name of a tool, holds for the first model call of a turn
         */
        toolChoice?: ('auto' | 'required' | 'none' | {
            tool: string;
        }) | undefined;
        parallelToolCalls?: boolean | undefined;
        /**
         * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
         */
        promptCaching?: ('auto' | '1h' | 'off') | undefined;
        /**
         * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
         */
        structuredOutput?: ('native' | 'asked') | undefined;
        /**
         * The files that models take which Holdfast does not know; without it they get texts and notes
         */
        takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
        /**
         * Options of the AI SDK for single vendors, by the prefix of the vendor's models
         */
        providerOptions?: {
            [key: string]: JsonObject;
        } | undefined;
        headers?: {
            [key: string]: string;
        } | undefined;
    };
    /**
     * How the conversation is shortened when it is too long for its model
     */
    compaction: 'off' | 'oldest_first' | 'summarize';
    /**
     * The tokens above which the context is shortened; null for a number that fits the model
     */
    compactionThreshold: number | null;
    /**
     * The model that writes summaries; null for the agent's own
     */
    summaryModel: string | null;
    rules: {
        toolAllowlist?: Array<string> | undefined;
        toolPolicies: {
            [key: string]: {
                schema?: JsonObject | undefined;
                minimums?: {
                    [key: string]: number;
                } | undefined;
                maximums?: {
                    [key: string]: number;
                } | undefined;
                allowedValues?: {
                    [key: string]: Array<JsonValue>;
                } | undefined;
                patterns?: {
                    [key: string]: string;
                } | undefined;
                forbiddenFields?: Array<string> | undefined;
                maxCallsPerTurn?: number | undefined;
                maxCallsPerDay?: number | undefined;
                approval?: ('ask' | 'always_ask') | undefined;
                approvalWhen?: JsonObject | undefined;
                approvers?: Array<string> | undefined;
                selfApproval?: false | undefined;
            };
        };
        forLater?: Array<string> | undefined;
        canaryTokens: Array<string>;
        onBlocked: 'continue' | 'end_turn';
    };
    toolCallsInText: boolean | null;
    connectors: Array<{
        id: string;
        name: string;
        type: 'mcp';
        endpoint: string | null;
        tools: Array<string>;
        connectionId: string;
    }>;
    skills: Array<{
        skillId: string;
        version: number;
        name: string;
        description: string;
    }>;
    createdAt: string;
    tools: Array<Tool>;
    versionId: string;
    /**
     * The project whose `holdfast push` made the agent; null for an agent that was made otherwise
     */
    project: string | null;
    updatedAt: string;
    /**
     * Valid fields with which turns would fail now, such as a model without a key. Answers to requests that read an agent tell of its models only
     */
    warnings?: Array<{
        field: string;
        message: string;
    }> | undefined;
};
export type AgentConfiguration = {
    agentId: string;
    version: number;
    config: JsonObject;
    tool_allowlist: Array<string> | null;
    tool_policies: {
        [key: string]: JsonObject;
    };
    canary_tokens: Array<string>;
    connectors: Array<{
        name: string;
        type: 'mcp';
        endpoint: string | null;
        auth: JsonObject;
        tools: Array<string>;
    }>;
};
export type AgentTool = {
    id: string;
    type: 'agent';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The agent that is asked
         */
        agentId?: string | undefined;
        /**
         * The name of that agent when the tool was added; set by the server
         */
        agentName?: string | undefined;
        /**
         * Whether the allowlist and the policies of the calling agent hold in the turns below as well
         */
        inheritRules?: boolean | undefined;
    };
};
export type AgentVersion = {
    id: string;
    agentId: string;
    version: number;
    name: string;
    model: string;
    instructions: string;
    limits: {
        activityTimeoutMs?: number | undefined;
        modelTimeoutMs?: number | undefined;
        turnTimeoutMs?: number | undefined;
        startTimeoutMs?: number | undefined;
        absenceTimeoutMs?: number | undefined;
        maxIterations?: number | undefined;
        contextCharacters?: number | undefined;
        maxTokens?: number | undefined;
        maxAgentDepth?: number | undefined;
        approvalTimeoutMs?: number | undefined;
    };
    execution: 'inspectable' | 'direct';
    modelConnectionId: string | null;
    /**
     * Models that are called when the ones before them are away, in this order
     */
    fallbackModels: Array<{
        model: string;
        modelConnectionId: string | null;
    }>;
    modelSettings: {
        temperature?: number | undefined;
        topP?: number | undefined;
        maxOutputTokens?: number | undefined;
        reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
        /**
         * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
         */
        reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
        /**
         * `required`, or the name of a tool, holds for the first model call of a turn
         */
        toolChoice?: ('auto' | 'required' | 'none' | {
            tool: string;
        }) | undefined;
        parallelToolCalls?: boolean | undefined;
        /**
         * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
         */
        promptCaching?: ('auto' | '1h' | 'off') | undefined;
        /**
         * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
         */
        structuredOutput?: ('native' | 'asked') | undefined;
        /**
         * The files that models take which Holdfast does not know; without it they get texts and notes
         */
        takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
        /**
         * Options of the AI SDK for single vendors, by the prefix of the vendor's models
         */
        providerOptions?: {
            [key: string]: JsonObject;
        } | undefined;
        headers?: {
            [key: string]: string;
        } | undefined;
    };
    /**
     * How the conversation is shortened when it is too long for its model
     */
    compaction: 'off' | 'oldest_first' | 'summarize';
    /**
     * The tokens above which the context is shortened; null for a number that fits the model
     */
    compactionThreshold: number | null;
    /**
     * The model that writes summaries; null for the agent's own
     */
    summaryModel: string | null;
    rules: {
        toolAllowlist?: Array<string> | undefined;
        toolPolicies: {
            [key: string]: {
                schema?: JsonObject | undefined;
                minimums?: {
                    [key: string]: number;
                } | undefined;
                maximums?: {
                    [key: string]: number;
                } | undefined;
                allowedValues?: {
                    [key: string]: Array<JsonValue>;
                } | undefined;
                patterns?: {
                    [key: string]: string;
                } | undefined;
                forbiddenFields?: Array<string> | undefined;
                maxCallsPerTurn?: number | undefined;
                maxCallsPerDay?: number | undefined;
                approval?: ('ask' | 'always_ask') | undefined;
                approvalWhen?: JsonObject | undefined;
                approvers?: Array<string> | undefined;
                selfApproval?: false | undefined;
            };
        };
        forLater?: Array<string> | undefined;
        canaryTokens: Array<string>;
        onBlocked: 'continue' | 'end_turn';
    };
    toolCallsInText: boolean | null;
    connectors: Array<{
        id: string;
        name: string;
        type: 'mcp';
        endpoint: string | null;
        tools: Array<string>;
        connectionId: string;
    }>;
    skills: Array<{
        skillId: string;
        version: number;
        name: string;
        description: string;
    }>;
    createdAt: string;
    madeBy: Maker | null;
    tools: Array<Tool>;
};
export type ApiKey = {
    id: string;
    name: string;
    scopes: Array<'agents:read' | 'agents:write' | 'conversations:read' | 'conversations:write' | 'approvals:decide' | 'connections:read' | 'connections:write' | 'knowledge:read' | 'knowledge:write' | 'skills:read' | 'skills:write' | 'resources:read' | 'resources:write' | 'inbox:read' | 'inbox:write' | 'webhooks:read' | 'webhooks:write' | 'replays:read' | 'replays:write' | 'routines:read' | 'routines:write' | 'swarms:read' | 'swarms:write' | 'audit:read' | 'analytics:read' | 'budgets:read' | 'budgets:write' | 'payloads:read' | 'api_keys:write' | 'user_tokens:write'>;
    groups: Array<string>;
    actsFor: string | null;
    createdAt: string;
    expiresAt: string | null;
    lastUsedAt: string | null;
    revokedAt: string | null;
};
export type ApprovalGrant = {
    id: string;
    scope: 'conversation' | 'agent' | 'workspace';
    scopeId: string;
    tool: string;
    target: string | null;
    pins: JsonObject;
    until: string;
    actionId: string;
    createdAt: string;
    createdBy: Decider;
    revokedAt: string | null;
    revokedBy: Decider | null;
};
export type Budget = {
    id: string;
    scope: 'workspace' | 'agent' | 'conversation' | 'user' | 'swarm';
    subject: string | null;
    each: boolean;
    period: 'day' | 'month' | 'total';
    credits: string;
    message: string | null;
    spent: string;
    reserved: string;
    periodStartsAt: string | null;
    warnedAt: string | null;
    createdAt: string;
    updatedAt: string;
};
export type Connection = {
    id: string;
    name: string;
    provider: string;
    endpoint: string | null;
    variables: {
        [key: string]: string;
    };
    auth: JsonObject;
    status: 'active' | 'expired' | 'revoked' | 'error';
    statusReason: string | null;
    rateLimit: {
        tokensPerMinute: number;
        tokensPerRequest: number;
    } | null;
    ownerId: string | null;
    expiresAt: string | null;
    lastUsedAt: string | null;
    createdAt: string;
    updatedAt: string;
};
export type ConnectionAuthType = 'none' | 'api_key' | 'bearer' | 'basic' | 'keys' | 'oauth2_client_credentials' | 'oauth2_authorization_code';
export type Connector = {
    id: string;
    name: string;
    type: 'mcp';
    endpoint: string;
    auth: JsonObject;
    tools: Array<string>;
    connectionId: string;
    createdAt: string;
};
export type Conversation = {
    id: string;
    agentId: string;
    externalId: string | null;
    title: string | null;
    tags: Array<string>;
    person: string | null;
    sharedWith: 'workspace' | Array<string>;
    source: 'holdfast' | 'openai' | 'ai-sdk' | 'langfuse' | null;
    parent: {
        conversationId: string;
        turnId: string;
        iteration: number | null;
    } | null;
    createdAt: string;
};
export type ConversationEvent = {
    seq: number;
    turnId: string;
    type: 'turn.queued';
    createdAt: string;
    payload: {
        message: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'message.queued';
    createdAt: string;
    payload: {
        messageId: string;
        message: string;
        onBusy: 'reject' | 'enqueue' | 'steer' | 'interrupt' | 'rollback';
    };
} | {
    seq: number;
    turnId: string;
    type: 'message.steered';
    createdAt: string;
    payload: {
        messageId: string;
        message: string;
        iteration: number;
        steeredTurnId: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'message.promoted';
    createdAt: string;
    payload: {
        messageId: string | null;
    };
} | {
    seq: number;
    turnId: string;
    type: 'message.withdrawn';
    createdAt: string;
    payload: {
        messageId: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'turn.started';
    createdAt: string;
    payload: {
        message: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'model.passed';
    createdAt: string;
    payload: {
        iteration: number;
        model: string;
        next: string;
        error: ErrorInfo;
    };
} | {
    seq: number;
    turnId: string;
    type: 'model.cut_short';
    createdAt: string;
    payload: {
        iteration: number;
        model: string;
        usage: Usage;
    };
} | {
    seq: number;
    turnId: string;
    type: 'context.compacted';
    createdAt: string;
    payload: {
        iteration: number;
        kind: 'references' | 'oldest_first' | 'summarize';
        fromTurnId: string | null;
        throughTurnId: string | null;
        references: number;
        tokensBefore: number;
        tokensAfter: number;
        messageId: string | null;
        text: string | null;
        model: string | null;
        usage?: Usage | undefined;
        credits: string | null;
        error: ErrorInfo | null;
    };
} | {
    seq: number;
    turnId: string;
    type: 'message.created';
    createdAt: string;
    payload: {
        messageId: string;
        iteration: number;
        attempt?: number | undefined;
        text: string;
        reasoning?: string | undefined;
        model: string;
        usage: Usage;
        credits?: (string | null) | undefined;
        toolCalls: Array<{
            toolCallId: string;
            iteration: number;
            index: number;
            name: string;
            type: ToolType | null;
            arguments: JsonObject | null;
        }>;
    };
} | {
    seq: number;
    turnId: string;
    type: 'answer.rejected';
    createdAt: string;
    payload: {
        messageId: string;
        iteration: number;
        errors: Array<{
            field: string;
            message: string;
        }>;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.started';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        attempt: number;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.executed';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        durationMs: number;
        resultPreview: string;
        creditsUsed?: string | undefined;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.failed';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        durationMs: number;
        error: ErrorInfo;
        creditsUsed?: string | undefined;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.blocked';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        rule: string;
        error: ErrorInfo;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.unknown';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        error: ErrorInfo;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.skipped';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        error: ErrorInfo;
    };
} | {
    seq: number;
    turnId: string;
    type: 'tool.settled';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        status: 'succeeded' | 'unknown';
        attempts: number;
        error?: ErrorInfo | undefined;
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.requested';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
        arguments: JsonObject;
        expiresAt: string;
        askedBecause?: Array<string> | undefined;
        question?: string | undefined;
        schema?: JsonObject | undefined;
        options?: (Array<string> | null) | undefined;
        server?: (string | null) | undefined;
        url?: (string | null) | undefined;
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.reminded';
    createdAt: string;
    payload: {
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
        expiresAt: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.decided';
    createdAt: string;
    payload: {
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
        status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled';
        decidedBy: Decider;
        reason: string | null;
        approvedArguments: JsonObject | null;
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.expired';
    createdAt: string;
    payload: {
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.cancelled';
    createdAt: string;
    payload: {
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
    };
} | {
    seq: number;
    turnId: string;
    type: 'action.granted';
    createdAt: string;
    payload: {
        toolCallId: string;
        iteration: number;
        index: number;
        name: string;
        actionId: string;
        kind: 'approval' | 'question' | 'client_tool';
        arguments: JsonObject;
        decidedBy: Decider;
    };
} | {
    seq: number;
    turnId: string;
    type: 'budget.warning';
    createdAt: string;
    payload: {
        budgetId: string;
        scope: 'workspace' | 'agent' | 'conversation' | 'user' | 'swarm';
        subject: string | null;
        period: 'day' | 'month' | 'total';
        credits: string;
        spent: string;
    };
} | {
    seq: number;
    turnId: string;
    type: 'turn.settled';
    createdAt: string;
    payload: {
        outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered';
        answer: string;
        answerJson?: JsonObject | undefined;
        error: ErrorInfo | null;
        iterations: number;
        usage: Usage;
    };
};
export type Decider = {
    apiKeyId: string | null;
    actingFor: string | null;
    grantId?: string | undefined;
};
export type Document = {
    id: string;
    knowledgeBaseId: string;
    name: string;
    mediaType: string;
    bytes: number;
    status: 'queued' | 'processing' | 'ready' | 'failed';
    progress: DocumentProgress;
    error: ErrorInfo | null;
    pages: number | null;
    chunkCount: number;
    createdAt: string;
    updatedAt: string;
};
export type DocumentProgress = {
    step: 'queued' | 'reading' | 'embedding' | 'done';
    chunks: number;
    embeddedChunks: number;
};
export type ErrorInfo = {
    code: string;
    message: string;
    details?: JsonValue | undefined;
};
export type FunctionTool = {
    id: string;
    type: 'function';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * Where a call is executed. With `client` by the program that uses the API: it finds the call among the pending actions, and posts the result
         */
        runs?: ('worker' | 'client') | undefined;
        /**
         * The function that is called. Without it the one of the name of the tool
         */
        functionName?: string | undefined;
        /**
         * The connection that a built-in function searches or pays with
         */
        connectionId?: string | undefined;
        /**
         * The provider of that connection
         */
        provider?: string | undefined;
        /**
         * The knowledge base that `file_search` searches
         */
        knowledgeBaseId?: string | undefined;
        /**
         * The image model that `generate_image` uses, such as `openai/gpt-image-1`
         */
        model?: string | undefined;
        /**
         * Whether the allowlist and the policies of the agent hold as well in the routines that `run_routine` starts, and for the members of swarms that `spawn_swarm` starts
         */
        inheritRules?: boolean | undefined;
    };
};
export type InboxMessage = {
    id: string;
    person: string;
    subject: string | null;
    text: string;
    from: {
        agentId: string;
        agentName: string;
        turnId: string;
        conversationId: string;
    };
    createdAt: string;
    readAt: string | null;
};
export type JsonObject = {
    [key: string]: JsonValue;
};
export type JsonValue = string | number | boolean | null | Array<JsonValue> | {
    [key: string]: JsonValue;
};
export type KnowledgeBase = {
    id: string;
    name: string;
    description: string;
    language: 'arabic' | 'armenian' | 'basque' | 'catalan' | 'danish' | 'dutch' | 'english' | 'finnish' | 'french' | 'german' | 'greek' | 'hindi' | 'hungarian' | 'indonesian' | 'irish' | 'italian' | 'lithuanian' | 'nepali' | 'norwegian' | 'portuguese' | 'romanian' | 'russian' | 'serbian' | 'simple' | 'spanish' | 'swedish' | 'tamil' | 'turkish' | 'yiddish';
    embeddingModel: string | null;
    embeddingConnectionId: string | null;
    chunking: {
        maxCharacters: number;
        overlapCharacters: number;
    };
    documentCount: number;
    createdAt: string;
    updatedAt: string;
};
export type KnowledgeBaseTool = {
    id: string;
    type: 'knowledge_base';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The knowledge base that is searched
         */
        knowledgeBaseId?: string | undefined;
    };
};
export type KnowledgeResult = {
    text: string;
    score: number;
    document: {
        id: string;
        name: string;
    };
    position: number;
    page: number | null;
    headings: Array<string>;
};
export type LinkedReplay = {
    id: string;
    name: string;
    status: 'running' | 'paused' | 'completed' | 'stopped' | 'cancelled' | 'failed';
    input: {
        name: string;
        selection: {
            agentId?: string | undefined;
            conversationIds?: Array<string> | undefined;
            turnIds?: Array<string> | undefined;
            from?: string | undefined;
            to?: string | undefined;
            outcomes: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'>;
            tool?: string | undefined;
            tag?: string | undefined;
            sample?: {
                size: number;
                seed: number;
            } | undefined;
        };
        candidate: {
            agentVersionId?: string | undefined;
            agent?: {
                model: string;
                instructions: string;
                limits: {
                    activityTimeoutMs?: number | undefined;
                    modelTimeoutMs?: number | undefined;
                    turnTimeoutMs?: number | undefined;
                    startTimeoutMs?: number | undefined;
                    absenceTimeoutMs?: number | undefined;
                    maxIterations?: number | undefined;
                    contextCharacters?: number | undefined;
                    maxTokens?: number | undefined;
                    maxAgentDepth?: number | undefined;
                    approvalTimeoutMs?: number | undefined;
                };
                toolCallsInText: boolean | null;
                modelConnectionId: string | null;
                /**
                 * Models that are called when the ones before them are away, in this order
                 */
                fallbackModels: Array<{
                    model: string;
                    modelConnectionId: string | null;
                }>;
                modelSettings: {
                    temperature?: number | undefined;
                    topP?: number | undefined;
                    maxOutputTokens?: number | undefined;
                    reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                    /**
                     * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                     */
                    reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                    /**
                     * `required`, or the name of a tool, holds for the first model call of a turn
                     */
                    toolChoice?: ('auto' | 'required' | 'none' | {
                        tool: string;
                    }) | undefined;
                    parallelToolCalls?: boolean | undefined;
                    /**
                     * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                     */
                    promptCaching?: ('auto' | '1h' | 'off') | undefined;
                    /**
                     * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                     */
                    structuredOutput?: ('native' | 'asked') | undefined;
                    /**
                     * The files that models take which Holdfast does not know; without it they get texts and notes
                     */
                    takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                    /**
                     * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                     */
                    providerOptions?: {
                        [key: string]: JsonObject;
                    } | undefined;
                    headers?: {
                        [key: string]: string;
                    } | undefined;
                };
                /**
                 * How the conversation is shortened when it is too long for its model
                 */
                compaction: 'off' | 'oldest_first' | 'summarize';
                /**
                 * The tokens above which the context is shortened; null for a number that fits the model
                 */
                compactionThreshold: number | null;
                /**
                 * The model that writes summaries; null for the agent's own
                 */
                summaryModel: string | null;
                rules: {
                    toolAllowlist?: Array<string> | undefined;
                    toolPolicies: {
                        [key: string]: {
                            schema?: JsonObject | undefined;
                            minimums?: {
                                [key: string]: number;
                            } | undefined;
                            maximums?: {
                                [key: string]: number;
                            } | undefined;
                            allowedValues?: {
                                [key: string]: Array<JsonValue>;
                            } | undefined;
                            patterns?: {
                                [key: string]: string;
                            } | undefined;
                            forbiddenFields?: Array<string> | undefined;
                            maxCallsPerTurn?: number | undefined;
                            maxCallsPerDay?: number | undefined;
                            approval?: ('ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: false | undefined;
                        };
                    };
                    forLater?: Array<string> | undefined;
                    canaryTokens: Array<string>;
                    onBlocked: 'continue' | 'end_turn';
                };
                tools: Array<{
                    type: string;
                    name: string;
                    /**
                     * The first 4,000 characters are kept
                     */
                    description: string;
                    schema: JsonObject;
                    settings?: {
                        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                        timeoutMs?: number | undefined;
                        settleAfterMs?: number | undefined;
                        enabled?: boolean | undefined;
                        approval?: ('never' | 'ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: boolean | undefined;
                        credits?: string | undefined;
                    } | undefined;
                    config: JsonObject;
                }>;
            } | undefined;
            model?: string | undefined;
            modelConnectionId?: (string | null) | undefined;
            instructions?: string | undefined;
            sampling?: {
                temperature?: number | undefined;
                maxOutputTokens?: number | undefined;
            } | undefined;
            tools?: {
                remove: Array<string>;
                change: {
                    [key: string]: {
                        name?: string | undefined;
                        description?: string | undefined;
                        schema?: JsonObject | undefined;
                    };
                };
                add: Array<{
                    name: string;
                    description: string;
                    schema: JsonObject;
                }>;
            } | undefined;
            rules?: {
                toolAllowlist?: Array<string> | undefined;
                toolPolicies: {
                    [key: string]: {
                        schema?: JsonObject | undefined;
                        minimums?: {
                            [key: string]: number;
                        } | undefined;
                        maximums?: {
                            [key: string]: number;
                        } | undefined;
                        allowedValues?: {
                            [key: string]: Array<JsonValue>;
                        } | undefined;
                        patterns?: {
                            [key: string]: string;
                        } | undefined;
                        forbiddenFields?: Array<string> | undefined;
                        maxCallsPerTurn?: number | undefined;
                        maxCallsPerDay?: number | undefined;
                        approval?: ('ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: false | undefined;
                    };
                };
                forLater?: Array<string> | undefined;
                canaryTokens: Array<string>;
                onBlocked: 'continue' | 'end_turn';
            } | undefined;
        };
        mode: 'turns' | 'conversations';
        toolAnswers: {
            [key: string]: 'recorded' | 'live';
        };
        onMiss: 'stop' | 'stub' | 'live_if_read_only';
        stubs: {
            [key: string]: string;
        };
        baseline: boolean;
        repeats: number;
        pass: {
            trajectories: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'>;
            answer: 'any' | 'normalised' | 'exact';
        };
        ceiling: {
            costUsd?: number | undefined;
            tokens?: number | undefined;
        };
        modelCallsPerMinute?: number | undefined;
        concurrency: number;
        judge?: {
            model: string;
            modelConnectionId?: (string | null) | undefined;
            rubric: string;
            labels: {
                [key: string]: 'better' | 'worse' | 'tie';
            };
        } | undefined;
        prices: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        margins?: {
            passed?: number | undefined;
            scores?: number | undefined;
            costUsd?: number | undefined;
            durationMs?: number | undefined;
        } | undefined;
        /**
         * @deprecated
         */
        seed?: number | undefined;
    };
    cases: number | null;
    runs: {
        total: number | null;
        done: number;
        failed: number;
    };
    spent: {
        tokens: number;
        costUsd: number;
    };
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    error: ErrorInfo | null;
    createdAt: string;
    settledAt: string | null;
    stuck?: Stuck | undefined;
    workflowId: string | null;
    temporalUrl: string | null;
};
export type LinkedSwarm = {
    id: string;
    kind: 'simple' | 'rich';
    goal: string;
    leader: string | null;
    conversationId: string | null;
    status: 'running' | 'paused' | 'ending' | 'completed' | 'ended' | 'stopped' | 'failed';
    limits: {
        concurrency: number;
        turns: number;
        timeMs: number;
        tokens: number | null;
        credits: string | null;
        depth: number;
        retries: number;
    };
    turnsUsed: number;
    tokensUsed: number;
    creditsUsed: string;
    parentSwarmId: string | null;
    parentTurnId: string | null;
    depth: number;
    reason: string | null;
    result: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    createdAt: string;
    deadlineAt: string;
    settledAt: string | null;
    state: {
        subTasks: Array<Subtask>;
        blackboard: Array<{
            id: string;
            value: JsonValue;
            updatedAt: string;
        }>;
        messages: Array<{
            id: string;
            topic: string;
            text: string;
            from: {
                agentId: string;
                agentName: string;
                turnId: string;
                conversationId: string;
            };
            createdAt: string;
        }>;
        subtaskLeaders: {
            [key: string]: string;
        };
        teamConfig: {
            leader?: string | undefined;
            members?: Array<{
                agentId: string;
                name?: string | undefined;
                role?: string | undefined;
                [key: string]: unknown;
            }> | undefined;
            [key: string]: unknown;
        };
    };
    pendingActions: Array<{
        id: string;
        kind: 'approval' | 'question' | 'client_tool';
        tool: string;
        swarmId: string;
        subtaskId: string | null;
        turnId: string;
        createdAt: string;
        expiresAt: string;
    }>;
    stuck?: Stuck | undefined;
    workflowId: string | null;
    temporalUrl: string | null;
};
export type LinkedTurn = {
    id: string;
    conversationId: string;
    agentId: string;
    agentVersionId: string;
    parentTurnId: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    messageId: string | null;
    steeredInto: string | null;
    recordedFrom: string | null;
    rolledBack: boolean;
    status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered';
    outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | null;
    answer: string | null;
    answerJson: JsonObject | null;
    error: ErrorInfo | null;
    iterations: number;
    usage: Usage;
    credits: string;
    createdAt: string;
    startedAt: string | null;
    deadlineAt: string | null;
    settledAt: string | null;
    responseSchema: JsonObject | null;
    toolCalls: Array<ToolCall>;
    failedAttempts: Array<{
        iteration: number;
        index: number | null;
        attempt: number;
        error: ErrorInfo;
        failedAt: string;
    }>;
    pendingActions: Array<PendingAction>;
    stuck?: Stuck | undefined;
    workflowId: string | null;
    temporalUrl: string | null;
};
export type ListedTurn = {
    id: string;
    conversationId: string;
    agentId: string;
    agentVersionId: string;
    parentTurnId: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    messageId: string | null;
    steeredInto: string | null;
    recordedFrom: string | null;
    rolledBack: boolean;
    status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered';
    outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | null;
    answer: string | null;
    answerJson: JsonObject | null;
    error: ErrorInfo | null;
    iterations: number;
    usage: Usage;
    credits: string;
    createdAt: string;
    startedAt: string | null;
    deadlineAt: string | null;
    settledAt: string | null;
    messagePreview: string | null;
};
export type Maker = {
    type: 'person' | 'key' | 'agent';
    person: string | null;
    apiKeyId: string | null;
    agentId: string | null;
    turnId: string | null;
};
export type McpTool = {
    id: string;
    type: 'mcp';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The connection that the tool is called over
         */
        connectionId?: string | undefined;
        /**
         * The provider of that connection; `mcp` for an MCP server
         */
        provider?: string | undefined;
        /**
         * The connector that the tool was provisioned from
         */
        connectorId?: string | undefined;
        /**
         * The name of a server in the operator's MCP catalogue
         */
        server?: string | undefined;
        /**
         * The name of the tool on its server. Without it the name of the tool
         */
        tool?: string | undefined;
        /**
         * Makes this the one tool through which all tools of `servers` are listed and called
         */
        gateway?: boolean | undefined;
        /**
         * Names of the agent's connectors, of connections or of catalogue servers. Without it all connectors of the agent
         */
        servers?: Array<string> | undefined;
    };
};
export type Message = {
    id: string;
    turnId: string;
    role: 'user' | 'assistant' | 'summary';
    text: string;
    /**
     * Null for a message that is text only
     */
    parts: Array<{
        type: 'text';
        text: string;
    } | {
        type: 'image';
        /**
         * A file of the workspace; see POST /api/files
         */
        fileId: string;
        detail?: ('low' | 'high' | 'auto') | undefined;
    } | {
        type: 'audio';
        /**
         * A file of the workspace; see POST /api/files
         */
        fileId: string;
    } | {
        type: 'file';
        /**
         * A file of the workspace; see POST /api/files
         */
        fileId: string;
    } | {
        type: 'data';
        /**
         * JSON, which the model gets as text
         */
        data: JsonValue;
        name?: string | undefined;
    }> | null;
    reasoning: string | null;
    iteration: number;
    hidden: boolean;
    createdAt: string;
};
export type NewAgentTool = {
    type: 'agent';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The agent that is asked
         */
        agentId?: string | undefined;
        /**
         * The name of that agent when the tool was added; set by the server
         */
        agentName?: string | undefined;
        /**
         * Whether the allowlist and the policies of the calling agent hold in the turns below as well
         */
        inheritRules?: boolean | undefined;
    };
};
export type NewFunctionTool = {
    type: 'function';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description?: string | undefined;
    schema?: JsonObject | undefined;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config?: {
        /**
         * Where a call is executed. With `client` by the program that uses the API: it finds the call among the pending actions, and posts the result
         */
        runs?: ('worker' | 'client') | undefined;
        /**
         * The function that is called. Without it the one of the name of the tool
         */
        functionName?: string | undefined;
        /**
         * The connection that a built-in function searches or pays with
         */
        connectionId?: string | undefined;
        /**
         * The provider of that connection
         */
        provider?: string | undefined;
        /**
         * The knowledge base that `file_search` searches
         */
        knowledgeBaseId?: string | undefined;
        /**
         * The image model that `generate_image` uses, such as `openai/gpt-image-1`
         */
        model?: string | undefined;
        /**
         * Whether the allowlist and the policies of the agent hold as well in the routines that `run_routine` starts, and for the members of swarms that `spawn_swarm` starts
         */
        inheritRules?: boolean | undefined;
    } | undefined;
};
export type NewKnowledgeBaseTool = {
    type: 'knowledge_base';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The knowledge base that is searched
         */
        knowledgeBaseId?: string | undefined;
    };
};
export type NewMcpTool = {
    type: 'mcp';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The connection that the tool is called over
         */
        connectionId?: string | undefined;
        /**
         * The provider of that connection; `mcp` for an MCP server
         */
        provider?: string | undefined;
        /**
         * The connector that the tool was provisioned from
         */
        connectorId?: string | undefined;
        /**
         * The name of a server in the operator's MCP catalogue
         */
        server?: string | undefined;
        /**
         * The name of the tool on its server. Without it the name of the tool
         */
        tool?: string | undefined;
        /**
         * Makes this the one tool through which all tools of `servers` are listed and called
         */
        gateway?: boolean | undefined;
        /**
         * Names of the agent's connectors, of connections or of catalogue servers. Without it all connectors of the agent
         */
        servers?: Array<string> | undefined;
    };
};
export type NewTool = NewAgentTool | NewFunctionTool | NewKnowledgeBaseTool | NewMcpTool | NewWorkflowTool;
export type NewWorkflowTool = {
    type: 'workflow';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The id of the workflow in the operator's catalogue
         */
        workflowId?: string | undefined;
        /**
         * Whether the call answers with the id of the run at once instead of waiting for its end
         */
        detach?: boolean | undefined;
    };
};
export type PendingAction = {
    id: string;
    kind: 'approval' | 'question' | 'client_tool';
    status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled';
    conversationId: string;
    turnId: string;
    rootTurnId: string;
    toolCallId: string;
    tool: string;
    target: string | null;
    connections: Array<string>;
    arguments: JsonObject;
    createdAt: string;
    expiresAt: string;
    remindedAt: string | null;
    decidedAt: string | null;
    decidedBy: Decider | null;
    reason: string | null;
    approvedArguments: JsonObject | null;
    question: string | null;
    schema: JsonObject | null;
    options: Array<string> | null;
    server: string | null;
    url: string | null;
    answer: JsonValue | null;
    isError: boolean | null;
    canRemember: boolean;
    askedBy: Array<{
        apiKeyId: string | null;
        actingFor: string | null;
    }>;
    approvers: Array<Array<string>>;
    askedBecause: Array<string>;
    selfApproval: boolean;
    redeemedAt: string | null;
};
export type Replay = {
    id: string;
    name: string;
    status: 'running' | 'paused' | 'completed' | 'stopped' | 'cancelled' | 'failed';
    input: {
        name: string;
        selection: {
            agentId?: string | undefined;
            conversationIds?: Array<string> | undefined;
            turnIds?: Array<string> | undefined;
            from?: string | undefined;
            to?: string | undefined;
            outcomes: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'>;
            tool?: string | undefined;
            tag?: string | undefined;
            sample?: {
                size: number;
                seed: number;
            } | undefined;
        };
        candidate: {
            agentVersionId?: string | undefined;
            agent?: {
                model: string;
                instructions: string;
                limits: {
                    activityTimeoutMs?: number | undefined;
                    modelTimeoutMs?: number | undefined;
                    turnTimeoutMs?: number | undefined;
                    startTimeoutMs?: number | undefined;
                    absenceTimeoutMs?: number | undefined;
                    maxIterations?: number | undefined;
                    contextCharacters?: number | undefined;
                    maxTokens?: number | undefined;
                    maxAgentDepth?: number | undefined;
                    approvalTimeoutMs?: number | undefined;
                };
                toolCallsInText: boolean | null;
                modelConnectionId: string | null;
                /**
                 * Models that are called when the ones before them are away, in this order
                 */
                fallbackModels: Array<{
                    model: string;
                    modelConnectionId: string | null;
                }>;
                modelSettings: {
                    temperature?: number | undefined;
                    topP?: number | undefined;
                    maxOutputTokens?: number | undefined;
                    reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                    /**
                     * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                     */
                    reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                    /**
                     * `required`, or the name of a tool, holds for the first model call of a turn
                     */
                    toolChoice?: ('auto' | 'required' | 'none' | {
                        tool: string;
                    }) | undefined;
                    parallelToolCalls?: boolean | undefined;
                    /**
                     * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                     */
                    promptCaching?: ('auto' | '1h' | 'off') | undefined;
                    /**
                     * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                     */
                    structuredOutput?: ('native' | 'asked') | undefined;
                    /**
                     * The files that models take which Holdfast does not know; without it they get texts and notes
                     */
                    takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                    /**
                     * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                     */
                    providerOptions?: {
                        [key: string]: JsonObject;
                    } | undefined;
                    headers?: {
                        [key: string]: string;
                    } | undefined;
                };
                /**
                 * How the conversation is shortened when it is too long for its model
                 */
                compaction: 'off' | 'oldest_first' | 'summarize';
                /**
                 * The tokens above which the context is shortened; null for a number that fits the model
                 */
                compactionThreshold: number | null;
                /**
                 * The model that writes summaries; null for the agent's own
                 */
                summaryModel: string | null;
                rules: {
                    toolAllowlist?: Array<string> | undefined;
                    toolPolicies: {
                        [key: string]: {
                            schema?: JsonObject | undefined;
                            minimums?: {
                                [key: string]: number;
                            } | undefined;
                            maximums?: {
                                [key: string]: number;
                            } | undefined;
                            allowedValues?: {
                                [key: string]: Array<JsonValue>;
                            } | undefined;
                            patterns?: {
                                [key: string]: string;
                            } | undefined;
                            forbiddenFields?: Array<string> | undefined;
                            maxCallsPerTurn?: number | undefined;
                            maxCallsPerDay?: number | undefined;
                            approval?: ('ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: false | undefined;
                        };
                    };
                    forLater?: Array<string> | undefined;
                    canaryTokens: Array<string>;
                    onBlocked: 'continue' | 'end_turn';
                };
                tools: Array<{
                    type: string;
                    name: string;
                    /**
                     * The first 4,000 characters are kept
                     */
                    description: string;
                    schema: JsonObject;
                    settings?: {
                        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                        timeoutMs?: number | undefined;
                        settleAfterMs?: number | undefined;
                        enabled?: boolean | undefined;
                        approval?: ('never' | 'ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: boolean | undefined;
                        credits?: string | undefined;
                    } | undefined;
                    config: JsonObject;
                }>;
            } | undefined;
            model?: string | undefined;
            modelConnectionId?: (string | null) | undefined;
            instructions?: string | undefined;
            sampling?: {
                temperature?: number | undefined;
                maxOutputTokens?: number | undefined;
            } | undefined;
            tools?: {
                remove: Array<string>;
                change: {
                    [key: string]: {
                        name?: string | undefined;
                        description?: string | undefined;
                        schema?: JsonObject | undefined;
                    };
                };
                add: Array<{
                    name: string;
                    description: string;
                    schema: JsonObject;
                }>;
            } | undefined;
            rules?: {
                toolAllowlist?: Array<string> | undefined;
                toolPolicies: {
                    [key: string]: {
                        schema?: JsonObject | undefined;
                        minimums?: {
                            [key: string]: number;
                        } | undefined;
                        maximums?: {
                            [key: string]: number;
                        } | undefined;
                        allowedValues?: {
                            [key: string]: Array<JsonValue>;
                        } | undefined;
                        patterns?: {
                            [key: string]: string;
                        } | undefined;
                        forbiddenFields?: Array<string> | undefined;
                        maxCallsPerTurn?: number | undefined;
                        maxCallsPerDay?: number | undefined;
                        approval?: ('ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: false | undefined;
                    };
                };
                forLater?: Array<string> | undefined;
                canaryTokens: Array<string>;
                onBlocked: 'continue' | 'end_turn';
            } | undefined;
        };
        mode: 'turns' | 'conversations';
        toolAnswers: {
            [key: string]: 'recorded' | 'live';
        };
        onMiss: 'stop' | 'stub' | 'live_if_read_only';
        stubs: {
            [key: string]: string;
        };
        baseline: boolean;
        repeats: number;
        pass: {
            trajectories: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'>;
            answer: 'any' | 'normalised' | 'exact';
        };
        ceiling: {
            costUsd?: number | undefined;
            tokens?: number | undefined;
        };
        modelCallsPerMinute?: number | undefined;
        concurrency: number;
        judge?: {
            model: string;
            modelConnectionId?: (string | null) | undefined;
            rubric: string;
            labels: {
                [key: string]: 'better' | 'worse' | 'tie';
            };
        } | undefined;
        prices: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        margins?: {
            passed?: number | undefined;
            scores?: number | undefined;
            costUsd?: number | undefined;
            durationMs?: number | undefined;
        } | undefined;
        /**
         * @deprecated
         */
        seed?: number | undefined;
    };
    cases: number | null;
    runs: {
        total: number | null;
        done: number;
        failed: number;
    };
    spent: {
        tokens: number;
        costUsd: number;
    };
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    error: ErrorInfo | null;
    createdAt: string;
    settledAt: string | null;
    stuck?: Stuck | undefined;
};
export type ReplayCaseDetails = {
    position: number;
    conversationId: string;
    runs: Array<{
        lane: 'original' | 'baseline' | 'candidate';
        repeat: number;
        run: {
            turns: Array<{
                turnId: string;
                message: string;
                outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'missed';
                answer: string;
                answerJson?: (JsonObject | null) | undefined;
                error: ErrorInfo | null;
                steps: Array<{
                    iteration: number;
                    text: string;
                    calls: Array<{
                        name: string;
                        arguments: JsonObject | null;
                        answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed' | null;
                        recordedCallId: string | null;
                        status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
                        result: string;
                        rule: string | null;
                        asks?: Array<string> | undefined;
                    }>;
                }>;
                unasked: Array<{
                    toolCallId: string;
                    name: string;
                }>;
                usage: Usage;
                costUsd: number | null;
                durationMs: number;
            }>;
        } | null;
        comparison: {
            passed: boolean;
            trajectory: 'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different';
            firstDifference: {
                turn: number;
                iteration: number;
                kind: 'tool_removed' | 'tool_added' | 'tool_changed' | 'arguments' | 'answered_early' | 'answered_late' | 'rule' | 'refused' | 'outcome' | 'answer';
                expected: string;
                found: string;
            } | null;
            brokenCalls?: Array<{
                turn: number;
                iteration: number;
                name: string;
                answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed';
                reason: string;
            }> | undefined;
            scores: {
                [key: string]: number;
            };
            judged: {
                verdict: 'better' | 'worse' | 'tie';
                flipped: boolean;
                reasons: Array<string>;
                promptHash: string;
                usage: Usage;
                costUsd: number | null;
            } | null;
        } | null;
        error: ErrorInfo | null;
        outside: {
            connectionsOpened: number;
            credentialsDecrypted: number;
        };
    }>;
};
export type ReportCase = {
    position: number;
    conversationId: string;
    turnIds: Array<string>;
    change: number;
    changed: boolean;
    turn: number;
    message: string;
    tools: Array<string>;
    lanes: {
        [key: string]: {
            repeats: {
                runs: number;
                passed: number;
            };
            passed: boolean;
            error: ErrorInfo | null;
            outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'missed' | null;
            trajectory: 'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different' | null;
            firstDifference: {
                turn: number;
                iteration: number;
                kind: 'tool_removed' | 'tool_added' | 'tool_changed' | 'arguments' | 'answered_early' | 'answered_late' | 'rule' | 'refused' | 'outcome' | 'answer';
                expected: string;
                found: string;
            } | null;
            brokenCalls: Array<{
                turn: number;
                iteration: number;
                name: string;
                answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed';
                reason: string;
            }>;
            scores: {
                [key: string]: number;
            };
            judged: {
                verdict: 'better' | 'worse' | 'tie';
                flipped: boolean;
                reasons: Array<string>;
                promptHash: string;
            } | null;
            ruleBlocks: Array<{
                tool: string;
                rule: string;
            }>;
            calls: number;
            answer: string | null;
            usage: Usage;
            costUsd: number | null;
            durationMs: number;
        };
    };
    answerDiff: Array<[
        -1 | 0 | 1,
        string
    ]> | null;
};
export type Resource = {
    id: string;
    kind: string;
    name: string;
    tags: Array<string>;
    version: number;
    attributes: JsonObject;
    owner: Maker | null;
    expiresAt: string | null;
    createdAt: string;
    updatedAt: string;
    deletedAt: string | null;
};
export type ResourceVersion = {
    version: number;
    attributes: JsonObject;
    madeBy: Maker | null;
    createdAt: string;
};
export type Schedule = {
    id: string;
    name: string;
    times: {
        cron?: (string | Array<string>) | undefined;
        interval?: {
            everyMs: number;
            /**
             * Shifts the times, which are multiples of `everyMs` since 1970 in UTC
             */
            offsetMs: number;
        } | undefined;
        calendars?: Array<{
            /**
             * 0 by default
             */
            second?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 by default
             */
            minute?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 by default
             */
            hour?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            dayOfMonth?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            month?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 is Sunday; all by default
             */
            dayOfWeek?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            year?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
        }> | undefined;
    };
    timeZone: string;
    action: {
        kind: 'turn';
        /**
         * Each run begins a conversation with this agent
         */
        agentId?: string | undefined;
        /**
         * All runs are turns of this conversation
         */
        conversationId?: string | undefined;
        message: string;
        actingFor?: string | undefined;
    } | {
        kind: 'routine';
        routineId: string;
        /**
         * The input of each run; an empty object by default
         */
        input?: JsonValue | undefined;
    } | {
        kind: 'replay';
        replay: {
            name: string;
            selection: {
                agentId?: string | undefined;
                conversationIds?: Array<string> | undefined;
                turnIds?: Array<string> | undefined;
                from?: string | undefined;
                to?: string | undefined;
                outcomes: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'>;
                tool?: string | undefined;
                tag?: string | undefined;
                sample?: {
                    size: number;
                    seed: number;
                } | undefined;
            };
            candidate: {
                agentVersionId?: string | undefined;
                agent?: {
                    model: string;
                    instructions: string;
                    limits: {
                        activityTimeoutMs?: number | undefined;
                        modelTimeoutMs?: number | undefined;
                        turnTimeoutMs?: number | undefined;
                        startTimeoutMs?: number | undefined;
                        absenceTimeoutMs?: number | undefined;
                        maxIterations?: number | undefined;
                        contextCharacters?: number | undefined;
                        maxTokens?: number | undefined;
                        maxAgentDepth?: number | undefined;
                        approvalTimeoutMs?: number | undefined;
                    };
                    toolCallsInText: boolean | null;
                    modelConnectionId: string | null;
                    /**
                     * Models that are called when the ones before them are away, in this order
                     */
                    fallbackModels: Array<{
                        model: string;
                        modelConnectionId: string | null;
                    }>;
                    modelSettings: {
                        temperature?: number | undefined;
                        topP?: number | undefined;
                        maxOutputTokens?: number | undefined;
                        reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                        /**
                         * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                         */
                        reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                        /**
                         * `required`, or the name of a tool, holds for the first model call of a turn
                         */
                        toolChoice?: ('auto' | 'required' | 'none' | {
                            tool: string;
                        }) | undefined;
                        parallelToolCalls?: boolean | undefined;
                        /**
                         * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                         */
                        promptCaching?: ('auto' | '1h' | 'off') | undefined;
                        /**
                         * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                         */
                        structuredOutput?: ('native' | 'asked') | undefined;
                        /**
                         * The files that models take which Holdfast does not know; without it they get texts and notes
                         */
                        takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                        /**
                         * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                         */
                        providerOptions?: {
                            [key: string]: JsonObject;
                        } | undefined;
                        headers?: {
                            [key: string]: string;
                        } | undefined;
                    };
                    /**
                     * How the conversation is shortened when it is too long for its model
                     */
                    compaction: 'off' | 'oldest_first' | 'summarize';
                    /**
                     * The tokens above which the context is shortened; null for a number that fits the model
                     */
                    compactionThreshold: number | null;
                    /**
                     * The model that writes summaries; null for the agent's own
                     */
                    summaryModel: string | null;
                    rules: {
                        toolAllowlist?: Array<string> | undefined;
                        toolPolicies: {
                            [key: string]: {
                                schema?: JsonObject | undefined;
                                minimums?: {
                                    [key: string]: number;
                                } | undefined;
                                maximums?: {
                                    [key: string]: number;
                                } | undefined;
                                allowedValues?: {
                                    [key: string]: Array<JsonValue>;
                                } | undefined;
                                patterns?: {
                                    [key: string]: string;
                                } | undefined;
                                forbiddenFields?: Array<string> | undefined;
                                maxCallsPerTurn?: number | undefined;
                                maxCallsPerDay?: number | undefined;
                                approval?: ('ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: false | undefined;
                            };
                        };
                        forLater?: Array<string> | undefined;
                        canaryTokens: Array<string>;
                        onBlocked: 'continue' | 'end_turn';
                    };
                    tools: Array<{
                        type: string;
                        name: string;
                        /**
                         * The first 4,000 characters are kept
                         */
                        description: string;
                        schema: JsonObject;
                        settings?: {
                            effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                            timeoutMs?: number | undefined;
                            settleAfterMs?: number | undefined;
                            enabled?: boolean | undefined;
                            approval?: ('never' | 'ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: boolean | undefined;
                            credits?: string | undefined;
                        } | undefined;
                        config: JsonObject;
                    }>;
                } | undefined;
                model?: string | undefined;
                modelConnectionId?: (string | null) | undefined;
                instructions?: string | undefined;
                sampling?: {
                    temperature?: number | undefined;
                    maxOutputTokens?: number | undefined;
                } | undefined;
                tools?: {
                    remove: Array<string>;
                    change: {
                        [key: string]: {
                            name?: string | undefined;
                            description?: string | undefined;
                            schema?: JsonObject | undefined;
                        };
                    };
                    add: Array<{
                        name: string;
                        description: string;
                        schema: JsonObject;
                    }>;
                } | undefined;
                rules?: {
                    toolAllowlist?: Array<string> | undefined;
                    toolPolicies: {
                        [key: string]: {
                            schema?: JsonObject | undefined;
                            minimums?: {
                                [key: string]: number;
                            } | undefined;
                            maximums?: {
                                [key: string]: number;
                            } | undefined;
                            allowedValues?: {
                                [key: string]: Array<JsonValue>;
                            } | undefined;
                            patterns?: {
                                [key: string]: string;
                            } | undefined;
                            forbiddenFields?: Array<string> | undefined;
                            maxCallsPerTurn?: number | undefined;
                            maxCallsPerDay?: number | undefined;
                            approval?: ('ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: false | undefined;
                        };
                    };
                    forLater?: Array<string> | undefined;
                    canaryTokens: Array<string>;
                    onBlocked: 'continue' | 'end_turn';
                } | undefined;
            };
            mode: 'turns' | 'conversations';
            toolAnswers: {
                [key: string]: 'recorded' | 'live';
            };
            onMiss: 'stop' | 'stub' | 'live_if_read_only';
            stubs: {
                [key: string]: string;
            };
            baseline: boolean;
            repeats: number;
            pass: {
                trajectories: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'>;
                answer: 'any' | 'normalised' | 'exact';
            };
            ceiling: {
                costUsd?: number | undefined;
                tokens?: number | undefined;
            };
            modelCallsPerMinute?: number | undefined;
            concurrency: number;
            judge?: {
                model: string;
                modelConnectionId?: (string | null) | undefined;
                rubric: string;
                labels: {
                    [key: string]: 'better' | 'worse' | 'tie';
                };
            } | undefined;
            prices: {
                [key: string]: {
                    input: number;
                    output: number;
                    cacheRead?: number | undefined;
                    cacheWrite?: number | undefined;
                    perCall?: number | undefined;
                    perImage?: number | undefined;
                    maxOutputTokens?: number | undefined;
                };
            };
            margins?: {
                passed?: number | undefined;
                scores?: number | undefined;
                costUsd?: number | undefined;
                durationMs?: number | undefined;
            } | undefined;
            /**
             * @deprecated
             */
            seed?: number | undefined;
        };
    };
    overlap: 'skip' | 'buffer_one' | 'buffer_all' | 'cancel_other' | 'allow_all';
    catchUpMs: number;
    paused: boolean;
    createdBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    };
    /**
     * The last changer; null before the first change
     */
    changedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    /**
     * Since when it starts nothing, because who made or changed it lost the right to; null while it works
     */
    stoppedAt: string | null;
    stoppedReason: string | null;
    createdAt: string;
    updatedAt: string;
};
export type ScheduleDetails = {
    id: string;
    name: string;
    times: {
        cron?: (string | Array<string>) | undefined;
        interval?: {
            everyMs: number;
            /**
             * Shifts the times, which are multiples of `everyMs` since 1970 in UTC
             */
            offsetMs: number;
        } | undefined;
        calendars?: Array<{
            /**
             * 0 by default
             */
            second?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 by default
             */
            minute?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 by default
             */
            hour?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            dayOfMonth?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            month?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * 0 is Sunday; all by default
             */
            dayOfWeek?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
            /**
             * All by default
             */
            year?: (number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            } | Array<number | {
                start: number;
                end?: number | undefined;
                step?: number | undefined;
            }>) | undefined;
        }> | undefined;
    };
    timeZone: string;
    action: {
        kind: 'turn';
        /**
         * Each run begins a conversation with this agent
         */
        agentId?: string | undefined;
        /**
         * All runs are turns of this conversation
         */
        conversationId?: string | undefined;
        message: string;
        actingFor?: string | undefined;
    } | {
        kind: 'routine';
        routineId: string;
        /**
         * The input of each run; an empty object by default
         */
        input?: JsonValue | undefined;
    } | {
        kind: 'replay';
        replay: {
            name: string;
            selection: {
                agentId?: string | undefined;
                conversationIds?: Array<string> | undefined;
                turnIds?: Array<string> | undefined;
                from?: string | undefined;
                to?: string | undefined;
                outcomes: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'>;
                tool?: string | undefined;
                tag?: string | undefined;
                sample?: {
                    size: number;
                    seed: number;
                } | undefined;
            };
            candidate: {
                agentVersionId?: string | undefined;
                agent?: {
                    model: string;
                    instructions: string;
                    limits: {
                        activityTimeoutMs?: number | undefined;
                        modelTimeoutMs?: number | undefined;
                        turnTimeoutMs?: number | undefined;
                        startTimeoutMs?: number | undefined;
                        absenceTimeoutMs?: number | undefined;
                        maxIterations?: number | undefined;
                        contextCharacters?: number | undefined;
                        maxTokens?: number | undefined;
                        maxAgentDepth?: number | undefined;
                        approvalTimeoutMs?: number | undefined;
                    };
                    toolCallsInText: boolean | null;
                    modelConnectionId: string | null;
                    /**
                     * Models that are called when the ones before them are away, in this order
                     */
                    fallbackModels: Array<{
                        model: string;
                        modelConnectionId: string | null;
                    }>;
                    modelSettings: {
                        temperature?: number | undefined;
                        topP?: number | undefined;
                        maxOutputTokens?: number | undefined;
                        reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                        /**
                         * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                         */
                        reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                        /**
                         * `required`, or the name of a tool, holds for the first model call of a turn
                         */
                        toolChoice?: ('auto' | 'required' | 'none' | {
                            tool: string;
                        }) | undefined;
                        parallelToolCalls?: boolean | undefined;
                        /**
                         * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                         */
                        promptCaching?: ('auto' | '1h' | 'off') | undefined;
                        /**
                         * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                         */
                        structuredOutput?: ('native' | 'asked') | undefined;
                        /**
                         * The files that models take which Holdfast does not know; without it they get texts and notes
                         */
                        takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                        /**
                         * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                         */
                        providerOptions?: {
                            [key: string]: JsonObject;
                        } | undefined;
                        headers?: {
                            [key: string]: string;
                        } | undefined;
                    };
                    /**
                     * How the conversation is shortened when it is too long for its model
                     */
                    compaction: 'off' | 'oldest_first' | 'summarize';
                    /**
                     * The tokens above which the context is shortened; null for a number that fits the model
                     */
                    compactionThreshold: number | null;
                    /**
                     * The model that writes summaries; null for the agent's own
                     */
                    summaryModel: string | null;
                    rules: {
                        toolAllowlist?: Array<string> | undefined;
                        toolPolicies: {
                            [key: string]: {
                                schema?: JsonObject | undefined;
                                minimums?: {
                                    [key: string]: number;
                                } | undefined;
                                maximums?: {
                                    [key: string]: number;
                                } | undefined;
                                allowedValues?: {
                                    [key: string]: Array<JsonValue>;
                                } | undefined;
                                patterns?: {
                                    [key: string]: string;
                                } | undefined;
                                forbiddenFields?: Array<string> | undefined;
                                maxCallsPerTurn?: number | undefined;
                                maxCallsPerDay?: number | undefined;
                                approval?: ('ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: false | undefined;
                            };
                        };
                        forLater?: Array<string> | undefined;
                        canaryTokens: Array<string>;
                        onBlocked: 'continue' | 'end_turn';
                    };
                    tools: Array<{
                        type: string;
                        name: string;
                        /**
                         * The first 4,000 characters are kept
                         */
                        description: string;
                        schema: JsonObject;
                        settings?: {
                            effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                            timeoutMs?: number | undefined;
                            settleAfterMs?: number | undefined;
                            enabled?: boolean | undefined;
                            approval?: ('never' | 'ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: boolean | undefined;
                            credits?: string | undefined;
                        } | undefined;
                        config: JsonObject;
                    }>;
                } | undefined;
                model?: string | undefined;
                modelConnectionId?: (string | null) | undefined;
                instructions?: string | undefined;
                sampling?: {
                    temperature?: number | undefined;
                    maxOutputTokens?: number | undefined;
                } | undefined;
                tools?: {
                    remove: Array<string>;
                    change: {
                        [key: string]: {
                            name?: string | undefined;
                            description?: string | undefined;
                            schema?: JsonObject | undefined;
                        };
                    };
                    add: Array<{
                        name: string;
                        description: string;
                        schema: JsonObject;
                    }>;
                } | undefined;
                rules?: {
                    toolAllowlist?: Array<string> | undefined;
                    toolPolicies: {
                        [key: string]: {
                            schema?: JsonObject | undefined;
                            minimums?: {
                                [key: string]: number;
                            } | undefined;
                            maximums?: {
                                [key: string]: number;
                            } | undefined;
                            allowedValues?: {
                                [key: string]: Array<JsonValue>;
                            } | undefined;
                            patterns?: {
                                [key: string]: string;
                            } | undefined;
                            forbiddenFields?: Array<string> | undefined;
                            maxCallsPerTurn?: number | undefined;
                            maxCallsPerDay?: number | undefined;
                            approval?: ('ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: false | undefined;
                        };
                    };
                    forLater?: Array<string> | undefined;
                    canaryTokens: Array<string>;
                    onBlocked: 'continue' | 'end_turn';
                } | undefined;
            };
            mode: 'turns' | 'conversations';
            toolAnswers: {
                [key: string]: 'recorded' | 'live';
            };
            onMiss: 'stop' | 'stub' | 'live_if_read_only';
            stubs: {
                [key: string]: string;
            };
            baseline: boolean;
            repeats: number;
            pass: {
                trajectories: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'>;
                answer: 'any' | 'normalised' | 'exact';
            };
            ceiling: {
                costUsd?: number | undefined;
                tokens?: number | undefined;
            };
            modelCallsPerMinute?: number | undefined;
            concurrency: number;
            judge?: {
                model: string;
                modelConnectionId?: (string | null) | undefined;
                rubric: string;
                labels: {
                    [key: string]: 'better' | 'worse' | 'tie';
                };
            } | undefined;
            prices: {
                [key: string]: {
                    input: number;
                    output: number;
                    cacheRead?: number | undefined;
                    cacheWrite?: number | undefined;
                    perCall?: number | undefined;
                    perImage?: number | undefined;
                    maxOutputTokens?: number | undefined;
                };
            };
            margins?: {
                passed?: number | undefined;
                scores?: number | undefined;
                costUsd?: number | undefined;
                durationMs?: number | undefined;
            } | undefined;
            /**
             * @deprecated
             */
            seed?: number | undefined;
        };
    };
    overlap: 'skip' | 'buffer_one' | 'buffer_all' | 'cancel_other' | 'allow_all';
    catchUpMs: number;
    paused: boolean;
    createdBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    };
    /**
     * The last changer; null before the first change
     */
    changedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    /**
     * Since when it starts nothing, because who made or changed it lost the right to; null while it works
     */
    stoppedAt: string | null;
    stoppedReason: string | null;
    createdAt: string;
    updatedAt: string;
    nextRuns: Array<string> | null;
};
export type ScheduleRun = {
    id: string;
    scheduledAt: string;
    status: 'running' | 'completed' | 'failed';
    conversationId: string | null;
    turnId: string | null;
    replayId: string | null;
    routineRunId: string | null;
    outcome: string | null;
    error: ErrorInfo | null;
    startedAt: string;
    endedAt: string | null;
};
export type Skill = {
    id: string;
    name: string;
    description: string;
    /**
     * The number of its newest version
     */
    version: number;
    /**
     * SHA-256 in hex of the files of that version
     */
    digest: string;
    createdAt: string;
    updatedAt: string;
};
export type SkillFile = {
    path: string;
    mediaType: string;
    bytes: number;
    /**
     * SHA-256 in hex of its bytes
     */
    digest: string;
    /**
     * Whether agents can read it: it is UTF-8 without NUL characters
     */
    isText: boolean;
    text: string | null;
    base64: string | null;
};
export type SkillVersion = {
    skillId: string;
    version: number;
    name: string;
    description: string;
    /**
     * SHA-256 in hex of the paths and the digests of its files
     */
    digest: string;
    /**
     * The fields of the front matter as they were imported. `allowed-tools` allows nothing here
     */
    frontMatter: JsonObject;
    fileCount: number;
    /**
     * The size of all files together
     */
    bytes: number;
    createdBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    };
    createdAt: string;
};
export type SkillVersionDetails = {
    skillId: string;
    version: number;
    name: string;
    description: string;
    /**
     * SHA-256 in hex of the paths and the digests of its files
     */
    digest: string;
    /**
     * The fields of the front matter as they were imported. `allowed-tools` allows nothing here
     */
    frontMatter: JsonObject;
    fileCount: number;
    /**
     * The size of all files together
     */
    bytes: number;
    createdBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    };
    createdAt: string;
    /**
     * The instructions: `SKILL.md` without its front matter
     */
    body: string;
    files: Array<{
        path: string;
        mediaType: string;
        bytes: number;
        /**
         * SHA-256 in hex of its bytes
         */
        digest: string;
        /**
         * Whether agents can read it: it is UTF-8 without NUL characters
         */
        isText: boolean;
    }>;
};
export type StoredFile = {
    id: string;
    name: string | null;
    mediaType: string;
    size: number;
    sha256: string;
    pages: number | null;
    width: number | null;
    height: number | null;
    createdAt: string;
};
export type Stuck = {
    since: string;
    cause: string;
};
export type Subtask = {
    id: string;
    description: string;
    assignee: string;
    depends_on: Array<string>;
    priority: 'low' | 'medium' | 'high';
    status: 'todo' | 'in_progress' | 'done' | 'failed' | 'canceled';
    attempts: number;
    result: string | null;
    error: ErrorInfo | null;
    turn_id: string | null;
    created_at: string;
    started_at: string | null;
    ended_at: string | null;
};
export type Swarm = {
    id: string;
    kind: 'simple' | 'rich';
    goal: string;
    leader: string | null;
    conversationId: string | null;
    status: 'running' | 'paused' | 'ending' | 'completed' | 'ended' | 'stopped' | 'failed';
    limits: {
        concurrency: number;
        turns: number;
        timeMs: number;
        tokens: number | null;
        credits: string | null;
        depth: number;
        retries: number;
    };
    turnsUsed: number;
    tokensUsed: number;
    creditsUsed: string;
    parentSwarmId: string | null;
    parentTurnId: string | null;
    depth: number;
    reason: string | null;
    result: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    createdAt: string;
    deadlineAt: string;
    settledAt: string | null;
};
export type SwarmDetails = {
    id: string;
    kind: 'simple' | 'rich';
    goal: string;
    leader: string | null;
    conversationId: string | null;
    status: 'running' | 'paused' | 'ending' | 'completed' | 'ended' | 'stopped' | 'failed';
    limits: {
        concurrency: number;
        turns: number;
        timeMs: number;
        tokens: number | null;
        credits: string | null;
        depth: number;
        retries: number;
    };
    turnsUsed: number;
    tokensUsed: number;
    creditsUsed: string;
    parentSwarmId: string | null;
    parentTurnId: string | null;
    depth: number;
    reason: string | null;
    result: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    createdAt: string;
    deadlineAt: string;
    settledAt: string | null;
    state: {
        subTasks: Array<Subtask>;
        blackboard: Array<{
            id: string;
            value: JsonValue;
            updatedAt: string;
        }>;
        messages: Array<{
            id: string;
            topic: string;
            text: string;
            from: {
                agentId: string;
                agentName: string;
                turnId: string;
                conversationId: string;
            };
            createdAt: string;
        }>;
        subtaskLeaders: {
            [key: string]: string;
        };
        teamConfig: {
            leader?: string | undefined;
            members?: Array<{
                agentId: string;
                name?: string | undefined;
                role?: string | undefined;
                [key: string]: unknown;
            }> | undefined;
            [key: string]: unknown;
        };
    };
    pendingActions: Array<{
        id: string;
        kind: 'approval' | 'question' | 'client_tool';
        tool: string;
        swarmId: string;
        subtaskId: string | null;
        turnId: string;
        createdAt: string;
        expiresAt: string;
    }>;
    stuck?: Stuck | undefined;
};
export type Tool = AgentTool | FunctionTool | KnowledgeBaseTool | McpTool | WorkflowTool;
export type ToolCall = {
    id: string;
    iteration: number;
    index: number;
    name: string;
    type: string;
    status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
    arguments: JsonObject | null;
    result: string | null;
    resultTruncated: boolean;
    content: JsonValue | null;
    childTurnId: string | null;
    answeredBy: 'copy' | 'edited' | 'exact' | 'nearest' | 'stored' | 'blocked' | 'refused' | 'missed' | null;
    approval: {
        actionId: string;
        status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled';
        decidedBy: Decider | null;
    } | null;
    error: ErrorInfo | null;
    attempts: number;
    settling: 'waiting' | 'settled' | 'given_up' | null;
    startedAt: string | null;
    endedAt: string | null;
    durationMs: number | null;
};
export type ToolCallDetails = {
    id: string;
    iteration: number;
    index: number;
    name: string;
    type: string;
    status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
    arguments: JsonObject | null;
    result: string | null;
    resultTruncated: boolean;
    content: JsonValue | null;
    childTurnId: string | null;
    answeredBy: 'copy' | 'edited' | 'exact' | 'nearest' | 'stored' | 'blocked' | 'refused' | 'missed' | null;
    approval: {
        actionId: string;
        status: 'pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled';
        decidedBy: Decider | null;
    } | null;
    error: ErrorInfo | null;
    attempts: number;
    settling: 'waiting' | 'settled' | 'given_up' | null;
    startedAt: string | null;
    endedAt: string | null;
    durationMs: number | null;
    response: ToolResponse | null;
};
export type ToolResponse = {
    isError: boolean;
    content: Array<{
        type: 'text';
        text: string;
    }>;
    creditsUsed: string;
    error: {
        code: 'TOOL_EXECUTION_FAILED' | 'TOOL_RUNNER_EXCEPTION' | 'CONVERSATION_STATE_NOT_FOUND';
        message: string;
        creditsUsed: string;
    } | null;
};
export type ToolState = {
    status: 'active' | 'disabled' | 'quarantined';
    pinnedHash: string | null;
    drift: {
        hash: string;
        detectedAt: string;
        changes: Array<{
            path: string;
            before: JsonValue;
            after: JsonValue;
        }>;
    } | null;
};
export type ToolType = 'agent' | 'function' | 'knowledge_base' | 'mcp' | 'workflow';
export type Trigger = {
    id: string;
    name: string;
    provider: string;
    /**
     * Null for a sender whose rule Holdfast knows
     */
    rule: {
        signature: {
            /**
             * The header with the signature
             */
            header: string;
            /**
             * Of the HMAC; sha256 by default
             */
            algorithm?: ('sha1' | 'sha256' | 'sha512') | undefined;
            encoding: 'hex' | 'base64';
            /**
             * Between the parts of a header that has several, such as signatures by two secrets
             */
            separator?: string | undefined;
            /**
             * Before a signature in the header, such as sha256=
             */
            prefix?: string | undefined;
            /**
             * The signed text, such as {timestamp}.{body}; {url} is the URL of the trigger
             */
            content: string;
            /**
             * Whether the secret is the key itself (default), or has it in base64 behind whsec_
             */
            key?: ('text' | 'base64') | undefined;
        };
        /**
         * When the delivery was signed. Without it only the ids protect against replays
         */
        timestamp?: {
            at: {
                header: string;
            } | {
                field: string;
            } | {
                signaturePart: string;
            };
            unit: 'seconds' | 'milliseconds' | 'iso';
            toleranceSeconds: number;
        } | undefined;
        /**
         * By default a hash of what is signed
         */
        deliveryId?: ({
            header: string;
        } | {
            field: string;
        }) | undefined;
        /**
         * The parts of the type, which are joined by dots
         */
        event?: Array<{
            header: string;
        } | {
            field: string;
        }> | undefined;
        /**
         * Types that never start anything
         */
        testEvents?: Array<string> | undefined;
        /**
         * A signed request that asks for a value of its payload, to check the URL
         */
        challenge?: {
            type: string;
            is: string;
            answer: string;
        } | undefined;
        /**
         * The field that tells that a program has caused the event
         */
        bot?: {
            field: string;
            is?: string | undefined;
        } | undefined;
    } | null;
    url: string;
    events: Array<string>;
    filter: string | null;
    includeBots: boolean;
    action: {
        kind: 'turn';
        /**
         * Begins conversations with this agent
         */
        agentId?: string | undefined;
        /**
         * Deliveries with the same value of this template are turns of one conversation. Without it each begins its own
         */
        conversationKey?: string | undefined;
        /**
         * All deliveries are turns of this conversation
         */
        conversationId?: string | undefined;
        /**
         * A template: `{{ .issue.title }}` stands for a value of the payload. By default the whole payload
         */
        message?: string | undefined;
        /**
         * A template that names the person who caused the event, such as `slack:{{ .event.user }}`
         */
        actingFor?: string | undefined;
    } | {
        kind: 'routine';
        routineId: string;
        /**
         * A jq program that makes the input. By default the payload is the input
         */
        input?: string | undefined;
    };
    maxPerMinute: number;
    paused: boolean;
    hasSecret: boolean;
    oldSecretsUntil: string | null;
    createdBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    };
    /**
     * The last changer; null before the first change
     */
    changedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    /**
     * Since when it starts nothing, because who made or changed it lost the right to; null while it works
     */
    stoppedAt: string | null;
    stoppedReason: string | null;
    createdAt: string;
    updatedAt: string;
};
export type TriggerDelivery = {
    id: string;
    triggerId: string;
    deliveryId: string | null;
    event: string | null;
    status: 'accepted' | 'started' | 'ignored' | 'failed' | 'refused';
    reason: string | null;
    error: ErrorInfo | null;
    conversationId: string | null;
    turnId: string | null;
    routineRunId: string | null;
    duplicates: number;
    receivedAt: string;
    endedAt: string | null;
};
export type TriggerDeliveryDetails = {
    id: string;
    triggerId: string;
    deliveryId: string | null;
    event: string | null;
    status: 'accepted' | 'started' | 'ignored' | 'failed' | 'refused';
    reason: string | null;
    error: ErrorInfo | null;
    conversationId: string | null;
    turnId: string | null;
    routineRunId: string | null;
    duplicates: number;
    receivedAt: string;
    endedAt: string | null;
    payload: JsonValue | null;
};
export type Turn = {
    id: string;
    conversationId: string;
    agentId: string;
    agentVersionId: string;
    parentTurnId: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    messageId: string | null;
    steeredInto: string | null;
    recordedFrom: string | null;
    rolledBack: boolean;
    status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered';
    outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | null;
    answer: string | null;
    answerJson: JsonObject | null;
    error: ErrorInfo | null;
    iterations: number;
    usage: Usage;
    credits: string;
    createdAt: string;
    startedAt: string | null;
    deadlineAt: string | null;
    settledAt: string | null;
};
export type TurnDetails = {
    id: string;
    conversationId: string;
    agentId: string;
    agentVersionId: string;
    parentTurnId: string | null;
    startedBy: {
        apiKeyId: string | null;
        actingFor: string | null;
    } | null;
    messageId: string | null;
    steeredInto: string | null;
    recordedFrom: string | null;
    rolledBack: boolean;
    status: 'queued' | 'running' | 'waiting_for_approval' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered';
    outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | null;
    answer: string | null;
    answerJson: JsonObject | null;
    error: ErrorInfo | null;
    iterations: number;
    usage: Usage;
    credits: string;
    createdAt: string;
    startedAt: string | null;
    deadlineAt: string | null;
    settledAt: string | null;
    responseSchema: JsonObject | null;
    toolCalls: Array<ToolCall>;
    failedAttempts: Array<{
        iteration: number;
        index: number | null;
        attempt: number;
        error: ErrorInfo;
        failedAt: string;
    }>;
    pendingActions: Array<PendingAction>;
    stuck?: Stuck | undefined;
};
export type TurnFigures = {
    day: string | null;
    agentId: string | null;
    person: string | null;
    outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'open' | null;
    turns: number;
    completed: number;
    failed: number;
    cancelled: number;
    timedOut: number;
    iterationLimit: number;
    steered: number;
    open: number;
    p50DurationMs: number | null;
    p95DurationMs: number | null;
    inputTokens: number;
    cacheReadTokens: number;
    cacheWriteTokens: number;
    outputTokens: number;
    reasoningTokens: number;
    credits: string;
};
export type TurnModelCall = {
    iteration: number;
    status: 'answered' | 'rejected' | 'unanswered';
    askedModel: string;
    model: string | null;
    answeredBy: string | null;
    startedAt: string | null;
    durationMs: number | null;
    storedAt: string | null;
    messageId: string | null;
    finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other' | null;
    toolChoice: 'auto' | 'none' | null;
    sampling: {
        temperature?: number | undefined;
        maxOutputTokens?: number | undefined;
    } | null;
    leftOutTools: Array<string>;
    usage: Usage | null;
    credits: string | null;
    failedAttempts: Array<{
        attempt: number;
        error: ErrorInfo;
        failedAt: string;
    }>;
    passed: Array<{
        model: string;
        next: string;
        error: ErrorInfo;
    }>;
    cutShort: Array<{
        model: string;
        usage: Usage;
    }>;
    rejectedFor: Array<{
        field: string;
        message: string;
    }> | null;
    compactions: Array<{
        id: string;
        turnId: string;
        iteration: number;
        kind: 'references' | 'oldest_first' | 'summarize';
        messageId: string | null;
        tokensBefore: number;
        tokensAfter: number;
        model: string | null;
        usage: Usage;
        credits: string | null;
        error: ErrorInfo | null;
        createdAt: string;
    }>;
};
export type Usage = {
    inputTokens: number;
    cacheReadTokens: number;
    cacheWriteTokens: number;
    outputTokens: number;
    reasoningTokens: number;
    isEstimated?: boolean | undefined;
};
export type UsageFigures = {
    agentId: string | null;
    model: string | null;
    conversationId: string | null;
    user: string | null;
    day: string | null;
    kind: string | null;
    modelCalls: number;
    toolCalls: number;
    replayRuns: number;
    embeddingCalls: number;
    summaryCalls: number;
    unpricedCalls: number;
    inputTokens: number;
    cacheReadTokens: number;
    cacheWriteTokens: number;
    outputTokens: number;
    cacheHitRate: number | null;
    credits: string;
};
export type Webhook = {
    id: string;
    url: string | null;
    slack: {
        /**
         * A connection of the provider `slack`
         */
        connectionId: string;
        /**
         * The id of the channel, or its name
         */
        channel: string;
        approvers: Array<{
            /**
             * The workspace of Slack
             */
            teamId: string;
            /**
             * Its member
             */
            userId: string;
            /**
             * The person in whose name this member decides
             */
            person: string;
            /**
             * The groups of approvers that the person is in; none by default
             */
            groups?: Array<string> | undefined;
        }>;
    } | null;
    events: Array<'turn.settled' | 'turn.action_required' | 'action.reminded' | 'action.decided' | 'action.expired' | 'connection.needs_authorization' | 'document.ready' | 'document.failed' | 'budget.warning' | 'inbox.message'>;
    enabled: boolean;
    disabledAt: string | null;
    disabledReason: string | null;
    oldSecretsUntil: string | null;
    createdAt: string;
    updatedAt: string;
};
export type WebhookAttempt = {
    at: string;
    durationMs: number;
    status: number | null;
    answer: string | null;
    error: string | null;
};
export type WebhookDelivery = {
    id: string;
    webhookId: string;
    type: 'turn.settled' | 'turn.action_required' | 'action.reminded' | 'action.decided' | 'action.expired' | 'connection.needs_authorization' | 'document.ready' | 'document.failed' | 'budget.warning' | 'inbox.message';
    data: JsonObject;
    status: 'pending' | 'delivered' | 'failed' | 'cancelled';
    attemptCount: number;
    createdAt: string;
    nextAttemptAt: string | null;
    endedAt: string | null;
};
export type WebhookDeliveryDetails = {
    id: string;
    webhookId: string;
    type: 'turn.settled' | 'turn.action_required' | 'action.reminded' | 'action.decided' | 'action.expired' | 'connection.needs_authorization' | 'document.ready' | 'document.failed' | 'budget.warning' | 'inbox.message';
    data: JsonObject;
    status: 'pending' | 'delivered' | 'failed' | 'cancelled';
    attemptCount: number;
    createdAt: string;
    nextAttemptAt: string | null;
    endedAt: string | null;
    attempts: Array<WebhookAttempt>;
};
export type WorkflowTool = {
    id: string;
    type: 'workflow';
    name: string;
    /**
     * The first 4,000 characters are kept
     */
    description: string;
    schema: JsonObject;
    settings?: {
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
        timeoutMs?: number | undefined;
        settleAfterMs?: number | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask') | undefined;
        approvalWhen?: JsonObject | undefined;
        approvers?: Array<string> | undefined;
        selfApproval?: boolean | undefined;
        credits?: string | undefined;
    } | undefined;
    config: {
        /**
         * The id of the workflow in the operator's catalogue
         */
        workflowId?: string | undefined;
        /**
         * Whether the call answers with the id of the run at once instead of waiting for its end
         */
        detach?: boolean | undefined;
    };
};
export type WorkflowType = {
    id: string;
    description: string;
    input: JsonObject;
    detach: boolean;
    timeoutMs: number | null;
};
export type ErrorCode = 'INVALID_INPUT' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'TURN_RUNNING' | 'TURN_MISMATCH' | 'QUEUE_FULL' | 'MESSAGE_TAKEN' | 'ROLLBACK_REFUSED' | 'TURN_SETTLED' | 'TURN_CANCELLED' | 'TURN_TIMED_OUT' | 'TURN_NOT_STARTED' | 'UNKNOWN_MODEL' | 'MODEL_AUTHENTICATION' | 'MODEL_REJECTED_REQUEST' | 'MODEL_INPUT_NOT_TAKEN' | 'MODEL_RATE_LIMITED' | 'MODEL_UNAVAILABLE' | 'MODEL_BAD_RESPONSE' | 'UNKNOWN_TOOL' | 'TOOL_TYPE_NOT_AVAILABLE' | 'TOOL_DISABLED' | 'INVALID_TOOL_ARGUMENTS' | 'INVALID_TOOL_CONFIG' | 'TOOL_FAILED' | 'TOOL_RUNNER_EXCEPTION' | 'TOOL_TIMED_OUT' | 'TOOL_OUTCOME_UNKNOWN' | 'TOOL_UNREACHABLE' | 'TOOL_UNAVAILABLE' | 'TOOL_BLOCKED' | 'TOOL_QUARANTINED' | 'TOOL_SKIPPED' | 'TOOL_MISCONFIGURED' | 'TOOL_NOT_CONFIGURED' | 'ANSWER_BLOCKED' | 'ANSWER_INVALID' | 'BUDGET_EXCEEDED' | 'PRICE_UNKNOWN' | 'APPROVAL_REJECTED' | 'APPROVAL_EXPIRED' | 'APPROVAL_MISMATCH' | 'ANSWER_DECLINED' | 'ANSWER_EXPIRED' | 'ACTION_DECIDED' | 'NOT_AN_APPROVER' | 'SELF_APPROVAL_REFUSED' | 'RIGHTS_LOST' | 'ROUTINE_FAULTED' | 'WORKFLOW_STUCK' | 'AGENT_CYCLE' | 'AGENT_DEPTH_EXCEEDED' | 'ROUTINE_DEPTH_EXCEEDED' | 'CONVERSATION_STATE_NOT_FOUND' | 'MESSAGE_LIMIT_EXCEEDED' | 'CONNECTION_ACCESS_DENIED' | 'CONNECTION_NOT_ACTIVE' | 'CONNECTION_PROVIDER_MISMATCH' | 'CONNECTION_SCOPE_MISSING' | 'AUTHORIZATION_FAILED' | 'SECRETS_UNAVAILABLE' | 'RATE_LIMITED' | 'TOO_MANY_STREAMS' | 'DOCUMENT_UNREADABLE' | 'FILE_REFUSED' | 'EGRESS_REFUSED' | 'RESPONSE_TOO_LARGE' | 'SERVICE_UNAVAILABLE' | 'INTERNAL';
export type ListAgentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/agents';
};
export type ListAgentsResponses = {
    200: {
        items: Array<Agent>;
        nextCursor: string | null;
    };
};
export type ListAgentsResponse = ListAgentsResponses[keyof ListAgentsResponses];
export type CreateAgentData = {
    body: {
        name: string;
        /**
         * A model, or a list whose further ones are called when those before them are away
         */
        model: string | Array<string>;
        instructions: string;
        limits?: {
            activityTimeoutMs?: number | undefined;
            modelTimeoutMs?: number | undefined;
            turnTimeoutMs?: number | undefined;
            startTimeoutMs?: number | undefined;
            absenceTimeoutMs?: number | undefined;
            maxIterations?: number | undefined;
            contextCharacters?: number | undefined;
            maxTokens?: number | undefined;
            maxAgentDepth?: number | undefined;
            approvalTimeoutMs?: number | undefined;
        } | undefined;
        /**
         * How the steps of a turn run. The former value `fast` is accepted until the next release, and means `direct`
         */
        execution?: ('inspectable' | 'direct') | undefined;
        modelConnectionId?: (string | null) | undefined;
        /**
         * Models that are called when the ones before them are away, in this order
         */
        fallbackModels?: Array<{
            model: string;
            modelConnectionId?: (string | null) | undefined;
        }> | undefined;
        modelSettings?: {
            temperature?: number | undefined;
            topP?: number | undefined;
            maxOutputTokens?: number | undefined;
            reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
            /**
             * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
             */
            reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
            /**
             * `required`, or the name of a tool, holds for the first model call of a turn
             */
            toolChoice?: ('auto' | 'required' | 'none' | {
                tool: string;
            }) | undefined;
            parallelToolCalls?: boolean | undefined;
            /**
             * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
             */
            promptCaching?: ('auto' | '1h' | 'off') | undefined;
            /**
             * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
             */
            structuredOutput?: ('native' | 'asked') | undefined;
            /**
             * The files that models take which Holdfast does not know; without it they get texts and notes
             */
            takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
            /**
             * Options of the AI SDK for single vendors, by the prefix of the vendor's models
             */
            providerOptions?: {
                [key: string]: JsonObject;
            } | undefined;
            headers?: {
                [key: string]: string;
            } | undefined;
        } | undefined;
        /**
         * How the conversation is shortened when it is too long for its model
         */
        compaction?: ('off' | 'oldest_first' | 'summarize') | undefined;
        /**
         * The tokens above which the context is shortened; null for a number that fits the model
         */
        compactionThreshold?: (number | null) | undefined;
        /**
         * The model that writes summaries; null for the agent's own
         */
        summaryModel?: (string | null) | undefined;
        rules?: {
            toolAllowlist?: Array<string> | undefined;
            toolPolicies?: {
                [key: string]: {
                    schema?: JsonObject | undefined;
                    minimums?: {
                        [key: string]: number;
                    } | undefined;
                    maximums?: {
                        [key: string]: number;
                    } | undefined;
                    allowedValues?: {
                        [key: string]: Array<JsonValue>;
                    } | undefined;
                    patterns?: {
                        [key: string]: string;
                    } | undefined;
                    forbiddenFields?: Array<string> | undefined;
                    maxCallsPerTurn?: number | undefined;
                    maxCallsPerDay?: number | undefined;
                    approval?: ('ask' | 'always_ask') | undefined;
                    approvalWhen?: JsonObject | undefined;
                    approvers?: Array<string> | undefined;
                    selfApproval?: false | undefined;
                };
            } | undefined;
            forLater?: Array<string> | undefined;
            canaryTokens?: Array<string> | undefined;
            onBlocked?: ('continue' | 'end_turn') | undefined;
        } | undefined;
        toolCallsInText?: (boolean | null) | undefined;
        skills?: Array<{
            skillId: string;
            version: number;
        }> | undefined;
        tools?: Array<NewTool> | undefined;
        /**
         * The project whose code defines the agent. Its name must be unique then: an agent with the same name is answered with 409
         */
        project?: string | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/agents';
};
export type CreateAgentResponses = {
    200: Agent;
};
export type CreateAgentResponse = CreateAgentResponses[keyof CreateAgentResponses];
export type DeleteAgentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Deletes its conversations too
         */
        permanent?: ('true' | 'false') | undefined;
        /**
         * As in an update
         */
        version?: number | undefined;
    } | undefined;
    url: '/api/agents/{id}';
};
export type DeleteAgentResponses = {
    204: void;
};
export type DeleteAgentResponse = DeleteAgentResponses[keyof DeleteAgentResponses];
export type GetAgentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}';
};
export type GetAgentResponses = {
    200: Agent;
};
export type GetAgentResponse = GetAgentResponses[keyof GetAgentResponses];
export type UpdateAgentData = {
    body: {
        name?: string | undefined;
        /**
         * A model, or a list whose further ones are called when those before them are away
         */
        model?: (string | Array<string>) | undefined;
        instructions?: string | undefined;
        limits?: {
            activityTimeoutMs?: number | undefined;
            modelTimeoutMs?: number | undefined;
            turnTimeoutMs?: number | undefined;
            startTimeoutMs?: number | undefined;
            absenceTimeoutMs?: number | undefined;
            maxIterations?: number | undefined;
            contextCharacters?: number | undefined;
            maxTokens?: number | undefined;
            maxAgentDepth?: number | undefined;
            approvalTimeoutMs?: number | undefined;
        } | undefined;
        /**
         * How the steps of a turn run. The former value `fast` is accepted until the next release, and means `direct`
         */
        execution?: ('inspectable' | 'direct') | undefined;
        modelConnectionId?: (string | null) | undefined;
        /**
         * Models that are called when the ones before them are away, in this order
         */
        fallbackModels?: Array<{
            model: string;
            modelConnectionId?: (string | null) | undefined;
        }> | undefined;
        modelSettings?: {
            temperature?: number | undefined;
            topP?: number | undefined;
            maxOutputTokens?: number | undefined;
            reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
            /**
             * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
             */
            reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
            /**
             * `required`, or the name of a tool, holds for the first model call of a turn
             */
            toolChoice?: ('auto' | 'required' | 'none' | {
                tool: string;
            }) | undefined;
            parallelToolCalls?: boolean | undefined;
            /**
             * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
             */
            promptCaching?: ('auto' | '1h' | 'off') | undefined;
            /**
             * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
             */
            structuredOutput?: ('native' | 'asked') | undefined;
            /**
             * The files that models take which Holdfast does not know; without it they get texts and notes
             */
            takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
            /**
             * Options of the AI SDK for single vendors, by the prefix of the vendor's models
             */
            providerOptions?: {
                [key: string]: JsonObject;
            } | undefined;
            headers?: {
                [key: string]: string;
            } | undefined;
        } | undefined;
        /**
         * How the conversation is shortened when it is too long for its model
         */
        compaction?: ('off' | 'oldest_first' | 'summarize') | undefined;
        /**
         * The tokens above which the context is shortened; null for a number that fits the model
         */
        compactionThreshold?: (number | null) | undefined;
        /**
         * The model that writes summaries; null for the agent's own
         */
        summaryModel?: (string | null) | undefined;
        rules?: {
            toolAllowlist?: Array<string> | undefined;
            toolPolicies?: {
                [key: string]: {
                    schema?: JsonObject | undefined;
                    minimums?: {
                        [key: string]: number;
                    } | undefined;
                    maximums?: {
                        [key: string]: number;
                    } | undefined;
                    allowedValues?: {
                        [key: string]: Array<JsonValue>;
                    } | undefined;
                    patterns?: {
                        [key: string]: string;
                    } | undefined;
                    forbiddenFields?: Array<string> | undefined;
                    maxCallsPerTurn?: number | undefined;
                    maxCallsPerDay?: number | undefined;
                    approval?: ('ask' | 'always_ask') | undefined;
                    approvalWhen?: JsonObject | undefined;
                    approvers?: Array<string> | undefined;
                    selfApproval?: false | undefined;
                };
            } | undefined;
            forLater?: Array<string> | undefined;
            canaryTokens?: Array<string> | undefined;
            onBlocked?: ('continue' | 'end_turn') | undefined;
        } | undefined;
        toolCallsInText?: (boolean | null) | undefined;
        skills?: Array<{
            skillId: string;
            version: number;
        }> | undefined;
        tools?: Array<NewTool> | undefined;
        /**
         * The present version. The request is refused with 409 when the agent has another one
         */
        version?: number | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}';
};
export type UpdateAgentResponses = {
    200: Agent;
};
export type UpdateAgentResponse = UpdateAgentResponses[keyof UpdateAgentResponses];
export type GetAgentConfigurationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        version?: number | undefined;
    } | undefined;
    url: '/api/agents/{id}/configuration';
};
export type GetAgentConfigurationResponses = {
    200: AgentConfiguration;
};
export type GetAgentConfigurationResponse = GetAgentConfigurationResponses[keyof GetAgentConfigurationResponses];
export type ListAttachedConnectorsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/connectors';
};
export type ListAttachedConnectorsResponses = {
    200: Array<{
        id: string;
        name: string;
        type: 'mcp';
        endpoint: string | null;
        auth: JsonObject;
        tools: Array<string>;
        connectionId: string;
        createdAt: string;
    }>;
};
export type ListAttachedConnectorsResponse = ListAttachedConnectorsResponses[keyof ListAttachedConnectorsResponses];
export type AttachConnectorData = {
    body: {
        connectorId: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/connectors';
};
export type AttachConnectorResponses = {
    200: {
        id: string;
        name: string;
        type: 'mcp';
        endpoint: string | null;
        auth: JsonObject;
        tools: Array<string>;
        connectionId: string;
        createdAt: string;
    };
};
export type AttachConnectorResponse = AttachConnectorResponses[keyof AttachConnectorResponses];
export type DetachConnectorData = {
    body?: never;
    path: {
        id: string;
        connectorId: string;
    };
    query?: never;
    url: '/api/agents/{id}/connectors/{connectorId}';
};
export type DetachConnectorResponses = {
    204: void;
};
export type DetachConnectorResponse = DetachConnectorResponses[keyof DetachConnectorResponses];
export type ProvisionAgentData = {
    body?: ({
        config?: {
            model?: string | undefined;
            instructions?: string | undefined;
            limits?: {
                activityTimeoutMs?: number | undefined;
                modelTimeoutMs?: number | undefined;
                turnTimeoutMs?: number | undefined;
                startTimeoutMs?: number | undefined;
                absenceTimeoutMs?: number | undefined;
                maxIterations?: number | undefined;
                contextCharacters?: number | undefined;
                maxTokens?: number | undefined;
                maxAgentDepth?: number | undefined;
                approvalTimeoutMs?: number | undefined;
            } | undefined;
            /**
             * How the steps of a turn run. The former value `fast` is accepted until the next release, and means `direct`
             */
            execution?: ('inspectable' | 'direct') | undefined;
            on_blocked?: ('continue' | 'end_turn') | undefined;
            skills?: Array<{
                skillId: string;
                version: number;
            }> | undefined;
        } | undefined;
        tool_allowlist?: (Array<string> | null) | undefined;
        tool_policies?: {
            [key: string]: {
                schema?: JsonObject | undefined;
                minimums?: {
                    [key: string]: number;
                } | undefined;
                maximums?: {
                    [key: string]: number;
                } | undefined;
                allowedValues?: {
                    [key: string]: Array<JsonValue>;
                } | undefined;
                patterns?: {
                    [key: string]: string;
                } | undefined;
                forbiddenFields?: Array<string> | undefined;
                maxCallsPerTurn?: number | undefined;
                maxCallsPerDay?: number | undefined;
                approval?: ('ask' | 'always_ask') | undefined;
                approvalWhen?: JsonObject | undefined;
                approvers?: Array<string> | undefined;
                selfApproval?: false | undefined;
            };
        } | undefined;
        for_later?: Array<string> | undefined;
        canary_tokens?: Array<string> | undefined;
        tool_names?: {
            [key: string]: string;
        } | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/provision';
};
export type ProvisionAgentResponses = {
    200: {
        configuration: AgentConfiguration;
        agent: Agent;
    };
};
export type ProvisionAgentResponse = ProvisionAgentResponses[keyof ProvisionAgentResponses];
export type GetRecommendedToolsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        limit?: number | undefined;
    } | undefined;
    url: '/api/agents/{id}/recommended-tools';
};
export type GetRecommendedToolsResponses = {
    200: {
        recommendations: Array<{
            tool: {
                name: string;
                description: string;
                inputSchema: JsonObject;
                executeRef: string;
                hiddenCharacters?: Array<string> | undefined;
            };
            connectionId: string;
            connectionName: string;
            provider: string;
            score: number;
            reason: string;
        }>;
        skipped: Array<{
            connectionId: string;
            connectionName: string;
            reason: string;
        }>;
    };
};
export type GetRecommendedToolsResponse = GetRecommendedToolsResponses[keyof GetRecommendedToolsResponses];
export type ListAgentToolsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools';
};
export type ListAgentToolsResponses = {
    200: Array<{
        tool: Tool;
        state: ToolState;
    }>;
};
export type ListAgentToolsResponse = ListAgentToolsResponses[keyof ListAgentToolsResponses];
export type AddAgentToolData = {
    body: NewTool;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools';
};
export type AddAgentToolResponses = {
    200: {
        tool: Tool;
        agent: Agent;
    };
};
export type AddAgentToolResponse = AddAgentToolResponses[keyof AddAgentToolResponses];
export type AddAgentToolsData = {
    body: {
        tools: Array<NewTool>;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools/batch';
};
export type AddAgentToolsResponses = {
    200: {
        tools: Array<Tool>;
        agent: Agent;
    };
};
export type AddAgentToolsResponse = AddAgentToolsResponses[keyof AddAgentToolsResponses];
export type RemoveAgentToolData = {
    body?: never;
    path: {
        id: string;
        toolId: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools/{toolId}';
};
export type RemoveAgentToolResponses = {
    200: Agent;
};
export type RemoveAgentToolResponse = RemoveAgentToolResponses[keyof RemoveAgentToolResponses];
export type GetAgentToolData = {
    body?: never;
    path: {
        id: string;
        toolId: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools/{toolId}';
};
export type GetAgentToolResponses = {
    200: {
        tool: Tool;
        state: ToolState;
        /**
         * The tools that were called through this tool, when it is a gateway
         */
        inner?: Array<{
            target: string;
            state: ToolState;
        }> | undefined;
    };
};
export type GetAgentToolResponse = GetAgentToolResponses[keyof GetAgentToolResponses];
export type ChangeAgentToolData = {
    body: {
        timeoutMs?: (number | null) | undefined;
        settleAfterMs?: (number | null) | undefined;
        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe' | null) | undefined;
        /**
         * True sets `effect` to "idempotent", false to "unsafe"
         */
        idempotent?: boolean | undefined;
        enabled?: boolean | undefined;
        approval?: ('never' | 'ask' | 'always_ask' | null) | undefined;
        approvalWhen?: (JsonObject | null) | undefined;
        approvers?: (Array<string> | null) | undefined;
        selfApproval?: (boolean | null) | undefined;
    };
    path: {
        id: string;
        toolId: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools/{toolId}';
};
export type ChangeAgentToolResponses = {
    200: {
        tool: Tool;
        agent: Agent;
    };
};
export type ChangeAgentToolResponse = ChangeAgentToolResponses[keyof ChangeAgentToolResponses];
export type AcceptAgentToolData = {
    body?: ({
        hash?: string | undefined;
        /**
         * The name `server:tool` of a tool behind the gateway
         */
        target?: string | undefined;
    } | null) | undefined;
    path: {
        id: string;
        toolId: string;
    };
    query?: never;
    url: '/api/agents/{id}/tools/{toolId}/accept';
};
export type AcceptAgentToolResponses = {
    200: {
        tool: Tool;
        agent: Agent;
    };
};
export type AcceptAgentToolResponse = AcceptAgentToolResponses[keyof AcceptAgentToolResponses];
export type ListAgentVersionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/agents/{id}/versions';
};
export type ListAgentVersionsResponses = {
    200: {
        items: Array<AgentVersion>;
        nextCursor: string | null;
    };
};
export type ListAgentVersionsResponse = ListAgentVersionsResponses[keyof ListAgentVersionsResponses];
export type GetAgentVersionData = {
    body?: never;
    path: {
        id: string;
        version: number;
    };
    query?: never;
    url: '/api/agents/{id}/versions/{version}';
};
export type GetAgentVersionResponses = {
    200: AgentVersion;
};
export type GetAgentVersionResponse = GetAgentVersionResponses[keyof GetAgentVersionResponses];
export type GetModelAnalyticsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Counts calls from this time on. The default is 30 days before `to`
         */
        from?: string | undefined;
        /**
         * Counts calls before this time. The default is now
         */
        to?: string | undefined;
        /**
         * Groups by one or more of model, provider, agent, day, kind, with commas between them
         */
        groupBy?: string | undefined;
        agentId?: string | undefined;
        model?: string | undefined;
        limit?: number | undefined;
    } | undefined;
    url: '/api/analytics/models';
};
export type GetModelAnalyticsResponses = {
    200: {
        from: string;
        to: string;
        models: Array<{
            model: string | null;
            provider: string | null;
            agentId: string | null;
            day: string | null;
            kind: string | null;
            calls: number;
            fallbackCalls: number;
            passedOver: number;
            inputTokens: number;
            cacheReadTokens: number;
            cacheWriteTokens: number;
            outputTokens: number;
            reasoningTokens: number;
            cacheHitRate: number | null;
            estimatedCalls: number;
            unpricedCalls: number;
            credits: string;
        }>;
    };
};
export type GetModelAnalyticsResponse = GetModelAnalyticsResponses[keyof GetModelAnalyticsResponses];
export type GetToolAnalyticsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Counts calls that ended from this time on. The default is 30 days before `to`
         */
        from?: string | undefined;
        /**
         * Counts calls that ended before this time. The default is now
         */
        to?: string | undefined;
        /**
         * Groups by one or more of tool, agent, day, with commas between them
         */
        groupBy?: string | undefined;
        agentId?: string | undefined;
        tool?: string | undefined;
        limit?: number | undefined;
    } | undefined;
    url: '/api/analytics/tools';
};
export type GetToolAnalyticsResponses = {
    200: {
        from: string;
        to: string;
        tools: Array<{
            tool: string | null;
            agentId: string | null;
            day: string | null;
            calls: number;
            succeeded: number;
            failed: number;
            unknown: number;
            blocked: number;
            successRate: number | null;
            p50DurationMs: number | null;
            p95DurationMs: number | null;
        }>;
    };
};
export type GetToolAnalyticsResponse = GetToolAnalyticsResponses[keyof GetToolAnalyticsResponses];
export type GetTurnAnalyticsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Counts turns that were created from this time on. The default is 30 days before `to`
         */
        from?: string | undefined;
        /**
         * Counts turns that were created before this time. The default is now
         */
        to?: string | undefined;
        /**
         * Groups by one or more of day, agent, person, outcome, with commas between them
         */
        groupBy?: string | undefined;
        agentId?: string | undefined;
        /**
         * Only turns that were started for this person, and the turns below
         */
        person?: string | undefined;
        limit?: number | undefined;
    } | undefined;
    url: '/api/analytics/turns';
};
export type GetTurnAnalyticsResponses = {
    200: {
        from: string;
        to: string;
        turns: Array<TurnFigures>;
    };
};
export type GetTurnAnalyticsResponse = GetTurnAnalyticsResponses[keyof GetTurnAnalyticsResponses];
export type ListApiKeysData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/api-keys';
};
export type ListApiKeysResponses = {
    200: {
        items: Array<ApiKey>;
        nextCursor: string | null;
    };
};
export type ListApiKeysResponse = ListApiKeysResponses[keyof ListApiKeysResponses];
export type CreateApiKeyData = {
    body: {
        name: string;
        scopes?: Array<'agents:read' | 'agents:write' | 'conversations:read' | 'conversations:write' | 'approvals:decide' | 'connections:read' | 'connections:write' | 'knowledge:read' | 'knowledge:write' | 'skills:read' | 'skills:write' | 'resources:read' | 'resources:write' | 'inbox:read' | 'inbox:write' | 'webhooks:read' | 'webhooks:write' | 'replays:read' | 'replays:write' | 'routines:read' | 'routines:write' | 'swarms:read' | 'swarms:write' | 'audit:read' | 'analytics:read' | 'budgets:read' | 'budgets:write' | 'payloads:read' | 'api_keys:write' | 'user_tokens:write'> | undefined;
        expiresAt?: string | undefined;
        groups?: Array<string> | undefined;
        actsFor?: string | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/api-keys';
};
export type CreateApiKeyResponses = {
    200: {
        apiKey: ApiKey;
        key: string;
    };
};
export type CreateApiKeyResponse = CreateApiKeyResponses[keyof CreateApiKeyResponses];
export type RevokeApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/api-keys/{id}';
};
export type RevokeApiKeyResponses = {
    200: ApiKey;
};
export type RevokeApiKeyResponse = RevokeApiKeyResponses[keyof RevokeApiKeyResponses];
export type ListApprovalGrantsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * The name of a tool, or `server:tool`
         */
        tool?: string | undefined;
        scope?: ('conversation' | 'agent' | 'workspace') | undefined;
        /**
         * The action whose decision was remembered
         */
        actionId?: string | undefined;
        /**
         * Whether it holds now
         */
        active?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/approval-grants';
};
export type ListApprovalGrantsResponses = {
    200: {
        items: Array<ApprovalGrant>;
        nextCursor: string | null;
    };
};
export type ListApprovalGrantsResponse = ListApprovalGrantsResponses[keyof ListApprovalGrantsResponses];
export type RevokeApprovalGrantData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        actingFor?: string | undefined;
    } | undefined;
    url: '/api/approval-grants/{id}';
};
export type RevokeApprovalGrantResponses = {
    200: ApprovalGrant;
};
export type RevokeApprovalGrantResponse = RevokeApprovalGrantResponses[keyof RevokeApprovalGrantResponses];
export type ListAuditEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The type of the events, such as `tool.blocked`
         */
        type?: string | undefined;
        /**
         * The id of the tool call, connection, connector or agent that the event is about
         */
        subjectId?: string | undefined;
        /**
         * The person who acted, or for whom an API key acted, in upper or lower case
         */
        person?: string | undefined;
        /**
         * The id of the API key that acted, for itself or a person
         */
        apiKeyId?: string | undefined;
        from?: string | undefined;
        /**
         * Lists events before this time
         */
        to?: string | undefined;
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: number | undefined;
    } | undefined;
    url: '/api/audit-events';
};
export type ListAuditEventsResponses = {
    200: {
        items: Array<{
            id: string;
            seq: number;
            type: string;
            subjectId: string | null;
            payload: JsonObject;
            createdAt: string;
            hash: string;
        }>;
        nextCursor: string | null;
    };
};
export type ListAuditEventsResponse = ListAuditEventsResponses[keyof ListAuditEventsResponses];
export type VerifyAuditEventsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/audit-events/verification';
};
export type VerifyAuditEventsResponses = {
    200: {
        isWhole: boolean;
        events: number;
        head: string | null;
        faults: Array<{
            seq: number;
            fault: 'changed' | 'missing' | 'reordered' | 'cut_off' | 'waiting_changed' | 'waiting_missing' | 'waiting_cut_off';
        }>;
    };
};
export type VerifyAuditEventsResponse = VerifyAuditEventsResponses[keyof VerifyAuditEventsResponses];
export type GetBlobData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/blobs/{id}';
};
export type GetBlobResponses = {
    200: Blob | File;
};
export type GetBlobResponse = GetBlobResponses[keyof GetBlobResponses];
export type ListBudgetsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/budgets';
};
export type ListBudgetsResponses = {
    200: {
        items: Array<Budget>;
        nextCursor: string | null;
    };
};
export type ListBudgetsResponse = ListBudgetsResponses[keyof ListBudgetsResponses];
export type CreateBudgetData = {
    body: {
        scope: 'workspace' | 'agent' | 'conversation' | 'user' | 'swarm';
        subject?: string | undefined;
        /**
         * Gives every agent, conversation or user the credits
         */
        each?: boolean | undefined;
        period: 'day' | 'month' | 'total';
        /**
         * Millionths of a US dollar, as a number or as decimal text; or else `dollars`
         */
        credits?: (string | number) | undefined;
        /**
         * US dollars with at most six decimals, as a number or as decimal text
         */
        dollars?: (string | number) | undefined;
        /**
         * The text that people read when the budget ends their turn; null for the standard sentence
         */
        message?: (string | null) | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/budgets';
};
export type CreateBudgetResponses = {
    200: Budget;
};
export type CreateBudgetResponse = CreateBudgetResponses[keyof CreateBudgetResponses];
export type DeleteBudgetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/budgets/{id}';
};
export type DeleteBudgetResponses = {
    204: void;
};
export type DeleteBudgetResponse = DeleteBudgetResponses[keyof DeleteBudgetResponses];
export type GetBudgetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/budgets/{id}';
};
export type GetBudgetResponses = {
    200: Budget;
};
export type GetBudgetResponse = GetBudgetResponses[keyof GetBudgetResponses];
export type UpdateBudgetData = {
    body: {
        /**
         * Millionths of a US dollar, as a number or as decimal text; or else `dollars`
         */
        credits?: (string | number) | undefined;
        /**
         * US dollars with at most six decimals, as a number or as decimal text
         */
        dollars?: (string | number) | undefined;
        /**
         * The text that people read when the budget ends their turn; null for the standard sentence
         */
        message?: (string | null) | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/budgets/{id}';
};
export type UpdateBudgetResponses = {
    200: Budget;
};
export type UpdateBudgetResponse = UpdateBudgetResponses[keyof UpdateBudgetResponses];
export type ListBudgetSharesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/budgets/{id}/shares';
};
export type ListBudgetSharesResponses = {
    200: {
        items: Array<{
            subject: string;
            spent: string;
            reserved: string;
            warnedAt: string | null;
        }>;
        nextCursor: string | null;
    };
};
export type ListBudgetSharesResponse = ListBudgetSharesResponses[keyof ListBudgetSharesResponses];
export type StreamChangesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of the last event that the client has. A `Last-Event-ID` header overrides it
         */
        after?: string | undefined;
    } | undefined;
    url: '/api/changes';
};
export type StreamChangesResponses = {
    200: Blob | File;
};
export type StreamChangesResponse = StreamChangesResponses[keyof StreamChangesResponses];
export type ListConnectionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * Lists the connections of this provider only
         */
        provider?: string | undefined;
    } | undefined;
    url: '/api/connections';
};
export type ListConnectionsResponses = {
    200: {
        items: Array<Connection>;
        nextCursor: string | null;
    };
};
export type ListConnectionsResponse = ListConnectionsResponses[keyof ListConnectionsResponses];
export type CreateConnectionData = {
    body: {
        name: string;
        provider: string;
        endpoint?: string | undefined;
        /**
         * The variables of the base URL that GET /api/providers/:name lists, such as a subdomain
         */
        variables?: {
            [key: string]: string;
        } | undefined;
        auth?: ({
            type: 'none';
        } | {
            type: 'api_key';
            header?: string | undefined;
            prefix?: string | undefined;
            key: string;
        } | {
            type: 'bearer';
            token: string;
        } | {
            type: 'basic';
            username: string;
            password: string;
        } | {
            type: 'keys';
            /**
             * The secrets by the names that GET /api/providers/:name lists
             */
            values: {
                [key: string]: string;
            };
        } | {
            type: 'oauth2_client_credentials';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId: string;
            clientSecret?: string | undefined;
            /**
             * A private key in PEM that signs the assertions of the client, instead of a secret
             */
            privateKey?: string | undefined;
            /**
             * The `kid` of the private key
             */
            keyId?: string | undefined;
            audience?: string | undefined;
        } | {
            type: 'oauth2_authorization_code';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId?: string | undefined;
            clientSecret?: string | undefined;
            authorizationUrl?: string | undefined;
            /**
             * The operations of the provider that the connection is for: without `scopes`, it asks for the scopes that they need. All operations by default
             */
            operations?: Array<string> | undefined;
        }) | undefined;
        rateLimit?: {
            tokensPerMinute: number;
            tokensPerRequest?: number | undefined;
        } | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/connections';
};
export type CreateConnectionResponses = {
    200: Connection;
};
export type CreateConnectionResponse = CreateConnectionResponses[keyof CreateConnectionResponses];
export type DeleteConnectionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connections/{id}';
};
export type DeleteConnectionResponses = {
    204: void;
};
export type DeleteConnectionResponse = DeleteConnectionResponses[keyof DeleteConnectionResponses];
export type GetConnectionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connections/{id}';
};
export type GetConnectionResponses = {
    200: Connection;
};
export type GetConnectionResponse = GetConnectionResponses[keyof GetConnectionResponses];
export type UpdateConnectionData = {
    body: {
        name?: string | undefined;
        endpoint?: string | undefined;
        /**
         * The variables of the base URL that GET /api/providers/:name lists, such as a subdomain
         */
        variables?: {
            [key: string]: string;
        } | undefined;
        auth?: ({
            type: 'none';
        } | {
            type: 'api_key';
            header?: string | undefined;
            prefix?: string | undefined;
            key: string;
        } | {
            type: 'bearer';
            token: string;
        } | {
            type: 'basic';
            username: string;
            password: string;
        } | {
            type: 'keys';
            /**
             * The secrets by the names that GET /api/providers/:name lists
             */
            values: {
                [key: string]: string;
            };
        } | {
            type: 'oauth2_client_credentials';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId: string;
            clientSecret?: string | undefined;
            /**
             * A private key in PEM that signs the assertions of the client, instead of a secret
             */
            privateKey?: string | undefined;
            /**
             * The `kid` of the private key
             */
            keyId?: string | undefined;
            audience?: string | undefined;
        } | {
            type: 'oauth2_authorization_code';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId?: string | undefined;
            clientSecret?: string | undefined;
            authorizationUrl?: string | undefined;
            /**
             * The operations of the provider that the connection is for: without `scopes`, it asks for the scopes that they need. All operations by default
             */
            operations?: Array<string> | undefined;
        }) | undefined;
        rateLimit?: ({
            tokensPerMinute: number;
            tokensPerRequest?: number | undefined;
        } | null) | undefined;
        status?: 'revoked' | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connections/{id}';
};
export type UpdateConnectionResponses = {
    200: Connection;
};
export type UpdateConnectionResponse = UpdateConnectionResponses[keyof UpdateConnectionResponses];
export type AuthorizeConnectionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The last page links to this address
         */
        returnUrl?: string | undefined;
        /**
         * Answers with a redirect (302) to the address
         */
        redirect?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/connections/{id}/authorize';
};
export type AuthorizeConnectionResponses = {
    /**
     * The address to open in the browser of the person who gives consent
     */
    200: string;
};
export type AuthorizeConnectionResponse = AuthorizeConnectionResponses[keyof AuthorizeConnectionResponses];
export type ListConnectionToolsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connections/{id}/mcp-tools';
};
export type ListConnectionToolsResponses = {
    200: {
        connectionId: string;
        connectionName: string;
        provider: string;
        tools: Array<{
            name: string;
            description: string;
            inputSchema: JsonObject;
            executeRef: string;
            hiddenCharacters?: Array<string> | undefined;
        }>;
        /**
         * The tools whose definitions cannot be used
         */
        leftOut: Array<{
            name: string;
            reason: string;
        }>;
    };
};
export type ListConnectionToolsResponse = ListConnectionToolsResponses[keyof ListConnectionToolsResponses];
export type TestConnectionData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connections/{id}/test';
};
export type TestConnectionResponses = {
    200: {
        ok: boolean;
        message: string;
        durationMs: number;
    };
};
export type TestConnectionResponse = TestConnectionResponses[keyof TestConnectionResponses];
export type ListConnectorsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/connectors';
};
export type ListConnectorsResponses = {
    200: {
        items: Array<Connector>;
        nextCursor: string | null;
    };
};
export type ListConnectorsResponse = ListConnectorsResponses[keyof ListConnectorsResponses];
export type CreateConnectorData = {
    body: {
        name: string;
        type?: 'mcp' | undefined;
        endpoint: string;
        auth?: ({
            api_key: string;
        } | {
            type: 'none';
        } | {
            type: 'api_key';
            header?: string | undefined;
            prefix?: string | undefined;
            key: string;
        } | {
            type: 'bearer';
            token: string;
        } | {
            type: 'basic';
            username: string;
            password: string;
        } | {
            type: 'keys';
            /**
             * The secrets by the names that GET /api/providers/:name lists
             */
            values: {
                [key: string]: string;
            };
        } | {
            type: 'oauth2_client_credentials';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId: string;
            clientSecret?: string | undefined;
            /**
             * A private key in PEM that signs the assertions of the client, instead of a secret
             */
            privateKey?: string | undefined;
            /**
             * The `kid` of the private key
             */
            keyId?: string | undefined;
            audience?: string | undefined;
        } | {
            type: 'oauth2_authorization_code';
            tokenUrl?: string | undefined;
            /**
             * The authorization server of the client, whose metadata has its other addresses (RFC 8414)
             */
            issuer?: string | undefined;
            scopes?: Array<string> | undefined;
            /**
             * The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends none, for an authorization server that refuses the parameter
             */
            resource?: (string | null) | undefined;
            clientId?: string | undefined;
            clientSecret?: string | undefined;
            authorizationUrl?: string | undefined;
            /**
             * The operations of the provider that the connection is for: without `scopes`, it asks for the scopes that they need. All operations by default
             */
            operations?: Array<string> | undefined;
        }) | undefined;
        tools: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/connectors';
};
export type CreateConnectorResponses = {
    200: Connector;
};
export type CreateConnectorResponse = CreateConnectorResponses[keyof CreateConnectorResponses];
export type DeleteConnectorData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connectors/{id}';
};
export type DeleteConnectorResponses = {
    204: void;
};
export type DeleteConnectorResponse = DeleteConnectorResponses[keyof DeleteConnectorResponses];
export type GetConnectorData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/connectors/{id}';
};
export type GetConnectorResponses = {
    200: Connector;
};
export type GetConnectorResponse = GetConnectorResponses[keyof GetConnectorResponses];
export type ListConversationsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * Only conversations with this agent
         */
        agentId?: string | undefined;
        /**
         * Only conversations with this tag
         */
        tag?: string | undefined;
        /**
         * Only conversations that belong to this person
         */
        person?: string | undefined;
        /**
         * Only forks of this conversation
         */
        parentId?: string | undefined;
        /**
         * Only conversations with this id of yours
         */
        externalId?: string | undefined;
        /**
         * Only those with a turn that ended so
         */
        outcome?: ('completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'open') | undefined;
        /**
         * Only conversations that were created at this time or later
         */
        from?: string | undefined;
        /**
         * Only conversations that were created before this time
         */
        to?: string | undefined;
    } | undefined;
    url: '/api/conversations';
};
export type ListConversationsResponses = {
    200: {
        items: Array<Conversation>;
        nextCursor: string | null;
    };
};
export type ListConversationsResponse = ListConversationsResponses[keyof ListConversationsResponses];
export type CreateConversationData = {
    body: {
        agentId: string;
        /**
         * An id of your own: the conversation of this agent, id and person is made once, and answered again later
         */
        externalId?: string | undefined;
        title?: string | undefined;
        tags?: Array<string> | undefined;
        /**
         * The person to whom it belongs; without a name the person of its first turn
         */
        person?: string | undefined;
        /**
         * Who sees it besides its person: everybody with `workspace`, or the people named
         */
        sharedWith?: ('workspace' | Array<string>) | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/conversations';
};
export type CreateConversationResponses = {
    200: Conversation;
};
export type CreateConversationResponse = CreateConversationResponses[keyof CreateConversationResponses];
export type DeleteConversationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/conversations/{id}';
};
export type DeleteConversationResponses = {
    204: void;
};
export type DeleteConversationResponse = DeleteConversationResponses[keyof DeleteConversationResponses];
export type GetConversationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/conversations/{id}';
};
export type GetConversationResponses = {
    200: Conversation;
};
export type GetConversationResponse = GetConversationResponses[keyof GetConversationResponses];
export type UpdateConversationData = {
    body: {
        title?: (string | null) | undefined;
        tags?: Array<string> | undefined;
        /**
         * Who sees it besides its person: everybody with `workspace`, or the people named
         */
        sharedWith?: ('workspace' | Array<string>) | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/conversations/{id}';
};
export type UpdateConversationResponses = {
    200: Conversation;
};
export type UpdateConversationResponse = UpdateConversationResponses[keyof UpdateConversationResponses];
export type CompareConversationsData = {
    body?: never;
    path: {
        id: string;
    };
    query: {
        /**
         * The conversation to compare with
         */
        with: string;
    };
    url: '/api/conversations/{id}/compare';
};
export type CompareConversationsResponses = {
    200: {
        original: {
            conversationId: string;
            turns: Array<{
                turnId: string;
                message: string;
                outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'missed';
                answer: string;
                answerJson?: (JsonObject | null) | undefined;
                error: ErrorInfo | null;
                steps: Array<{
                    iteration: number;
                    text: string;
                    calls: Array<{
                        name: string;
                        arguments: JsonObject | null;
                        answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed' | null;
                        recordedCallId: string | null;
                        status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
                        result: string;
                        rule: string | null;
                        asks?: Array<string> | undefined;
                    }>;
                }>;
                unasked: Array<{
                    toolCallId: string;
                    name: string;
                }>;
                usage: Usage;
                costUsd: number | null;
                durationMs: number;
            }>;
        };
        run: {
            conversationId: string;
            turns: Array<{
                turnId: string;
                message: string;
                outcome: 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'missed';
                answer: string;
                answerJson?: (JsonObject | null) | undefined;
                error: ErrorInfo | null;
                steps: Array<{
                    iteration: number;
                    text: string;
                    calls: Array<{
                        name: string;
                        arguments: JsonObject | null;
                        answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed' | null;
                        recordedCallId: string | null;
                        status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
                        result: string;
                        rule: string | null;
                        asks?: Array<string> | undefined;
                    }>;
                }>;
                unasked: Array<{
                    toolCallId: string;
                    name: string;
                }>;
                usage: Usage;
                costUsd: number | null;
                durationMs: number;
            }>;
        };
        comparison: {
            passed: boolean;
            trajectory: 'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different';
            firstDifference: {
                turn: number;
                iteration: number;
                kind: 'tool_removed' | 'tool_added' | 'tool_changed' | 'arguments' | 'answered_early' | 'answered_late' | 'rule' | 'refused' | 'outcome' | 'answer';
                expected: string;
                found: string;
            } | null;
            brokenCalls?: Array<{
                turn: number;
                iteration: number;
                name: string;
                answeredBy: 'exact' | 'nearest' | 'stored' | 'stub' | 'live' | 'blocked' | 'refused' | 'missed';
                reason: string;
            }> | undefined;
            scores: {
                [key: string]: number;
            };
            judged: {
                verdict: 'better' | 'worse' | 'tie';
                flipped: boolean;
                reasons: Array<string>;
                promptHash: string;
                usage: Usage;
                costUsd: number | null;
            } | null;
        };
    };
};
export type CompareConversationsResponse = CompareConversationsResponses[keyof CompareConversationsResponses];
export type GetConversationContextData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/conversations/{id}/context';
};
export type GetConversationContextResponses = {
    200: {
        agentId: string;
        agentVersionId: string;
        model: string;
        turnId: string | null;
        instructions: string;
        tools: Array<{
            name: string;
            description: string;
            schema: JsonObject;
        }>;
        messages: Array<{
            role: 'summary' | 'user' | 'assistant' | 'tool';
            turnId: string | null;
            text: string;
            toolCalls?: Array<{
                name: string;
                arguments: JsonObject | null;
            }> | undefined;
        }>;
        compaction: 'off' | 'oldest_first' | 'summarize';
        threshold: number;
        estimatedTokens: number;
        tokensPerByte: number;
        isTooLong: boolean;
        leftOut: {
            turns: number;
            results: number;
        };
        compactions: Array<{
            id: string;
            turnId: string;
            iteration: number;
            kind: 'references' | 'oldest_first' | 'summarize';
            messageId: string | null;
            tokensBefore: number;
            tokensAfter: number;
            model: string | null;
            usage: Usage;
            credits: string | null;
            error: ErrorInfo | null;
            createdAt: string;
        }>;
    };
};
export type GetConversationContextResponse = GetConversationContextResponses[keyof GetConversationContextResponses];
export type StreamConversationEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Begins after this event. A `Last-Event-ID` header overrides it
         */
        after?: string | undefined;
        cursor?: string | undefined;
        /**
         * The most events on a JSON page
         */
        limit?: number | undefined;
    } | undefined;
    url: '/api/conversations/{id}/events';
};
export type StreamConversationEventsResponses = {
    200: {
        items: Array<ConversationEvent>;
        nextCursor: string | null;
    };
};
export type StreamConversationEventsResponse = StreamConversationEventsResponses[keyof StreamConversationEventsResponses];
export type ForkConversationData = {
    body: {
        turnId: string;
        iteration?: number | undefined;
        message?: (string | Array<{
            type: 'text';
            text: string;
        } | {
            type: 'image';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
            detail?: ('low' | 'high' | 'auto') | undefined;
        } | {
            type: 'audio';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
        } | {
            type: 'file';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
        } | {
            type: 'data';
            data: JsonValue;
            name?: string | undefined;
        }>) | undefined;
        toolResults?: Array<{
            toolCallId: string;
            result: string;
        }> | undefined;
        agentVersionId?: string | undefined;
        tools?: ('recorded' | 'live') | undefined;
        run?: boolean | undefined;
        actingFor?: string | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/conversations/{id}/fork';
};
export type ForkConversationResponses = {
    200: {
        conversation: Conversation;
        turn: Turn | null;
    };
};
export type ForkConversationResponse = ForkConversationResponses[keyof ForkConversationResponses];
export type ListMessagesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/conversations/{id}/messages';
};
export type ListMessagesResponses = {
    200: {
        items: Array<Message>;
        nextCursor: string | null;
    };
};
export type ListMessagesResponse = ListMessagesResponses[keyof ListMessagesResponses];
export type ListTurnsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/conversations/{id}/turns';
};
export type ListTurnsResponses = {
    200: {
        items: Array<Turn>;
        nextCursor: string | null;
    };
};
export type ListTurnsResponse = ListTurnsResponses[keyof ListTurnsResponses];
export type CreateTurnData = {
    body: {
        message: string | Array<{
            type: 'text';
            text: string;
        } | {
            type: 'image';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
            detail?: ('low' | 'high' | 'auto') | undefined;
        } | {
            type: 'audio';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
        } | {
            type: 'file';
            /**
             * A file of the workspace; see POST /api/files
             */
            fileId: string;
        } | {
            type: 'data';
            data: JsonValue;
            name?: string | undefined;
        }>;
        onBusy?: ('reject' | 'enqueue' | 'steer' | 'interrupt' | 'rollback') | undefined;
        now?: boolean | undefined;
        expectedTurnId?: string | undefined;
        confirmRollback?: boolean | undefined;
        actingFor?: string | undefined;
        responseSchema?: JsonObject | undefined;
    };
    path: {
        id: string;
    };
    query?: {
        /**
         * Waits for the end of the turn
         */
        wait?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/conversations/{id}/turns';
};
export type CreateTurnResponses = {
    200: TurnDetails;
};
export type CreateTurnResponse = CreateTurnResponses[keyof CreateTurnResponses];
export type ListFilesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/files';
};
export type ListFilesResponses = {
    200: {
        items: Array<StoredFile>;
        nextCursor: string | null;
    };
};
export type ListFilesResponse = ListFilesResponses[keyof ListFilesResponses];
export type CreateFileData = {
    body: {
        file: Blob | File;
    };
    path?: never;
    query?: never;
    url: '/api/files';
};
export type CreateFileResponses = {
    200: StoredFile;
};
export type CreateFileResponse = CreateFileResponses[keyof CreateFileResponses];
export type DeleteFileData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/files/{id}';
};
export type DeleteFileResponses = {
    204: void;
};
export type DeleteFileResponse = DeleteFileResponses[keyof DeleteFileResponses];
export type GetFileData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/files/{id}';
};
export type GetFileResponses = {
    200: StoredFile;
};
export type GetFileResponse = GetFileResponses[keyof GetFileResponses];
export type GetFileContentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/files/{id}/content';
};
export type GetFileContentResponses = {
    200: Blob | File;
};
export type GetFileContentResponse = GetFileContentResponses[keyof GetFileContentResponses];
export type ListFunctionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/functions';
};
export type ListFunctionsResponses = {
    200: Array<{
        name: string;
        description: string;
        schema: JsonObject;
        effect: 'read_only' | 'idempotent' | 'keyed' | 'unsafe';
        aliases?: Array<string> | undefined;
        origin: 'built_in' | 'own';
    }>;
};
export type ListFunctionsResponse = ListFunctionsResponses[keyof ListFunctionsResponses];
export type GetApiLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/health/live';
};
export type GetApiLivenessResponses = {
    200: 'live';
};
export type GetApiLivenessResponse = GetApiLivenessResponses[keyof GetApiLivenessResponses];
export type GetApiReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/health/ready';
};
export type GetApiReadinessResponses = {
    200: {
        status: 'ready';
        worker: boolean;
        stuckWorkflows: number;
    };
};
export type GetApiReadinessResponse = GetApiReadinessResponses[keyof GetApiReadinessResponses];
export type ListInboxData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * The person; a key that acts for one needs no name
         */
        person?: string | undefined;
        /**
         * Only messages that nobody has read
         */
        unread?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/inbox';
};
export type ListInboxResponses = {
    200: {
        items: Array<InboxMessage>;
        nextCursor: string | null;
    };
};
export type ListInboxResponse = ListInboxResponses[keyof ListInboxResponses];
export type GetInboxMessageData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/inbox/{id}';
};
export type GetInboxMessageResponses = {
    200: InboxMessage;
};
export type GetInboxMessageResponse = GetInboxMessageResponses[keyof GetInboxMessageResponses];
export type UpdateInboxMessageData = {
    body: {
        read: boolean;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/inbox/{id}';
};
export type UpdateInboxMessageResponses = {
    200: InboxMessage;
};
export type UpdateInboxMessageResponse = UpdateInboxMessageResponses[keyof UpdateInboxMessageResponses];
export type ListKnowledgeBasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/knowledge-bases';
};
export type ListKnowledgeBasesResponses = {
    200: {
        items: Array<KnowledgeBase>;
        nextCursor: string | null;
    };
};
export type ListKnowledgeBasesResponse = ListKnowledgeBasesResponses[keyof ListKnowledgeBasesResponses];
export type CreateKnowledgeBaseData = {
    body: {
        name: string;
        description?: string | undefined;
        language?: ('arabic' | 'armenian' | 'basque' | 'catalan' | 'danish' | 'dutch' | 'english' | 'finnish' | 'french' | 'german' | 'greek' | 'hindi' | 'hungarian' | 'indonesian' | 'irish' | 'italian' | 'lithuanian' | 'nepali' | 'norwegian' | 'portuguese' | 'romanian' | 'russian' | 'serbian' | 'simple' | 'spanish' | 'swedish' | 'tamil' | 'turkish' | 'yiddish') | undefined;
        embeddingModel?: (string | null) | undefined;
        embeddingConnectionId?: (string | null) | undefined;
        chunking?: {
            maxCharacters?: number | undefined;
            overlapCharacters?: number | undefined;
        } | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/knowledge-bases';
};
export type CreateKnowledgeBaseResponses = {
    200: KnowledgeBase;
};
export type CreateKnowledgeBaseResponse = CreateKnowledgeBaseResponses[keyof CreateKnowledgeBaseResponses];
export type DeleteKnowledgeBaseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}';
};
export type DeleteKnowledgeBaseResponses = {
    204: void;
};
export type DeleteKnowledgeBaseResponse = DeleteKnowledgeBaseResponses[keyof DeleteKnowledgeBaseResponses];
export type GetKnowledgeBaseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}';
};
export type GetKnowledgeBaseResponses = {
    200: KnowledgeBase;
};
export type GetKnowledgeBaseResponse = GetKnowledgeBaseResponses[keyof GetKnowledgeBaseResponses];
export type UpdateKnowledgeBaseData = {
    body: {
        name?: string | undefined;
        description?: string | undefined;
        embeddingModel?: (string | null) | undefined;
        embeddingConnectionId?: (string | null) | undefined;
        chunking?: {
            maxCharacters?: number | undefined;
            overlapCharacters?: number | undefined;
        } | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}';
};
export type UpdateKnowledgeBaseResponses = {
    200: KnowledgeBase;
};
export type UpdateKnowledgeBaseResponse = UpdateKnowledgeBaseResponses[keyof UpdateKnowledgeBaseResponses];
export type ListDocumentsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/knowledge-bases/{id}/documents';
};
export type ListDocumentsResponses = {
    200: {
        items: Array<Document>;
        nextCursor: string | null;
    };
};
export type ListDocumentsResponse = ListDocumentsResponses[keyof ListDocumentsResponses];
export type CreateDocumentData = {
    body: {
        name: string;
        text: string;
        mediaType?: ('text/plain' | 'text/markdown' | 'text/html') | undefined;
    } | {
        file: Blob | File;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}/documents';
};
export type CreateDocumentResponses = {
    200: Document;
};
export type CreateDocumentResponse = CreateDocumentResponses[keyof CreateDocumentResponses];
export type DeleteDocumentData = {
    body?: never;
    path: {
        id: string;
        documentId: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}/documents/{documentId}';
};
export type DeleteDocumentResponses = {
    204: void;
};
export type DeleteDocumentResponse = DeleteDocumentResponses[keyof DeleteDocumentResponses];
export type GetDocumentData = {
    body?: never;
    path: {
        id: string;
        documentId: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}/documents/{documentId}';
};
export type GetDocumentResponses = {
    200: Document;
};
export type GetDocumentResponse = GetDocumentResponses[keyof GetDocumentResponses];
export type ReprocessDocumentData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
        documentId: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}/documents/{documentId}/reprocess';
};
export type ReprocessDocumentResponses = {
    200: Document;
};
export type ReprocessDocumentResponse = ReprocessDocumentResponses[keyof ReprocessDocumentResponses];
export type QueryKnowledgeBaseData = {
    body: {
        query: string;
        limit?: number | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/knowledge-bases/{id}/query';
};
export type QueryKnowledgeBaseResponses = {
    200: {
        results: Array<KnowledgeResult>;
        notice: string | null;
    };
};
export type QueryKnowledgeBaseResponse = QueryKnowledgeBaseResponses[keyof QueryKnowledgeBaseResponses];
export type SteerMessageData = {
    body?: ({
        now?: boolean | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/messages/{id}/steer';
};
export type SteerMessageResponses = {
    200: Turn;
};
export type SteerMessageResponse = SteerMessageResponses[keyof SteerMessageResponses];
export type WithdrawMessageData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/messages/{id}/withdraw';
};
export type WithdrawMessageResponses = {
    200: Turn;
};
export type WithdrawMessageResponse = WithdrawMessageResponses[keyof WithdrawMessageResponses];
export type ListModelsData = {
    body?: never;
    path?: never;
    query?: {
        kind?: ('language' | 'embedding' | 'image') | undefined;
        /**
         * Only models that can be called with the operator's key, or only others
         */
        configured?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/models';
};
export type ListModelsResponses = {
    200: {
        models: Array<{
            name: string;
            vendor: string;
            kind: 'language' | 'embedding' | 'image';
            /**
             * Whether it can be called with the operator's key
             */
            configured: boolean;
            /**
             * What has to be set before it can be called
             */
            warning: string | null;
            /**
             * Null for a model that is not in the list of known ones
             */
            capabilities: {
                inputTokens: number;
                outputTokens: number;
                /**
                 * What it takes beside text
                 */
                takes: Array<'image' | 'document' | 'audio' | 'video'>;
                structuredOutput: boolean;
                efforts: Array<'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'>;
                /**
                 * Whether temperature and topP can be set
                 */
                sampling: boolean;
            } | null;
            price: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            } | null;
            /**
             * How many agents of the workspace name it
             */
            agents: number;
            /**
             * The keys with which it has failed since it last answered
             */
            states: Array<{
                /**
                 * Null for the operator's key
                 */
                connectionId: string | null;
                circuit: 'closed' | 'open' | 'half_open';
                failures: number;
                openUntil: string | null;
                errorCode: string;
                failedAt: string;
            }>;
        }>;
        /**
         * The day of the list of known models
         */
        version: string;
    };
};
export type ListModelsResponse = ListModelsResponses[keyof ListModelsResponses];
export type ListPendingActionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        status?: ('pending' | 'approved' | 'rejected' | 'answered' | 'expired' | 'cancelled') | undefined;
        kind?: ('approval' | 'question' | 'client_tool') | undefined;
        turnId?: string | undefined;
        conversationId?: string | undefined;
    } | undefined;
    url: '/api/pending-actions';
};
export type ListPendingActionsResponses = {
    200: {
        items: Array<PendingAction>;
        nextCursor: string | null;
    };
};
export type ListPendingActionsResponse = ListPendingActionsResponses[keyof ListPendingActionsResponses];
export type GetPendingActionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/pending-actions/{id}';
};
export type GetPendingActionResponses = {
    200: PendingAction;
};
export type GetPendingActionResponse = GetPendingActionResponses[keyof GetPendingActionResponses];
export type DecidePendingActionData = {
    body: {
        decision: 'approve';
        arguments?: JsonObject | undefined;
        remember?: {
            tool: string;
            pins: JsonObject;
            scope: 'conversation' | 'agent' | 'workspace';
            until: string;
        } | undefined;
        reason?: string | undefined;
        actingFor?: string | undefined;
    } | {
        decision: 'reject';
        reason?: string | undefined;
        actingFor?: string | undefined;
    } | {
        decision: 'answer';
        answer: JsonValue;
        isError?: boolean | undefined;
        reason?: string | undefined;
        actingFor?: string | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/pending-actions/{id}/decision';
};
export type DecidePendingActionResponses = {
    200: PendingAction;
};
export type DecidePendingActionResponse = DecidePendingActionResponses[keyof DecidePendingActionResponses];
export type LinkPendingActionData = {
    body?: ({
        actingFor?: string | undefined;
        expiresInSeconds?: number | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/pending-actions/{id}/link';
};
export type LinkPendingActionResponses = {
    200: {
        url: string;
        expiresAt: string;
    };
};
export type LinkPendingActionResponse = LinkPendingActionResponses[keyof LinkPendingActionResponses];
export type ListPeopleData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/people';
};
export type ListPeopleResponses = {
    200: {
        items: Array<{
            id: string;
            name: string;
            issuer: string;
            subject: string;
            roles: Array<'viewer' | 'editor' | 'approver' | 'operator' | 'admin'>;
            groups: Array<string>;
            createdAt: string;
            lastSeenAt: string | null;
            deactivatedAt: string | null;
        }>;
        nextCursor: string | null;
    };
};
export type ListPeopleResponse = ListPeopleResponses[keyof ListPeopleResponses];
export type GetPersonData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/people/{id}';
};
export type GetPersonResponses = {
    200: {
        id: string;
        name: string;
        issuer: string;
        subject: string;
        roles: Array<'viewer' | 'editor' | 'approver' | 'operator' | 'admin'>;
        groups: Array<string>;
        createdAt: string;
        lastSeenAt: string | null;
        deactivatedAt: string | null;
    };
};
export type GetPersonResponse = GetPersonResponses[keyof GetPersonResponses];
export type ChangePersonData = {
    body: {
        active: boolean;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/people/{id}';
};
export type ChangePersonResponses = {
    200: {
        id: string;
        name: string;
        issuer: string;
        subject: string;
        roles: Array<'viewer' | 'editor' | 'approver' | 'operator' | 'admin'>;
        groups: Array<string>;
        createdAt: string;
        lastSeenAt: string | null;
        deactivatedAt: string | null;
    };
};
export type ChangePersonResponse = ChangePersonResponses[keyof ChangePersonResponses];
export type GetPricesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/prices';
};
export type GetPricesResponses = {
    200: {
        /**
         * The day of the list prices
         */
        version: string;
        /**
         * The list prices, in US dollars
         */
        list: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        /**
         * The prices that the workspace has set; they come before those of the list
         */
        own: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        /**
         * When the workspace set its prices; null when it has not
         */
        updatedAt: string | null;
    };
};
export type GetPricesResponse = GetPricesResponses[keyof GetPricesResponses];
export type SetPricesData = {
    body: {
        prices: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
    };
    path?: never;
    query?: never;
    url: '/api/prices';
};
export type SetPricesResponses = {
    200: {
        /**
         * The day of the list prices
         */
        version: string;
        /**
         * The list prices, in US dollars
         */
        list: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        /**
         * The prices that the workspace has set; they come before those of the list
         */
        own: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        };
        /**
         * When the workspace set its prices; null when it has not
         */
        updatedAt: string | null;
    };
};
export type SetPricesResponse = SetPricesResponses[keyof SetPricesResponses];
export type ListProvidersData = {
    body?: never;
    path?: never;
    query?: {
        search?: string | undefined;
        category?: ('calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support') | undefined;
    } | undefined;
    url: '/api/providers';
};
export type ListProvidersResponses = {
    200: {
        providers: Array<{
            name: string;
            title: string;
            description: string;
            category: 'calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support';
            authTypes: Array<ConnectionAuthType>;
            operationCount: number;
            source: 'catalogue' | 'imported';
            /**
             * The version of an imported provider
             */
            version: number | null;
            /**
             * A monogram as SVG, not the mark of the vendor
             */
            logo: string;
            /**
             * Set when a trigger takes its webhooks: whether the vendor makes their secret, or whoever registers the URL
             */
            webhooks: {
                secretFrom: 'vendor' | 'registration';
            } | null;
            /**
             * The date of the documentation that it follows, when no document of the vendor could check it
             */
            unverified: string | null;
        }>;
        categories: Array<'calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support'>;
    };
};
export type ListProvidersResponse = ListProvidersResponses[keyof ListProvidersResponses];
export type ImportProviderData = {
    body: {
        /**
         * The name of the provider. By default from the title of the document
         */
        name?: string | undefined;
        title?: string | undefined;
        description?: string | undefined;
        category?: ('calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support') | undefined;
        /**
         * The address of the API, in place of the first server of the document
         */
        baseUrl?: string | undefined;
        /**
         * The operations to import, each by its operationId or as `GET /pets/{id}`. All by default
         */
        operations?: Array<string> | undefined;
        /**
         * Imports the operations that have one of these tags, too
         */
        tags?: Array<string> | undefined;
        /**
         * Effects of operations by operationId, name or `GET /pets/{id}`, where the method does not tell them
         */
        effects?: {
            [key: string]: 'read_only' | 'idempotent' | 'keyed' | 'unsafe';
        } | undefined;
        /**
         * An OpenAPI document 3.0 or 3.1, or a server.json, as the text of JSON or YAML or as an object
         */
        document?: (string | {
            [key: string]: unknown;
        }) | undefined;
        /**
         * The address of the document, in place of the document
         */
        url?: string | undefined;
        /**
         * Returns what would be made, and stores nothing
         */
        dryRun?: boolean | undefined;
        /**
         * Replaces a provider although tools of agents call operations that are then missing
         */
        force?: boolean | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/providers/import';
};
export type ImportProviderResponses = {
    200: {
        stored: boolean;
        /**
         * The provider that was made, or would be; null for a server.json
         */
        provider: {
            name: string;
            title: string;
            description: string;
            category: 'calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support';
            authTypes: Array<ConnectionAuthType>;
            operationCount: number;
            source: 'catalogue' | 'imported';
            /**
             * The version of an imported provider
             */
            version: number | null;
            /**
             * A monogram as SVG, not the mark of the vendor
             */
            logo: string;
            /**
             * Set when a trigger takes its webhooks: whether the vendor makes their secret, or whoever registers the URL
             */
            webhooks: {
                secretFrom: 'vendor' | 'registration';
            } | null;
            /**
             * The date of the documentation that it follows, when no document of the vendor could check it
             */
            unverified: string | null;
            baseUrl: string;
            /**
             * What a person does at the vendor before connecting, in Markdown
             */
            setup: string;
            /**
             * The parts of the address that a connection has to name
             */
            variables: Array<{
                name: string;
                description: string;
                example: string;
                oneOf: Array<string> | null;
                default: string | null;
                /**
                 * The types of auth whose requests need it; none for one of the consent page alone
                 */
                authTypes: Array<ConnectionAuthType>;
            }>;
            auth: {
                types: Array<{
                    type: ConnectionAuthType;
                    fields: Array<{
                        name: string;
                        label: string;
                        secret: boolean;
                        required: boolean;
                        value?: string | undefined;
                    }>;
                }>;
                scopes: Array<string>;
                hint: string | null;
            };
        } | null;
        operations: Array<{
            name: string;
            operationId: string | null;
            request: string;
            tags: Array<string>;
            description: string;
            effect: 'read_only' | 'idempotent' | 'keyed' | 'unsafe';
            destructive: boolean;
            scopes: Array<string>;
        }>;
        /**
         * What was left out or changed, at most 200
         */
        warnings: Array<{
            pointer: string;
            message: string;
        }>;
        warningCount: number;
        /**
         * What differs from the version before; null for a first import
         */
        changes: {
            added: Array<string>;
            removed: Array<string>;
            /**
             * The operations whose request, input, description or effect differ
             */
            changed: Array<string>;
            /**
             * The tools of agents that call operations which were removed or changed
             */
            usedBy: Array<{
                agentId: string;
                agent: string;
                tool: string;
                operation: string;
            }>;
        } | null;
        /**
         * The draft of a connection, when the document is a server.json of the MCP registry
         */
        mcpServer: {
            name: string;
            title: string;
            description: string;
            version: string;
            connection: {
                name: string;
                provider: 'mcp';
                endpoint: string;
                auth: {
                    type: 'none' | 'bearer' | 'api_key';
                    header?: string | undefined;
                    prefix?: string | undefined;
                };
            };
            fields: Array<{
                name: string;
                place: 'endpoint' | 'auth';
                description: string;
                required: boolean;
                secret: boolean;
                default: string | null;
                choices: Array<string> | null;
            }>;
            warnings: Array<{
                pointer: string;
                message: string;
            }>;
        } | null;
    };
};
export type ImportProviderResponse = ImportProviderResponses[keyof ImportProviderResponses];
export type DeleteProviderData = {
    body?: never;
    path: {
        name: string;
    };
    query?: never;
    url: '/api/providers/{name}';
};
export type DeleteProviderResponses = {
    204: void;
};
export type DeleteProviderResponse = DeleteProviderResponses[keyof DeleteProviderResponses];
export type GetProviderData = {
    body?: never;
    path: {
        name: string;
    };
    query?: never;
    url: '/api/providers/{name}';
};
export type GetProviderResponses = {
    200: {
        name: string;
        title: string;
        description: string;
        category: 'calendar' | 'communication' | 'development' | 'documents' | 'infrastructure' | 'marketing' | 'other' | 'payments' | 'productivity' | 'search' | 'storage' | 'support';
        authTypes: Array<ConnectionAuthType>;
        operationCount: number;
        source: 'catalogue' | 'imported';
        /**
         * The version of an imported provider
         */
        version: number | null;
        /**
         * A monogram as SVG, not the mark of the vendor
         */
        logo: string;
        /**
         * Set when a trigger takes its webhooks: whether the vendor makes their secret, or whoever registers the URL
         */
        webhooks: {
            secretFrom: 'vendor' | 'registration';
        } | null;
        /**
         * The date of the documentation that it follows, when no document of the vendor could check it
         */
        unverified: string | null;
        baseUrl: string;
        /**
         * What a person does at the vendor before connecting, in Markdown
         */
        setup: string;
        /**
         * The parts of the address that a connection has to name
         */
        variables: Array<{
            name: string;
            description: string;
            example: string;
            oneOf: Array<string> | null;
            default: string | null;
            /**
             * The types of auth whose requests need it; none for one of the consent page alone
             */
            authTypes: Array<ConnectionAuthType>;
        }>;
        auth: {
            types: Array<{
                type: ConnectionAuthType;
                fields: Array<{
                    name: string;
                    label: string;
                    secret: boolean;
                    required: boolean;
                    value?: string | undefined;
                }>;
            }>;
            scopes: Array<string>;
            hint: string | null;
        };
        operations: Array<{
            name: string;
            description: string;
            inputSchema: JsonObject;
            executeRef: string;
            hiddenCharacters?: Array<string> | undefined;
            effect: 'read_only' | 'idempotent' | 'keyed' | 'unsafe';
            scopes: Array<string>;
        }>;
    };
};
export type GetProviderResponse = GetProviderResponses[keyof GetProviderResponses];
export type ExportRecordingsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only conversations with a turn of this agent
         */
        agentId?: string | undefined;
        /**
         * … that was created at this time or later
         */
        from?: string | undefined;
        /**
         * … that was created before this time
         */
        to?: string | undefined;
        /**
         * … that ended so
         */
        outcome?: ('completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit') | undefined;
        /**
         * … that called this tool
         */
        tool?: string | undefined;
        /**
         * Only conversations with this tag
         */
        tag?: string | undefined;
        /**
         * Only this conversation; may be repeated
         */
        conversationId?: (string | Array<string>) | undefined;
        /**
         * So many conversations at random
         */
        sample?: number | undefined;
        /**
         * The same seed takes the same conversations
         */
        seed?: string | undefined;
    } | undefined;
    url: '/api/recordings';
};
export type ExportRecordingsResponses = {
    200: Blob | File;
};
export type ExportRecordingsResponse = ExportRecordingsResponses[keyof ExportRecordingsResponses];
export type ImportRecordingsData = {
    body?: string | undefined;
    path?: never;
    query?: {
        /**
         * The agent that the turns belong to from now on
         */
        agentId?: string | undefined;
    } | undefined;
    url: '/api/recordings';
};
export type ImportRecordingsResponses = {
    200: {
        /**
         * The number of the last line that was looked at
         */
        lines: number;
        /**
         * True when the time of the request was over before its last line: send the lines after `lines` again
         */
        timedOut: boolean;
        imported: number;
        /**
         * Lines of turns that were imported before
         */
        skipped: number;
        refused: number;
        /**
         * The first 100 lines that were refused, and why
         */
        errors: Array<{
            line: number;
            message: string;
        }>;
        /**
         * The agents that the imported turns belong to
         */
        agents: Array<{
            id: string;
            name: string;
        }>;
    };
};
export type ImportRecordingsResponse = ImportRecordingsResponses[keyof ImportRecordingsResponses];
export type ListReplaysData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/replays';
};
export type ListReplaysResponses = {
    200: {
        items: Array<Replay>;
        nextCursor: string | null;
    };
};
export type ListReplaysResponse = ListReplaysResponses[keyof ListReplaysResponses];
export type CreateReplayData = {
    body: {
        name?: string | undefined;
        selection: {
            agentId?: string | undefined;
            conversationIds?: Array<string> | undefined;
            turnIds?: Array<string> | undefined;
            from?: string | undefined;
            to?: string | undefined;
            outcomes?: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'> | undefined;
            tool?: string | undefined;
            tag?: string | undefined;
            sample?: {
                size: number;
                seed?: number | undefined;
            } | undefined;
        };
        candidate?: {
            agentVersionId?: string | undefined;
            agent?: {
                model: string;
                instructions: string;
                limits?: {
                    activityTimeoutMs?: number | undefined;
                    modelTimeoutMs?: number | undefined;
                    turnTimeoutMs?: number | undefined;
                    startTimeoutMs?: number | undefined;
                    absenceTimeoutMs?: number | undefined;
                    maxIterations?: number | undefined;
                    contextCharacters?: number | undefined;
                    maxTokens?: number | undefined;
                    maxAgentDepth?: number | undefined;
                    approvalTimeoutMs?: number | undefined;
                } | undefined;
                toolCallsInText?: (boolean | null) | undefined;
                modelConnectionId?: (string | null) | undefined;
                /**
                 * Models that are called when the ones before them are away, in this order
                 */
                fallbackModels?: Array<{
                    model: string;
                    modelConnectionId?: (string | null) | undefined;
                }> | undefined;
                modelSettings?: {
                    temperature?: number | undefined;
                    topP?: number | undefined;
                    maxOutputTokens?: number | undefined;
                    reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                    /**
                     * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                     */
                    reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                    /**
                     * `required`, or the name of a tool, holds for the first model call of a turn
                     */
                    toolChoice?: ('auto' | 'required' | 'none' | {
                        tool: string;
                    }) | undefined;
                    parallelToolCalls?: boolean | undefined;
                    /**
                     * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                     */
                    promptCaching?: ('auto' | '1h' | 'off') | undefined;
                    /**
                     * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                     */
                    structuredOutput?: ('native' | 'asked') | undefined;
                    /**
                     * The files that models take which Holdfast does not know; without it they get texts and notes
                     */
                    takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                    /**
                     * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                     */
                    providerOptions?: {
                        [key: string]: JsonObject;
                    } | undefined;
                    headers?: {
                        [key: string]: string;
                    } | undefined;
                } | undefined;
                /**
                 * How the conversation is shortened when it is too long for its model
                 */
                compaction?: ('off' | 'oldest_first' | 'summarize') | undefined;
                /**
                 * The tokens above which the context is shortened; null for a number that fits the model
                 */
                compactionThreshold?: (number | null) | undefined;
                /**
                 * The model that writes summaries; null for the agent's own
                 */
                summaryModel?: (string | null) | undefined;
                rules: {
                    toolAllowlist?: Array<string> | undefined;
                    toolPolicies?: {
                        [key: string]: {
                            schema?: JsonObject | undefined;
                            minimums?: {
                                [key: string]: number;
                            } | undefined;
                            maximums?: {
                                [key: string]: number;
                            } | undefined;
                            allowedValues?: {
                                [key: string]: Array<JsonValue>;
                            } | undefined;
                            patterns?: {
                                [key: string]: string;
                            } | undefined;
                            forbiddenFields?: Array<string> | undefined;
                            maxCallsPerTurn?: number | undefined;
                            maxCallsPerDay?: number | undefined;
                            approval?: ('ask' | 'always_ask') | undefined;
                            approvalWhen?: JsonObject | undefined;
                            approvers?: Array<string> | undefined;
                            selfApproval?: false | undefined;
                        };
                    } | undefined;
                    forLater?: Array<string> | undefined;
                    canaryTokens?: Array<string> | undefined;
                    onBlocked?: ('continue' | 'end_turn') | undefined;
                };
                tools: Array<{
                    type: string;
                    name: string;
                    /**
                     * The first 4,000 characters are kept
                     */
                    description: string;
                    schema: JsonObject;
                    settings?: {
                        effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                        timeoutMs?: number | undefined;
                        settleAfterMs?: number | undefined;
                        enabled?: boolean | undefined;
                        approval?: ('never' | 'ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: boolean | undefined;
                        credits?: string | undefined;
                    } | undefined;
                    config: JsonObject;
                }>;
            } | undefined;
            model?: string | undefined;
            modelConnectionId?: (string | null) | undefined;
            instructions?: string | undefined;
            sampling?: {
                temperature?: number | undefined;
                maxOutputTokens?: number | undefined;
            } | undefined;
            tools?: {
                remove?: Array<string> | undefined;
                change?: {
                    [key: string]: {
                        name?: string | undefined;
                        description?: string | undefined;
                        schema?: JsonObject | undefined;
                    };
                } | undefined;
                add?: Array<{
                    name: string;
                    description: string;
                    schema: JsonObject;
                }> | undefined;
            } | undefined;
            rules?: {
                toolAllowlist?: Array<string> | undefined;
                toolPolicies?: {
                    [key: string]: {
                        schema?: JsonObject | undefined;
                        minimums?: {
                            [key: string]: number;
                        } | undefined;
                        maximums?: {
                            [key: string]: number;
                        } | undefined;
                        allowedValues?: {
                            [key: string]: Array<JsonValue>;
                        } | undefined;
                        patterns?: {
                            [key: string]: string;
                        } | undefined;
                        forbiddenFields?: Array<string> | undefined;
                        maxCallsPerTurn?: number | undefined;
                        maxCallsPerDay?: number | undefined;
                        approval?: ('ask' | 'always_ask') | undefined;
                        approvalWhen?: JsonObject | undefined;
                        approvers?: Array<string> | undefined;
                        selfApproval?: false | undefined;
                    };
                } | undefined;
                forLater?: Array<string> | undefined;
                canaryTokens?: Array<string> | undefined;
                onBlocked?: ('continue' | 'end_turn') | undefined;
            } | undefined;
        } | undefined;
        mode?: ('turns' | 'conversations') | undefined;
        toolAnswers?: {
            [key: string]: 'recorded' | 'live';
        } | undefined;
        onMiss?: ('stop' | 'stub' | 'live_if_read_only') | undefined;
        stubs?: {
            [key: string]: string;
        } | undefined;
        baseline?: boolean | undefined;
        repeats?: number | undefined;
        pass?: {
            trajectories?: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'> | undefined;
            answer?: ('any' | 'normalised' | 'exact') | undefined;
        } | undefined;
        ceiling?: {
            costUsd?: number | undefined;
            tokens?: number | undefined;
        } | undefined;
        modelCallsPerMinute?: number | undefined;
        concurrency?: number | undefined;
        judge?: {
            model: string;
            modelConnectionId?: (string | null) | undefined;
            rubric: string;
            labels?: {
                [key: string]: 'better' | 'worse' | 'tie';
            } | undefined;
        } | undefined;
        prices?: {
            [key: string]: {
                input: number;
                output: number;
                cacheRead?: number | undefined;
                cacheWrite?: number | undefined;
                perCall?: number | undefined;
                perImage?: number | undefined;
                maxOutputTokens?: number | undefined;
            };
        } | undefined;
        margins?: {
            passed?: number | undefined;
            scores?: number | undefined;
            costUsd?: number | undefined;
            durationMs?: number | undefined;
        } | undefined;
        /**
         * @deprecated
         */
        seed?: number | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/replays';
};
export type CreateReplayResponses = {
    200: Replay;
};
export type CreateReplayResponse = CreateReplayResponses[keyof CreateReplayResponses];
export type GetReplayData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/replays/{id}';
};
export type GetReplayResponses = {
    200: LinkedReplay;
};
export type GetReplayResponse = GetReplayResponses[keyof GetReplayResponses];
export type CancelReplayData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/replays/{id}/cancel';
};
export type CancelReplayResponses = {
    200: Replay;
};
export type CancelReplayResponse = CancelReplayResponses[keyof CancelReplayResponses];
export type ListReplayCasesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: number | undefined;
        /**
         * `true` for cases that the candidate has changed, or that could not be run
         */
        changed?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/replays/{id}/cases';
};
export type ListReplayCasesResponses = {
    200: {
        items: Array<ReportCase>;
        nextCursor: string | null;
    };
};
export type ListReplayCasesResponse = ListReplayCasesResponses[keyof ListReplayCasesResponses];
export type GetReplayCaseData = {
    body?: never;
    path: {
        id: string;
        position: number;
    };
    query?: never;
    url: '/api/replays/{id}/cases/{position}';
};
export type GetReplayCaseResponses = {
    200: ReplayCaseDetails;
};
export type GetReplayCaseResponse = GetReplayCaseResponses[keyof GetReplayCaseResponses];
export type StreamReplayEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/replays/{id}/events';
};
export type StreamReplayEventsResponses = {
    200: Blob | File;
};
export type StreamReplayEventsResponse = StreamReplayEventsResponses[keyof StreamReplayEventsResponses];
export type PauseReplayData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/replays/{id}/pause';
};
export type PauseReplayResponses = {
    200: Replay;
};
export type PauseReplayResponse = PauseReplayResponses[keyof PauseReplayResponses];
export type GetReplayReportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        format?: ('json' | 'html' | 'markdown' | 'junit') | undefined;
        /**
         * The smallest difference of the pass rate that matters, as a share; by default that of the replay
         */
        passedMargin?: number | undefined;
        /**
         * The smallest difference of scores that matters, as a share; by default that of the replay
         */
        scoresMargin?: number | undefined;
        /**
         * The smallest difference of the cost that matters, as a share; by default that of the replay
         */
        costMargin?: number | undefined;
        /**
         * The smallest difference of the duration that matters, as a share; by default that of the replay
         */
        durationMargin?: number | undefined;
    } | undefined;
    url: '/api/replays/{id}/report';
};
export type GetReplayReportResponses = {
    200: Blob | File;
};
export type GetReplayReportResponse = GetReplayReportResponses[keyof GetReplayReportResponses];
export type ResumeReplayData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/replays/{id}/resume';
};
export type ResumeReplayResponses = {
    200: Replay;
};
export type ResumeReplayResponse = ResumeReplayResponses[keyof ResumeReplayResponses];
export type GetResourceSchemaData = {
    body?: never;
    path?: never;
    query: {
        kind: 'note' | 'prompt' | 'standard' | 'project' | 'team' | 'agent' | 'routine' | 'single_step_routine' | 'api' | 'memory';
        op: 'find' | 'add' | 'update' | 'delete';
    };
    url: '/api/resource-schemas';
};
export type GetResourceSchemaResponses = {
    200: JsonObject;
};
export type GetResourceSchemaResponse = GetResourceSchemaResponses[keyof GetResourceSchemaResponses];
export type ListResourcesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * Only resources of this kind
         */
        kind?: ('note' | 'prompt' | 'standard' | 'project' | 'team' | 'agent' | 'routine' | 'single_step_routine' | 'api' | 'memory') | undefined;
        /**
         * Words, phrases in quotes, `or`, and `-word`. The best results come first, on one page
         */
        query?: string | undefined;
        /**
         * Filters of the kind, as JSON, such as `{"tags":["billing"]}`
         */
        filters?: string | undefined;
        /**
         * Only what `person:<name>`, `key:<id>` or `agent:<id>` has made
         */
        madeBy?: string | undefined;
        /**
         * Lists deleted resources, and no others
         */
        deleted?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/resources';
};
export type ListResourcesResponses = {
    200: {
        items: Array<Resource>;
        nextCursor: string | null;
    };
};
export type ListResourcesResponse = ListResourcesResponses[keyof ListResourcesResponses];
export type CreateResourceData = {
    body: {
        kind: 'note';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            /**
             * The text, as Markdown
             */
            content: string;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'prompt';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            /**
             * The prompt. A variable is written {{name}}
             */
            text: string;
            variables?: Array<{
                name: string;
                description?: string | undefined;
                required?: boolean | undefined;
            }> | undefined;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'standard';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            /**
             * The JSON Schema
             */
            schema: unknown;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'project';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            goal?: string | undefined;
            status?: ('planned' | 'active' | 'paused' | 'done') | undefined;
            /**
             * The resources that belong to it
             */
            resourceIds?: Array<string> | undefined;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'team';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            goal?: string | undefined;
            /**
             * The agent that leads; by default the first member
             */
            leaderId?: string | undefined;
            members: Array<{
                agentId: string;
                /**
                 * The part of the agent in the team
                 */
                role?: string | undefined;
            }>;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'agent';
        attributes: {
            name: string;
            /**
             * The model, such as openai/gpt-5.4-mini
             */
            model: string;
            instructions: string;
            limits?: {
                activityTimeoutMs?: number | undefined;
                modelTimeoutMs?: number | undefined;
                turnTimeoutMs?: number | undefined;
                startTimeoutMs?: number | undefined;
                absenceTimeoutMs?: number | undefined;
                maxIterations?: number | undefined;
                contextCharacters?: number | undefined;
                maxTokens?: number | undefined;
                maxAgentDepth?: number | undefined;
                approvalTimeoutMs?: number | undefined;
            } | undefined;
            /**
             * How the steps of a turn run. The former value `fast` is accepted until the next release, and means `direct`
             */
            execution?: ('inspectable' | 'direct') | undefined;
            /**
             * Names of tools of the agent that makes it; the new agent gets copies of them
             */
            tools?: Array<string> | undefined;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'routine';
        attributes: {
            /**
             * The agent that the routine acts as
             */
            agentId: string;
            document: JsonObject;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'single_step_routine';
        attributes: {
            /**
             * The agent that the routine acts as
             */
            agentId: string;
            namespace?: string | undefined;
            name: string;
            description?: string | undefined;
            task: JsonObject;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'api';
        attributes: {
            name: string;
            description?: string | undefined;
            tags?: Array<string> | undefined;
            url: string;
            format?: ('openapi' | 'graphql' | 'other') | undefined;
            document?: JsonObject | undefined;
            /**
             * How it is called, and what to watch for
             */
            notes?: string | undefined;
        };
        actingFor?: string | undefined;
    } | {
        kind: 'memory';
        attributes: {
            scope: 'agent';
            agentId: string;
            /**
             * The fact to remember, in one or a few sentences
             */
            content: string;
            tags?: Array<string> | undefined;
            /**
             * Forgotten after so many seconds; without it never
             */
            ttlSeconds?: number | undefined;
        } | {
            scope: 'user';
            /**
             * The person, as API keys and requests name them
             */
            person: string;
            /**
             * The fact to remember, in one or a few sentences
             */
            content: string;
            tags?: Array<string> | undefined;
            /**
             * Forgotten after so many seconds; without it never
             */
            ttlSeconds?: number | undefined;
        } | {
            scope: 'workspace';
            /**
             * The fact to remember, in one or a few sentences
             */
            content: string;
            tags?: Array<string> | undefined;
            /**
             * Forgotten after so many seconds; without it never
             */
            ttlSeconds?: number | undefined;
        };
        actingFor?: string | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/resources';
};
export type CreateResourceResponses = {
    200: Resource;
};
export type CreateResourceResponse = CreateResourceResponses[keyof CreateResourceResponses];
export type DeleteResourceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * As in an update
         */
        version?: number | undefined;
    } | undefined;
    url: '/api/resources/{id}';
};
export type DeleteResourceResponses = {
    204: void;
};
export type DeleteResourceResponse = DeleteResourceResponses[keyof DeleteResourceResponses];
export type GetResourceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Finds a deleted one too
         */
        deleted?: ('true' | 'false') | undefined;
    } | undefined;
    url: '/api/resources/{id}';
};
export type GetResourceResponses = {
    200: Resource;
};
export type GetResourceResponse = GetResourceResponses[keyof GetResourceResponses];
export type UpdateResourceData = {
    body: {
        attributes: JsonObject;
        /**
         * The version that the caller has seen. Another one is answered 409
         */
        version?: number | undefined;
        actingFor?: string | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/resources/{id}';
};
export type UpdateResourceResponses = {
    200: Resource;
};
export type UpdateResourceResponse = UpdateResourceResponses[keyof UpdateResourceResponses];
export type RestoreResourceData = {
    body?: ({
        version?: number | undefined;
        actingFor?: string | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/resources/{id}/restore';
};
export type RestoreResourceResponses = {
    200: Resource;
};
export type RestoreResourceResponse = RestoreResourceResponses[keyof RestoreResourceResponses];
export type ListResourceVersionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * Only versions before this one
         */
        before?: number | undefined;
    } | undefined;
    url: '/api/resources/{id}/versions';
};
export type ListResourceVersionsResponses = {
    200: Array<ResourceVersion>;
};
export type ListResourceVersionsResponse = ListResourceVersionsResponses[keyof ListResourceVersionsResponses];
export type EmitRoutineEventData = {
    body: {
        id?: string | undefined;
        source: string;
        type: string;
        subject?: string | undefined;
        time?: string | undefined;
        data?: JsonValue | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/routine-events';
};
export type EmitRoutineEventResponses = {
    200: string;
};
export type EmitRoutineEventResponse = EmitRoutineEventResponses[keyof EmitRoutineEventResponses];
export type ListRoutineRunsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        routineId?: string | undefined;
    } | undefined;
    url: '/api/routine-runs';
};
export type ListRoutineRunsResponses = {
    200: {
        items: Array<{
            id: string;
            routineId: string;
            routineName: string;
            version: number;
            agentId: string;
            conversationId: string;
            parentRunId: string | null;
            status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
            input: JsonValue;
            output: JsonValue;
            error: JsonObject | null;
            startedBy: {
                apiKeyId: string | null;
                actingFor: string | null;
            } | null;
            callerTurnId: string | null;
            callerAgentId: string | null;
            createdAt: string;
            settledAt: string | null;
        }>;
        nextCursor: string | null;
    };
};
export type ListRoutineRunsResponse = ListRoutineRunsResponses[keyof ListRoutineRunsResponses];
export type GetRoutineRunData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routine-runs/{id}';
};
export type GetRoutineRunResponses = {
    200: {
        id: string;
        routineId: string;
        routineName: string;
        version: number;
        agentId: string;
        conversationId: string;
        parentRunId: string | null;
        status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
        input: JsonValue;
        output: JsonValue;
        error: JsonObject | null;
        startedBy: {
            apiKeyId: string | null;
            actingFor: string | null;
        } | null;
        callerTurnId: string | null;
        callerAgentId: string | null;
        createdAt: string;
        settledAt: string | null;
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        stuck?: Stuck | undefined;
        workflowId: string | null;
        temporalUrl: string | null;
    };
};
export type GetRoutineRunResponse = GetRoutineRunResponses[keyof GetRoutineRunResponses];
export type PauseRoutineRunData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routine-runs/{id}/pause';
};
export type PauseRoutineRunResponses = {
    200: {
        id: string;
        routineId: string;
        routineName: string;
        version: number;
        agentId: string;
        conversationId: string;
        parentRunId: string | null;
        status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
        input: JsonValue;
        output: JsonValue;
        error: JsonObject | null;
        startedBy: {
            apiKeyId: string | null;
            actingFor: string | null;
        } | null;
        callerTurnId: string | null;
        callerAgentId: string | null;
        createdAt: string;
        settledAt: string | null;
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        stuck?: Stuck | undefined;
    };
};
export type PauseRoutineRunResponse = PauseRoutineRunResponses[keyof PauseRoutineRunResponses];
export type ResumeRoutineRunData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routine-runs/{id}/resume';
};
export type ResumeRoutineRunResponses = {
    200: {
        id: string;
        routineId: string;
        routineName: string;
        version: number;
        agentId: string;
        conversationId: string;
        parentRunId: string | null;
        status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
        input: JsonValue;
        output: JsonValue;
        error: JsonObject | null;
        startedBy: {
            apiKeyId: string | null;
            actingFor: string | null;
        } | null;
        callerTurnId: string | null;
        callerAgentId: string | null;
        createdAt: string;
        settledAt: string | null;
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        stuck?: Stuck | undefined;
    };
};
export type ResumeRoutineRunResponse = ResumeRoutineRunResponses[keyof ResumeRoutineRunResponses];
export type ListRoutineStepsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The number of the last step of the page before
         */
        after?: number | undefined;
        limit?: number | undefined;
    } | undefined;
    url: '/api/routine-runs/{id}/steps';
};
export type ListRoutineStepsResponses = {
    200: {
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        nextAfter: number | null;
    };
};
export type ListRoutineStepsResponse = ListRoutineStepsResponses[keyof ListRoutineStepsResponses];
export type StopRoutineRunData = {
    body?: ({
        mode?: ('graceful' | 'now') | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routine-runs/{id}/stop';
};
export type StopRoutineRunResponses = {
    200: {
        id: string;
        routineId: string;
        routineName: string;
        version: number;
        agentId: string;
        conversationId: string;
        parentRunId: string | null;
        status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
        input: JsonValue;
        output: JsonValue;
        error: JsonObject | null;
        startedBy: {
            apiKeyId: string | null;
            actingFor: string | null;
        } | null;
        callerTurnId: string | null;
        callerAgentId: string | null;
        createdAt: string;
        settledAt: string | null;
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        stuck?: Stuck | undefined;
    };
};
export type StopRoutineRunResponse = StopRoutineRunResponses[keyof StopRoutineRunResponses];
export type ListRoutinesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/routines';
};
export type ListRoutinesResponses = {
    200: {
        items: Array<{
            id: string;
            agentId: string | null;
            namespace: string;
            name: string;
            title: string | null;
            summary: string | null;
            version: number;
            documentVersion: string;
            owner: Maker | null;
            createdAt: string;
            updatedAt: string;
        }>;
        nextCursor: string | null;
    };
};
export type ListRoutinesResponse = ListRoutinesResponses[keyof ListRoutinesResponses];
export type CreateRoutineData = {
    body: {
        agentId?: string | undefined;
        document: string | JsonObject;
        /**
         * The person who becomes the owner of the routine
         */
        actingFor?: string | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/routines';
};
export type CreateRoutineResponses = {
    200: {
        id: string;
        agentId: string | null;
        namespace: string;
        name: string;
        title: string | null;
        summary: string | null;
        version: number;
        documentVersion: string;
        owner: Maker | null;
        createdAt: string;
        updatedAt: string;
        document: JsonObject;
        mermaid: string;
        svg: string;
    };
};
export type CreateRoutineResponse = CreateRoutineResponses[keyof CreateRoutineResponses];
export type DeleteRoutineData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routines/{id}';
};
export type DeleteRoutineResponses = {
    204: void;
};
export type DeleteRoutineResponse = DeleteRoutineResponses[keyof DeleteRoutineResponses];
export type GetRoutineData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routines/{id}';
};
export type GetRoutineResponses = {
    200: {
        id: string;
        agentId: string | null;
        namespace: string;
        name: string;
        title: string | null;
        summary: string | null;
        version: number;
        documentVersion: string;
        owner: Maker | null;
        createdAt: string;
        updatedAt: string;
        document: JsonObject;
        mermaid: string;
        svg: string;
    };
};
export type GetRoutineResponse = GetRoutineResponses[keyof GetRoutineResponses];
export type UpdateRoutineData = {
    body: {
        document: string | JsonObject;
        agentId?: string | undefined;
        /**
         * The person who becomes the maker of the version
         */
        actingFor?: string | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routines/{id}';
};
export type UpdateRoutineResponses = {
    200: {
        id: string;
        agentId: string | null;
        namespace: string;
        name: string;
        title: string | null;
        summary: string | null;
        version: number;
        documentVersion: string;
        owner: Maker | null;
        createdAt: string;
        updatedAt: string;
        document: JsonObject;
        mermaid: string;
        svg: string;
    };
};
export type UpdateRoutineResponse = UpdateRoutineResponses[keyof UpdateRoutineResponses];
export type StartRoutineRunData = {
    body: {
        input?: JsonValue | undefined;
        agentId?: string | undefined;
        waitMs?: number | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/routines/{id}/runs';
};
export type StartRoutineRunResponses = {
    200: {
        id: string;
        routineId: string;
        routineName: string;
        version: number;
        agentId: string;
        conversationId: string;
        parentRunId: string | null;
        status: 'running' | 'paused' | 'completed' | 'faulted' | 'cancelled';
        input: JsonValue;
        output: JsonValue;
        error: JsonObject | null;
        startedBy: {
            apiKeyId: string | null;
            actingFor: string | null;
        } | null;
        callerTurnId: string | null;
        callerAgentId: string | null;
        createdAt: string;
        settledAt: string | null;
        steps: Array<{
            number: number;
            path: string;
            name: string;
            kind: string;
            state: 'running' | 'waiting' | 'completed' | 'faulted' | 'cancelled' | 'skipped';
            startedAt: string;
            endedAt: string | null;
            outputPreview: string | null;
            error: JsonObject | null;
            waitsFor: string | null;
        }>;
        stuck?: Stuck | undefined;
    };
};
export type StartRoutineRunResponse = StartRoutineRunResponses[keyof StartRoutineRunResponses];
export type ListSchedulesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/schedules';
};
export type ListSchedulesResponses = {
    200: {
        items: Array<Schedule>;
        nextCursor: string | null;
    };
};
export type ListSchedulesResponse = ListSchedulesResponses[keyof ListSchedulesResponses];
export type CreateScheduleData = {
    body: {
        name: string;
        times: {
            cron?: (string | Array<string>) | undefined;
            interval?: {
                everyMs: number;
                /**
                 * Shifts the times, which are multiples of `everyMs` since 1970 in UTC
                 */
                offsetMs?: number | undefined;
            } | undefined;
            calendars?: Array<{
                /**
                 * 0 by default
                 */
                second?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 by default
                 */
                minute?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 by default
                 */
                hour?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                dayOfMonth?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                month?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 is Sunday; all by default
                 */
                dayOfWeek?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                year?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
            }> | undefined;
        };
        timeZone?: string | undefined;
        action: {
            kind: 'turn';
            /**
             * Each run begins a conversation with this agent
             */
            agentId?: string | undefined;
            /**
             * All runs are turns of this conversation
             */
            conversationId?: string | undefined;
            message: string;
            actingFor?: string | undefined;
        } | {
            kind: 'routine';
            routineId: string;
            input?: JsonValue | undefined;
        } | {
            kind: 'replay';
            replay: {
                name?: string | undefined;
                selection: {
                    agentId?: string | undefined;
                    conversationIds?: Array<string> | undefined;
                    turnIds?: Array<string> | undefined;
                    from?: string | undefined;
                    to?: string | undefined;
                    outcomes?: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'> | undefined;
                    tool?: string | undefined;
                    tag?: string | undefined;
                    sample?: {
                        size: number;
                        seed?: number | undefined;
                    } | undefined;
                };
                candidate?: {
                    agentVersionId?: string | undefined;
                    agent?: {
                        model: string;
                        instructions: string;
                        limits?: {
                            activityTimeoutMs?: number | undefined;
                            modelTimeoutMs?: number | undefined;
                            turnTimeoutMs?: number | undefined;
                            startTimeoutMs?: number | undefined;
                            absenceTimeoutMs?: number | undefined;
                            maxIterations?: number | undefined;
                            contextCharacters?: number | undefined;
                            maxTokens?: number | undefined;
                            maxAgentDepth?: number | undefined;
                            approvalTimeoutMs?: number | undefined;
                        } | undefined;
                        toolCallsInText?: (boolean | null) | undefined;
                        modelConnectionId?: (string | null) | undefined;
                        /**
                         * Models that are called when the ones before them are away, in this order
                         */
                        fallbackModels?: Array<{
                            model: string;
                            modelConnectionId?: (string | null) | undefined;
                        }> | undefined;
                        modelSettings?: {
                            temperature?: number | undefined;
                            topP?: number | undefined;
                            maxOutputTokens?: number | undefined;
                            reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                            /**
                             * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                             */
                            reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                            /**
                             * `required`, or the name of a tool, holds for the first model call of a turn
                             */
                            toolChoice?: ('auto' | 'required' | 'none' | {
                                tool: string;
                            }) | undefined;
                            parallelToolCalls?: boolean | undefined;
                            /**
                             * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                             */
                            promptCaching?: ('auto' | '1h' | 'off') | undefined;
                            /**
                             * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                             */
                            structuredOutput?: ('native' | 'asked') | undefined;
                            /**
                             * The files that models take which Holdfast does not know; without it they get texts and notes
                             */
                            takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                            /**
                             * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                             */
                            providerOptions?: {
                                [key: string]: JsonObject;
                            } | undefined;
                            headers?: {
                                [key: string]: string;
                            } | undefined;
                        } | undefined;
                        /**
                         * How the conversation is shortened when it is too long for its model
                         */
                        compaction?: ('off' | 'oldest_first' | 'summarize') | undefined;
                        /**
                         * The tokens above which the context is shortened; null for a number that fits the model
                         */
                        compactionThreshold?: (number | null) | undefined;
                        /**
                         * The model that writes summaries; null for the agent's own
                         */
                        summaryModel?: (string | null) | undefined;
                        rules: {
                            toolAllowlist?: Array<string> | undefined;
                            toolPolicies?: {
                                [key: string]: {
                                    schema?: JsonObject | undefined;
                                    minimums?: {
                                        [key: string]: number;
                                    } | undefined;
                                    maximums?: {
                                        [key: string]: number;
                                    } | undefined;
                                    allowedValues?: {
                                        [key: string]: Array<JsonValue>;
                                    } | undefined;
                                    patterns?: {
                                        [key: string]: string;
                                    } | undefined;
                                    forbiddenFields?: Array<string> | undefined;
                                    maxCallsPerTurn?: number | undefined;
                                    maxCallsPerDay?: number | undefined;
                                    approval?: ('ask' | 'always_ask') | undefined;
                                    approvalWhen?: JsonObject | undefined;
                                    approvers?: Array<string> | undefined;
                                    selfApproval?: false | undefined;
                                };
                            } | undefined;
                            forLater?: Array<string> | undefined;
                            canaryTokens?: Array<string> | undefined;
                            onBlocked?: ('continue' | 'end_turn') | undefined;
                        };
                        tools: Array<{
                            type: string;
                            name: string;
                            /**
                             * The first 4,000 characters are kept
                             */
                            description: string;
                            schema: JsonObject;
                            settings?: {
                                effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                                timeoutMs?: number | undefined;
                                settleAfterMs?: number | undefined;
                                enabled?: boolean | undefined;
                                approval?: ('never' | 'ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: boolean | undefined;
                                credits?: string | undefined;
                            } | undefined;
                            config: JsonObject;
                        }>;
                    } | undefined;
                    model?: string | undefined;
                    modelConnectionId?: (string | null) | undefined;
                    instructions?: string | undefined;
                    sampling?: {
                        temperature?: number | undefined;
                        maxOutputTokens?: number | undefined;
                    } | undefined;
                    tools?: {
                        remove?: Array<string> | undefined;
                        change?: {
                            [key: string]: {
                                name?: string | undefined;
                                description?: string | undefined;
                                schema?: JsonObject | undefined;
                            };
                        } | undefined;
                        add?: Array<{
                            name: string;
                            description: string;
                            schema: JsonObject;
                        }> | undefined;
                    } | undefined;
                    rules?: {
                        toolAllowlist?: Array<string> | undefined;
                        toolPolicies?: {
                            [key: string]: {
                                schema?: JsonObject | undefined;
                                minimums?: {
                                    [key: string]: number;
                                } | undefined;
                                maximums?: {
                                    [key: string]: number;
                                } | undefined;
                                allowedValues?: {
                                    [key: string]: Array<JsonValue>;
                                } | undefined;
                                patterns?: {
                                    [key: string]: string;
                                } | undefined;
                                forbiddenFields?: Array<string> | undefined;
                                maxCallsPerTurn?: number | undefined;
                                maxCallsPerDay?: number | undefined;
                                approval?: ('ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: false | undefined;
                            };
                        } | undefined;
                        forLater?: Array<string> | undefined;
                        canaryTokens?: Array<string> | undefined;
                        onBlocked?: ('continue' | 'end_turn') | undefined;
                    } | undefined;
                } | undefined;
                mode?: ('turns' | 'conversations') | undefined;
                toolAnswers?: {
                    [key: string]: 'recorded' | 'live';
                } | undefined;
                onMiss?: ('stop' | 'stub' | 'live_if_read_only') | undefined;
                stubs?: {
                    [key: string]: string;
                } | undefined;
                baseline?: boolean | undefined;
                repeats?: number | undefined;
                pass?: {
                    trajectories?: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'> | undefined;
                    answer?: ('any' | 'normalised' | 'exact') | undefined;
                } | undefined;
                ceiling?: {
                    costUsd?: number | undefined;
                    tokens?: number | undefined;
                } | undefined;
                modelCallsPerMinute?: number | undefined;
                concurrency?: number | undefined;
                judge?: {
                    model: string;
                    modelConnectionId?: (string | null) | undefined;
                    rubric: string;
                    labels?: {
                        [key: string]: 'better' | 'worse' | 'tie';
                    } | undefined;
                } | undefined;
                prices?: {
                    [key: string]: {
                        input: number;
                        output: number;
                        cacheRead?: number | undefined;
                        cacheWrite?: number | undefined;
                        perCall?: number | undefined;
                        perImage?: number | undefined;
                        maxOutputTokens?: number | undefined;
                    };
                } | undefined;
                margins?: {
                    passed?: number | undefined;
                    scores?: number | undefined;
                    costUsd?: number | undefined;
                    durationMs?: number | undefined;
                } | undefined;
                /**
                 * @deprecated
                 */
                seed?: number | undefined;
            };
        };
        overlap?: ('skip' | 'buffer_one' | 'buffer_all' | 'cancel_other' | 'allow_all') | undefined;
        /**
         * How late a run may begin after an outage, in milliseconds; ten minutes by default
         */
        catchUpMs?: number | undefined;
        paused?: boolean | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/schedules';
};
export type CreateScheduleResponses = {
    200: Schedule;
};
export type CreateScheduleResponse = CreateScheduleResponses[keyof CreateScheduleResponses];
export type DeleteScheduleData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}';
};
export type DeleteScheduleResponses = {
    204: void;
};
export type DeleteScheduleResponse = DeleteScheduleResponses[keyof DeleteScheduleResponses];
export type GetScheduleData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}';
};
export type GetScheduleResponses = {
    200: ScheduleDetails;
};
export type GetScheduleResponse = GetScheduleResponses[keyof GetScheduleResponses];
export type UpdateScheduleData = {
    body: {
        name?: string | undefined;
        times?: {
            cron?: (string | Array<string>) | undefined;
            interval?: {
                everyMs: number;
                /**
                 * Shifts the times, which are multiples of `everyMs` since 1970 in UTC
                 */
                offsetMs?: number | undefined;
            } | undefined;
            calendars?: Array<{
                /**
                 * 0 by default
                 */
                second?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 by default
                 */
                minute?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 by default
                 */
                hour?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                dayOfMonth?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                month?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * 0 is Sunday; all by default
                 */
                dayOfWeek?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
                /**
                 * All by default
                 */
                year?: (number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                } | Array<number | {
                    start: number;
                    end?: number | undefined;
                    step?: number | undefined;
                }>) | undefined;
            }> | undefined;
        } | undefined;
        timeZone?: string | undefined;
        action?: ({
            kind: 'turn';
            /**
             * Each run begins a conversation with this agent
             */
            agentId?: string | undefined;
            /**
             * All runs are turns of this conversation
             */
            conversationId?: string | undefined;
            message: string;
            actingFor?: string | undefined;
        } | {
            kind: 'routine';
            routineId: string;
            input?: JsonValue | undefined;
        } | {
            kind: 'replay';
            replay: {
                name?: string | undefined;
                selection: {
                    agentId?: string | undefined;
                    conversationIds?: Array<string> | undefined;
                    turnIds?: Array<string> | undefined;
                    from?: string | undefined;
                    to?: string | undefined;
                    outcomes?: Array<'completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered'> | undefined;
                    tool?: string | undefined;
                    tag?: string | undefined;
                    sample?: {
                        size: number;
                        seed?: number | undefined;
                    } | undefined;
                };
                candidate?: {
                    agentVersionId?: string | undefined;
                    agent?: {
                        model: string;
                        instructions: string;
                        limits?: {
                            activityTimeoutMs?: number | undefined;
                            modelTimeoutMs?: number | undefined;
                            turnTimeoutMs?: number | undefined;
                            startTimeoutMs?: number | undefined;
                            absenceTimeoutMs?: number | undefined;
                            maxIterations?: number | undefined;
                            contextCharacters?: number | undefined;
                            maxTokens?: number | undefined;
                            maxAgentDepth?: number | undefined;
                            approvalTimeoutMs?: number | undefined;
                        } | undefined;
                        toolCallsInText?: (boolean | null) | undefined;
                        modelConnectionId?: (string | null) | undefined;
                        /**
                         * Models that are called when the ones before them are away, in this order
                         */
                        fallbackModels?: Array<{
                            model: string;
                            modelConnectionId?: (string | null) | undefined;
                        }> | undefined;
                        modelSettings?: {
                            temperature?: number | undefined;
                            topP?: number | undefined;
                            maxOutputTokens?: number | undefined;
                            reasoningEffort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | undefined;
                            /**
                             * Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag into the prompt. @default `tagged` for families of models that do so
                             */
                            reasoningInText?: ('tagged' | 'open' | 'off') | undefined;
                            /**
                             * `required`, or the name of a tool, holds for the first model call of a turn
                             */
                            toolChoice?: ('auto' | 'required' | 'none' | {
                                tool: string;
                            }) | undefined;
                            parallelToolCalls?: boolean | undefined;
                            /**
                             * `off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five minutes at vendors that offer it. @default `auto`
                             */
                            promptCaching?: ('auto' | '1h' | 'off') | undefined;
                            /**
                             * Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` for known models that have it
                             */
                            structuredOutput?: ('native' | 'asked') | undefined;
                            /**
                             * The files that models take which Holdfast does not know; without it they get texts and notes
                             */
                            takes?: Array<'image' | 'document' | 'audio' | 'video'> | undefined;
                            /**
                             * Options of the AI SDK for single vendors, by the prefix of the vendor's models
                             */
                            providerOptions?: {
                                [key: string]: JsonObject;
                            } | undefined;
                            headers?: {
                                [key: string]: string;
                            } | undefined;
                        } | undefined;
                        /**
                         * How the conversation is shortened when it is too long for its model
                         */
                        compaction?: ('off' | 'oldest_first' | 'summarize') | undefined;
                        /**
                         * The tokens above which the context is shortened; null for a number that fits the model
                         */
                        compactionThreshold?: (number | null) | undefined;
                        /**
                         * The model that writes summaries; null for the agent's own
                         */
                        summaryModel?: (string | null) | undefined;
                        rules: {
                            toolAllowlist?: Array<string> | undefined;
                            toolPolicies?: {
                                [key: string]: {
                                    schema?: JsonObject | undefined;
                                    minimums?: {
                                        [key: string]: number;
                                    } | undefined;
                                    maximums?: {
                                        [key: string]: number;
                                    } | undefined;
                                    allowedValues?: {
                                        [key: string]: Array<JsonValue>;
                                    } | undefined;
                                    patterns?: {
                                        [key: string]: string;
                                    } | undefined;
                                    forbiddenFields?: Array<string> | undefined;
                                    maxCallsPerTurn?: number | undefined;
                                    maxCallsPerDay?: number | undefined;
                                    approval?: ('ask' | 'always_ask') | undefined;
                                    approvalWhen?: JsonObject | undefined;
                                    approvers?: Array<string> | undefined;
                                    selfApproval?: false | undefined;
                                };
                            } | undefined;
                            forLater?: Array<string> | undefined;
                            canaryTokens?: Array<string> | undefined;
                            onBlocked?: ('continue' | 'end_turn') | undefined;
                        };
                        tools: Array<{
                            type: string;
                            name: string;
                            /**
                             * The first 4,000 characters are kept
                             */
                            description: string;
                            schema: JsonObject;
                            settings?: {
                                effect?: ('read_only' | 'idempotent' | 'keyed' | 'unsafe') | undefined;
                                timeoutMs?: number | undefined;
                                settleAfterMs?: number | undefined;
                                enabled?: boolean | undefined;
                                approval?: ('never' | 'ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: boolean | undefined;
                                credits?: string | undefined;
                            } | undefined;
                            config: JsonObject;
                        }>;
                    } | undefined;
                    model?: string | undefined;
                    modelConnectionId?: (string | null) | undefined;
                    instructions?: string | undefined;
                    sampling?: {
                        temperature?: number | undefined;
                        maxOutputTokens?: number | undefined;
                    } | undefined;
                    tools?: {
                        remove?: Array<string> | undefined;
                        change?: {
                            [key: string]: {
                                name?: string | undefined;
                                description?: string | undefined;
                                schema?: JsonObject | undefined;
                            };
                        } | undefined;
                        add?: Array<{
                            name: string;
                            description: string;
                            schema: JsonObject;
                        }> | undefined;
                    } | undefined;
                    rules?: {
                        toolAllowlist?: Array<string> | undefined;
                        toolPolicies?: {
                            [key: string]: {
                                schema?: JsonObject | undefined;
                                minimums?: {
                                    [key: string]: number;
                                } | undefined;
                                maximums?: {
                                    [key: string]: number;
                                } | undefined;
                                allowedValues?: {
                                    [key: string]: Array<JsonValue>;
                                } | undefined;
                                patterns?: {
                                    [key: string]: string;
                                } | undefined;
                                forbiddenFields?: Array<string> | undefined;
                                maxCallsPerTurn?: number | undefined;
                                maxCallsPerDay?: number | undefined;
                                approval?: ('ask' | 'always_ask') | undefined;
                                approvalWhen?: JsonObject | undefined;
                                approvers?: Array<string> | undefined;
                                selfApproval?: false | undefined;
                            };
                        } | undefined;
                        forLater?: Array<string> | undefined;
                        canaryTokens?: Array<string> | undefined;
                        onBlocked?: ('continue' | 'end_turn') | undefined;
                    } | undefined;
                } | undefined;
                mode?: ('turns' | 'conversations') | undefined;
                toolAnswers?: {
                    [key: string]: 'recorded' | 'live';
                } | undefined;
                onMiss?: ('stop' | 'stub' | 'live_if_read_only') | undefined;
                stubs?: {
                    [key: string]: string;
                } | undefined;
                baseline?: boolean | undefined;
                repeats?: number | undefined;
                pass?: {
                    trajectories?: Array<'exact' | 'unordered' | 'arguments_differ' | 'subset' | 'superset' | 'different'> | undefined;
                    answer?: ('any' | 'normalised' | 'exact') | undefined;
                } | undefined;
                ceiling?: {
                    costUsd?: number | undefined;
                    tokens?: number | undefined;
                } | undefined;
                modelCallsPerMinute?: number | undefined;
                concurrency?: number | undefined;
                judge?: {
                    model: string;
                    modelConnectionId?: (string | null) | undefined;
                    rubric: string;
                    labels?: {
                        [key: string]: 'better' | 'worse' | 'tie';
                    } | undefined;
                } | undefined;
                prices?: {
                    [key: string]: {
                        input: number;
                        output: number;
                        cacheRead?: number | undefined;
                        cacheWrite?: number | undefined;
                        perCall?: number | undefined;
                        perImage?: number | undefined;
                        maxOutputTokens?: number | undefined;
                    };
                } | undefined;
                margins?: {
                    passed?: number | undefined;
                    scores?: number | undefined;
                    costUsd?: number | undefined;
                    durationMs?: number | undefined;
                } | undefined;
                /**
                 * @deprecated
                 */
                seed?: number | undefined;
            };
        }) | undefined;
        overlap?: ('skip' | 'buffer_one' | 'buffer_all' | 'cancel_other' | 'allow_all') | undefined;
        /**
         * How late a run may begin after an outage, in milliseconds; ten minutes by default
         */
        catchUpMs?: number | undefined;
        paused?: boolean | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}';
};
export type UpdateScheduleResponses = {
    200: Schedule;
};
export type UpdateScheduleResponse = UpdateScheduleResponses[keyof UpdateScheduleResponses];
export type BackfillScheduleData = {
    body: {
        from: string;
        to: string;
        overlap?: ('skip' | 'buffer_one' | 'buffer_all' | 'cancel_other' | 'allow_all') | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}/backfill';
};
export type BackfillScheduleResponses = {
    200: Schedule;
};
export type BackfillScheduleResponse = BackfillScheduleResponses[keyof BackfillScheduleResponses];
export type PauseScheduleData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}/pause';
};
export type PauseScheduleResponses = {
    200: Schedule;
};
export type PauseScheduleResponse = PauseScheduleResponses[keyof PauseScheduleResponses];
export type ResumeScheduleData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}/resume';
};
export type ResumeScheduleResponses = {
    200: Schedule;
};
export type ResumeScheduleResponse = ResumeScheduleResponses[keyof ResumeScheduleResponses];
export type RunScheduleData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/schedules/{id}/run';
};
export type RunScheduleResponses = {
    200: Schedule;
};
export type RunScheduleResponse = RunScheduleResponses[keyof RunScheduleResponses];
export type ListScheduleRunsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/schedules/{id}/runs';
};
export type ListScheduleRunsResponses = {
    200: {
        items: Array<ScheduleRun>;
        nextCursor: string | null;
    };
};
export type ListScheduleRunsResponse = ListScheduleRunsResponses[keyof ListScheduleRunsResponses];
export type EndSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/session';
};
export type EndSessionResponses = {
    200: true;
};
export type EndSessionResponse = EndSessionResponses[keyof EndSessionResponses];
export type GetSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/session';
};
export type GetSessionResponses = {
    200: {
        workspaceId: string;
        person: string | null;
        scopes: Array<'agents:read' | 'agents:write' | 'conversations:read' | 'conversations:write' | 'approvals:decide' | 'connections:read' | 'connections:write' | 'knowledge:read' | 'knowledge:write' | 'skills:read' | 'skills:write' | 'resources:read' | 'resources:write' | 'inbox:read' | 'inbox:write' | 'webhooks:read' | 'webhooks:write' | 'replays:read' | 'replays:write' | 'routines:read' | 'routines:write' | 'swarms:read' | 'swarms:write' | 'audit:read' | 'analytics:read' | 'budgets:read' | 'budgets:write' | 'payloads:read' | 'api_keys:write' | 'user_tokens:write'>;
        groups: Array<string>;
        reach: 'workspace' | 'own';
        sessionExpiresAt: string | null;
    };
};
export type GetSessionResponse = GetSessionResponses[keyof GetSessionResponses];
export type OpenSessionData = {
    body: {
        minutes?: number | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/session';
};
export type OpenSessionResponses = {
    200: {
        workspaceId: string;
        person: string | null;
        scopes: Array<'agents:read' | 'agents:write' | 'conversations:read' | 'conversations:write' | 'approvals:decide' | 'connections:read' | 'connections:write' | 'knowledge:read' | 'knowledge:write' | 'skills:read' | 'skills:write' | 'resources:read' | 'resources:write' | 'inbox:read' | 'inbox:write' | 'webhooks:read' | 'webhooks:write' | 'replays:read' | 'replays:write' | 'routines:read' | 'routines:write' | 'swarms:read' | 'swarms:write' | 'audit:read' | 'analytics:read' | 'budgets:read' | 'budgets:write' | 'payloads:read' | 'api_keys:write' | 'user_tokens:write'>;
        groups: Array<string>;
        reach: 'workspace' | 'own';
        sessionExpiresAt: string | null;
    };
};
export type OpenSessionResponse = OpenSessionResponses[keyof OpenSessionResponses];
export type ListSkillsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * Only the skill of this name
         */
        name?: string | undefined;
    } | undefined;
    url: '/api/skills';
};
export type ListSkillsResponses = {
    200: {
        items: Array<Skill>;
        nextCursor: string | null;
    };
};
export type ListSkillsResponse = ListSkillsResponses[keyof ListSkillsResponses];
export type ImportSkillData = {
    body: {
        files: Array<{
            path: string;
            text?: string | undefined;
            base64?: string | undefined;
        }>;
    } | {
        file: Blob | File;
    };
    path?: never;
    query?: never;
    url: '/api/skills';
};
export type ImportSkillResponses = {
    200: {
        skill: Skill;
        version: SkillVersionDetails;
    };
};
export type ImportSkillResponse = ImportSkillResponses[keyof ImportSkillResponses];
export type DeleteSkillData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/skills/{id}';
};
export type DeleteSkillResponses = {
    204: void;
};
export type DeleteSkillResponse = DeleteSkillResponses[keyof DeleteSkillResponses];
export type GetSkillData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/skills/{id}';
};
export type GetSkillResponses = {
    200: Skill;
};
export type GetSkillResponse = GetSkillResponses[keyof GetSkillResponses];
export type ListSkillVersionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/skills/{id}/versions';
};
export type ListSkillVersionsResponses = {
    200: {
        items: Array<SkillVersion>;
        nextCursor: string | null;
    };
};
export type ListSkillVersionsResponse = ListSkillVersionsResponses[keyof ListSkillVersionsResponses];
export type GetSkillVersionData = {
    body?: never;
    path: {
        id: string;
        version: number;
    };
    query?: never;
    url: '/api/skills/{id}/versions/{version}';
};
export type GetSkillVersionResponses = {
    200: SkillVersionDetails;
};
export type GetSkillVersionResponse = GetSkillVersionResponses[keyof GetSkillVersionResponses];
export type GetSkillFileData = {
    body?: never;
    path: {
        id: string;
        version: number;
    };
    query: {
        /**
         * The path of the file, as the version lists it
         */
        path: string;
    };
    url: '/api/skills/{id}/versions/{version}/file';
};
export type GetSkillFileResponses = {
    200: SkillFile;
};
export type GetSkillFileResponse = GetSkillFileResponses[keyof GetSkillFileResponses];
export type ListSwarmsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/swarms';
};
export type ListSwarmsResponses = {
    200: {
        items: Array<Swarm>;
        nextCursor: string | null;
    };
};
export type ListSwarmsResponse = ListSwarmsResponses[keyof ListSwarmsResponses];
export type CreateSwarmData = {
    body: {
        kind: 'simple';
        /**
         * The id of the agent that plans
         */
        leader: string;
        goal: string;
        limits?: {
            concurrency?: number | undefined;
            turns?: number | undefined;
            timeMs?: number | undefined;
            tokens?: (number | null) | undefined;
            credits?: (string | number | null) | undefined;
            depth?: number | undefined;
            retries?: number | undefined;
        } | undefined;
    } | {
        kind: 'rich';
        goal: string;
        /**
         * A resource of kind team: its leader and its members
         */
        teamId?: string | undefined;
        /**
         * The id of the agent that plans; that of the team when it is left out
         */
        leader?: string | undefined;
        teamConfig?: {
            leader?: string | undefined;
            members?: Array<{
                agentId: string;
                name?: string | undefined;
                role?: string | undefined;
                [key: string]: unknown;
            }> | undefined;
            [key: string]: unknown;
        } | undefined;
        subtasks?: Array<{
            id: string;
            /**
             * The work, in full; required for a new subtask
             */
            description?: string | undefined;
            /**
             * The agent that does it: its id, or its name in the team. The leader when it is left out
             */
            assignee?: string | undefined;
            /**
             * Ids of subtasks that have to be done before
             */
            depends_on?: Array<string> | undefined;
            priority?: ('low' | 'medium' | 'high') | undefined;
            /**
             * "todo" runs it again, "done" and "canceled" end it
             */
            status?: ('todo' | 'done' | 'canceled') | undefined;
            /**
             * Kept for a subtask that exists
             */
            created_at?: string | undefined;
        }> | undefined;
        limits?: {
            concurrency?: number | undefined;
            turns?: number | undefined;
            timeMs?: number | undefined;
            tokens?: (number | null) | undefined;
            credits?: (string | number | null) | undefined;
            depth?: number | undefined;
            retries?: number | undefined;
        } | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/swarms';
};
export type CreateSwarmResponses = {
    200: SwarmDetails;
};
export type CreateSwarmResponse = CreateSwarmResponses[keyof CreateSwarmResponses];
export type GetSwarmData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/swarms/{id}';
};
export type GetSwarmResponses = {
    200: LinkedSwarm;
};
export type GetSwarmResponse = GetSwarmResponses[keyof GetSwarmResponses];
export type UpdateSwarmData = {
    body: {
        subTasks?: {
            set?: Array<{
                id: string;
                /**
                 * The work, in full; required for a new subtask
                 */
                description?: string | undefined;
                /**
                 * The agent that does it: its id, or its name in the team. The leader when it is left out
                 */
                assignee?: string | undefined;
                /**
                 * Ids of subtasks that have to be done before
                 */
                depends_on?: Array<string> | undefined;
                priority?: ('low' | 'medium' | 'high') | undefined;
                /**
                 * "todo" runs it again, "done" and "canceled" end it
                 */
                status?: ('todo' | 'done' | 'canceled') | undefined;
                /**
                 * Kept for a subtask that exists
                 */
                created_at?: string | undefined;
            }> | undefined;
            delete?: Array<string> | undefined;
        } | undefined;
        blackboard?: {
            set?: Array<{
                id: string;
                value: JsonValue;
            }> | undefined;
            delete?: Array<string> | undefined;
        } | undefined;
        /**
         * Replaces the fields that it has
         */
        teamConfig?: {
            leader?: string | undefined;
            members?: Array<{
                agentId: string;
                name?: string | undefined;
                role?: string | undefined;
                [key: string]: unknown;
            }> | undefined;
            [key: string]: unknown;
        } | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/swarms/{id}';
};
export type UpdateSwarmResponses = {
    200: SwarmDetails;
};
export type UpdateSwarmResponse = UpdateSwarmResponses[keyof UpdateSwarmResponses];
export type EndSwarmData = {
    body: {
        mode?: ('graceful' | 'force') | undefined;
        reason?: string | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/swarms/{id}/end';
};
export type EndSwarmResponses = {
    200: SwarmDetails;
};
export type EndSwarmResponse = EndSwarmResponses[keyof EndSwarmResponses];
export type PauseSwarmData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/swarms/{id}/pause';
};
export type PauseSwarmResponses = {
    200: Swarm;
};
export type PauseSwarmResponse = PauseSwarmResponses[keyof PauseSwarmResponses];
export type ResumeSwarmData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/swarms/{id}/resume';
};
export type ResumeSwarmResponses = {
    200: Swarm;
};
export type ResumeSwarmResponse = ResumeSwarmResponses[keyof ResumeSwarmResponses];
export type DecodePayloadsData = {
    body: {
        payloads: Array<{
            metadata?: ({
                [key: string]: string;
            } | null) | undefined;
            /**
             * Bytes in base64
             */
            data?: (string | null) | undefined;
            [key: string]: unknown;
        }>;
        [key: string]: unknown;
    };
    path?: never;
    query?: never;
    url: '/api/temporal/codec/decode';
};
export type DecodePayloadsResponses = {
    200: {
        payloads: Array<{
            metadata?: ({
                [key: string]: string;
            } | null) | undefined;
            /**
             * Bytes in base64
             */
            data?: (string | null) | undefined;
            [key: string]: unknown;
        }>;
        [key: string]: unknown;
    };
};
export type DecodePayloadsResponse = DecodePayloadsResponses[keyof DecodePayloadsResponses];
export type EncodePayloadsData = {
    body: {
        payloads: Array<{
            metadata?: ({
                [key: string]: string;
            } | null) | undefined;
            /**
             * Bytes in base64
             */
            data?: (string | null) | undefined;
            [key: string]: unknown;
        }>;
        [key: string]: unknown;
    };
    path?: never;
    query?: never;
    url: '/api/temporal/codec/encode';
};
export type EncodePayloadsResponses = {
    200: {
        payloads: Array<{
            metadata?: ({
                [key: string]: string;
            } | null) | undefined;
            /**
             * Bytes in base64
             */
            data?: (string | null) | undefined;
            [key: string]: unknown;
        }>;
        [key: string]: unknown;
    };
};
export type EncodePayloadsResponse = EncodePayloadsResponses[keyof EncodePayloadsResponses];
export type ListTriggersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/triggers';
};
export type ListTriggersResponses = {
    200: {
        items: Array<Trigger>;
        nextCursor: string | null;
    };
};
export type ListTriggersResponse = ListTriggersResponses[keyof ListTriggersResponses];
export type CreateTriggerData = {
    body: {
        name: string;
        /**
         * The types of events that start something; `issues.*` means all that begin so, `*` all
         */
        events: Array<string>;
        /**
         * A jq program over the payload; null and false let nothing start
         */
        filter?: (string | null) | undefined;
        /**
         * Whether events that a program has caused start something too; beware of loops
         */
        includeBots?: boolean | undefined;
        action: {
            kind: 'turn';
            /**
             * Begins conversations with this agent
             */
            agentId?: string | undefined;
            /**
             * Deliveries with the same value of this template are turns of one conversation. Without it each begins its own
             */
            conversationKey?: string | undefined;
            /**
             * All deliveries are turns of this conversation
             */
            conversationId?: string | undefined;
            /**
             * A template: `{{ .issue.title }}` stands for a value of the payload. By default the whole payload
             */
            message?: string | undefined;
            /**
             * A template that names the person who caused the event, such as `slack:{{ .event.user }}`
             */
            actingFor?: string | undefined;
        } | {
            kind: 'routine';
            routineId: string;
            /**
             * A jq program that makes the input. By default the payload is the input
             */
            input?: string | undefined;
        };
        /**
         * Further deliveries are refused with 429
         */
        maxPerMinute?: number | undefined;
        /**
         * Deliveries are answered, and start nothing
         */
        paused?: boolean | undefined;
        /**
         * The sender, such as github; or `custom` with a rule
         */
        provider: string;
        /**
         * How a `custom` sender signs
         */
        rule?: {
            signature: {
                /**
                 * The header with the signature
                 */
                header: string;
                /**
                 * Of the HMAC; sha256 by default
                 */
                algorithm?: ('sha1' | 'sha256' | 'sha512') | undefined;
                encoding: 'hex' | 'base64';
                /**
                 * Between the parts of a header that has several, such as signatures by two secrets
                 */
                separator?: string | undefined;
                /**
                 * Before a signature in the header, such as sha256=
                 */
                prefix?: string | undefined;
                /**
                 * The signed text, such as {timestamp}.{body}; {url} is the URL of the trigger
                 */
                content: string;
                /**
                 * Whether the secret is the key itself (default), or has it in base64 behind whsec_
                 */
                key?: ('text' | 'base64') | undefined;
            };
            /**
             * When the delivery was signed. Without it only the ids protect against replays
             */
            timestamp?: {
                at: {
                    header: string;
                } | {
                    field: string;
                } | {
                    signaturePart: string;
                };
                unit: 'seconds' | 'milliseconds' | 'iso';
                toleranceSeconds: number;
            } | undefined;
            /**
             * By default a hash of what is signed
             */
            deliveryId?: ({
                header: string;
            } | {
                field: string;
            }) | undefined;
            /**
             * The parts of the type, which are joined by dots
             */
            event?: Array<{
                header: string;
            } | {
                field: string;
            }> | undefined;
            /**
             * Types that never start anything
             */
            testEvents?: Array<string> | undefined;
            /**
             * A signed request that asks for a value of its payload, to check the URL
             */
            challenge?: {
                type: string;
                is: string;
                answer: string;
            } | undefined;
            /**
             * The field that tells that a program has caused the event
             */
            bot?: {
                field: string;
                is?: string | undefined;
            } | undefined;
        } | undefined;
        /**
         * Signs the deliveries. Without it one is made, unless the vendor makes it: then set it later
         */
        secret?: string | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/triggers';
};
export type CreateTriggerResponses = {
    200: {
        trigger: Trigger;
        /**
         * The secret that was made, to register with the vendor; it cannot be read again
         */
        secret: string | null;
    };
};
export type CreateTriggerResponse = CreateTriggerResponses[keyof CreateTriggerResponses];
export type DeleteTriggerData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/triggers/{id}';
};
export type DeleteTriggerResponses = {
    204: void;
};
export type DeleteTriggerResponse = DeleteTriggerResponses[keyof DeleteTriggerResponses];
export type GetTriggerData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/triggers/{id}';
};
export type GetTriggerResponses = {
    200: Trigger;
};
export type GetTriggerResponse = GetTriggerResponses[keyof GetTriggerResponses];
export type UpdateTriggerData = {
    body: {
        name?: string | undefined;
        /**
         * The types of events that start something; `issues.*` means all that begin so, `*` all
         */
        events?: Array<string> | undefined;
        /**
         * A jq program over the payload; null and false let nothing start
         */
        filter?: (string | null) | undefined;
        /**
         * Whether events that a program has caused start something too; beware of loops
         */
        includeBots?: boolean | undefined;
        action?: ({
            kind: 'turn';
            /**
             * Begins conversations with this agent
             */
            agentId?: string | undefined;
            /**
             * Deliveries with the same value of this template are turns of one conversation. Without it each begins its own
             */
            conversationKey?: string | undefined;
            /**
             * All deliveries are turns of this conversation
             */
            conversationId?: string | undefined;
            /**
             * A template: `{{ .issue.title }}` stands for a value of the payload. By default the whole payload
             */
            message?: string | undefined;
            /**
             * A template that names the person who caused the event, such as `slack:{{ .event.user }}`
             */
            actingFor?: string | undefined;
        } | {
            kind: 'routine';
            routineId: string;
            /**
             * A jq program that makes the input. By default the payload is the input
             */
            input?: string | undefined;
        }) | undefined;
        /**
         * Further deliveries are refused with 429
         */
        maxPerMinute?: number | undefined;
        /**
         * Deliveries are answered, and start nothing
         */
        paused?: boolean | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/triggers/{id}';
};
export type UpdateTriggerResponses = {
    200: Trigger;
};
export type UpdateTriggerResponse = UpdateTriggerResponses[keyof UpdateTriggerResponses];
export type ListTriggerDeliveriesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        status?: ('accepted' | 'started' | 'ignored' | 'failed' | 'refused') | undefined;
    } | undefined;
    url: '/api/triggers/{id}/deliveries';
};
export type ListTriggerDeliveriesResponses = {
    200: {
        items: Array<TriggerDelivery>;
        nextCursor: string | null;
    };
};
export type ListTriggerDeliveriesResponse = ListTriggerDeliveriesResponses[keyof ListTriggerDeliveriesResponses];
export type GetTriggerDeliveryData = {
    body?: never;
    path: {
        id: string;
        deliveryId: string;
    };
    query?: never;
    url: '/api/triggers/{id}/deliveries/{deliveryId}';
};
export type GetTriggerDeliveryResponses = {
    200: TriggerDeliveryDetails;
};
export type GetTriggerDeliveryResponse = GetTriggerDeliveryResponses[keyof GetTriggerDeliveryResponses];
export type RetryTriggerDeliveryData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
        deliveryId: string;
    };
    query?: never;
    url: '/api/triggers/{id}/deliveries/{deliveryId}/retry';
};
export type RetryTriggerDeliveryResponses = {
    200: TriggerDeliveryDetails;
};
export type RetryTriggerDeliveryResponse = RetryTriggerDeliveryResponses[keyof RetryTriggerDeliveryResponses];
export type RotateTriggerSecretData = {
    body?: ({
        /**
         * Without it one is made, unless the vendor makes it
         */
        secret?: string | undefined;
        /**
         * How long the old secret counts, in milliseconds; a day by default, at most 30 days
         */
        overlapMs?: number | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/triggers/{id}/rotate-secret';
};
export type RotateTriggerSecretResponses = {
    200: {
        trigger: Trigger;
        /**
         * The secret that was made, to register with the vendor; it cannot be read again
         */
        secret: string | null;
    };
};
export type RotateTriggerSecretResponse = RotateTriggerSecretResponses[keyof RotateTriggerSecretResponses];
export type FindTurnsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        /**
         * Only turns of this agent
         */
        agentId?: string | undefined;
        /**
         * Only turns of this conversation
         */
        conversationId?: string | undefined;
        /**
         * Only turns that were started for this person, and the turns below
         */
        person?: string | undefined;
        /**
         * Only turns of conversations with this tag
         */
        tag?: string | undefined;
        /**
         * Only turns that ended so; `open` for those that are not over
         */
        outcome?: ('completed' | 'failed' | 'cancelled' | 'timed_out' | 'iteration_limit' | 'steered' | 'open') | undefined;
        /**
         * Only turns that were created at this time or later
         */
        from?: string | undefined;
        /**
         * Only turns that were created before this time
         */
        to?: string | undefined;
        /**
         * Only turns that called this tool
         */
        tool?: string | undefined;
        /**
         * Only turns whose own calls cost so many credits or more
         */
        costFrom?: number | undefined;
        /**
         * Only turns whose own calls cost fewer credits
         */
        costTo?: number | undefined;
        /**
         * Only turns that are over and took so many milliseconds or more, from when they were created
         */
        durationFrom?: number | undefined;
        /**
         * Only turns with this text in their messages, in upper or lower case
         */
        text?: string | undefined;
    } | undefined;
    url: '/api/turns';
};
export type FindTurnsResponses = {
    200: {
        items: Array<ListedTurn>;
        nextCursor: string | null;
    };
};
export type FindTurnsResponse = FindTurnsResponses[keyof FindTurnsResponses];
export type GetTurnData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/turns/{id}';
};
export type GetTurnResponses = {
    200: LinkedTurn;
};
export type GetTurnResponse = GetTurnResponses[keyof GetTurnResponses];
export type CancelTurnData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/turns/{id}/cancel';
};
export type CancelTurnResponses = {
    200: Turn;
};
export type CancelTurnResponse = CancelTurnResponses[keyof CancelTurnResponses];
export type StreamTurnEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Begins after this event. A `Last-Event-ID` header overrides it
         */
        after?: string | undefined;
        cursor?: string | undefined;
        /**
         * The most events on a JSON page
         */
        limit?: number | undefined;
    } | undefined;
    url: '/api/turns/{id}/events';
};
export type StreamTurnEventsResponses = {
    200: {
        items: Array<ConversationEvent>;
        nextCursor: string | null;
    };
};
export type StreamTurnEventsResponse = StreamTurnEventsResponses[keyof StreamTurnEventsResponses];
export type ListModelCallsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/turns/{id}/model-calls';
};
export type ListModelCallsResponses = {
    200: Array<TurnModelCall>;
};
export type ListModelCallsResponse = ListModelCallsResponses[keyof ListModelCallsResponses];
export type GetToolCallData = {
    body?: never;
    path: {
        id: string;
        toolCallId: string;
    };
    query?: never;
    url: '/api/turns/{id}/tool-calls/{toolCallId}';
};
export type GetToolCallResponses = {
    200: ToolCallDetails;
};
export type GetToolCallResponse = GetToolCallResponses[keyof GetToolCallResponses];
export type GetUsageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Sums up calls from this time on. The default is 30 days before `to`
         */
        from?: string | undefined;
        /**
         * Sums up calls before this time. The default is now
         */
        to?: string | undefined;
        /**
         * Groups by one or more of agent, model, conversation, user, day, kind, with commas between them
         */
        groupBy?: string | undefined;
        agentId?: string | undefined;
        model?: string | undefined;
        conversationId?: string | undefined;
        user?: string | undefined;
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/usage';
};
export type GetUsageResponses = {
    200: {
        from: string;
        to: string;
        usage: Array<UsageFigures>;
        nextCursor: string | null;
    };
};
export type GetUsageResponse = GetUsageResponses[keyof GetUsageResponses];
export type EndUserTokensData = {
    body?: never;
    path?: never;
    query: {
        person: string;
    };
    url: '/api/user-tokens';
};
export type EndUserTokensResponses = {
    200: number;
};
export type EndUserTokensResponse = EndUserTokensResponses[keyof EndUserTokensResponses];
export type CreateUserTokenData = {
    body: {
        /**
         * The person for whom it acts; a key with `actsFor` names its own
         */
        person: string;
        /**
         * What the token may do, within the scopes of the key
         */
        roles?: Array<'viewer' | 'editor' | 'approver' | 'operator' | 'admin'> | undefined;
        /**
         * The groups of approvers that it is in, of those of the key
         */
        groups?: Array<string> | undefined;
        /**
         * The only conversations that it sees and writes in; it makes no others
         */
        conversations?: Array<string> | undefined;
        minutes?: number | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/user-tokens';
};
export type CreateUserTokenResponses = {
    200: {
        userToken: {
            id: string;
            person: string;
            roles: Array<'viewer' | 'editor' | 'approver' | 'operator' | 'admin'>;
            scopes: Array<'agents:read' | 'agents:write' | 'conversations:read' | 'conversations:write' | 'approvals:decide' | 'connections:read' | 'connections:write' | 'knowledge:read' | 'knowledge:write' | 'skills:read' | 'skills:write' | 'resources:read' | 'resources:write' | 'inbox:read' | 'inbox:write' | 'webhooks:read' | 'webhooks:write' | 'replays:read' | 'replays:write' | 'routines:read' | 'routines:write' | 'swarms:read' | 'swarms:write' | 'audit:read' | 'analytics:read' | 'budgets:read' | 'budgets:write' | 'payloads:read' | 'api_keys:write' | 'user_tokens:write'>;
            groups: Array<string>;
            conversations: Array<string> | null;
            expiresAt: string;
        };
        token: string;
    };
};
export type CreateUserTokenResponse = CreateUserTokenResponses[keyof CreateUserTokenResponses];
export type EndUserTokenData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/user-tokens/{id}';
};
export type EndUserTokenResponses = {
    200: number;
};
export type EndUserTokenResponse = EndUserTokenResponses[keyof EndUserTokenResponses];
export type ListWebhooksData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
    } | undefined;
    url: '/api/webhooks';
};
export type ListWebhooksResponses = {
    200: {
        items: Array<Webhook>;
        nextCursor: string | null;
    };
};
export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];
export type CreateWebhookData = {
    body: {
        /**
         * Where the messages are sent. Redirects are not followed
         */
        url?: string | undefined;
        events?: Array<'turn.settled' | 'turn.action_required' | 'action.reminded' | 'action.decided' | 'action.expired' | 'connection.needs_authorization' | 'document.ready' | 'document.failed' | 'budget.warning' | 'inbox.message'> | undefined;
        /**
         * Signs the messages; `whsec_` and 24 to 64 bytes in base64. Without it one is made
         */
        secret?: string | undefined;
        slack?: {
            /**
             * A connection of the provider `slack`
             */
            connectionId: string;
            /**
             * The id of the channel, or its name
             */
            channel: string;
            /**
             * The signing secret of the Slack app, which signs the presses of buttons
             */
            signingSecret: string;
            /**
             * The people who decide in the channel; without any it only informs
             */
            approvers?: Array<{
                /**
                 * The workspace of Slack
                 */
                teamId: string;
                /**
                 * Its member
                 */
                userId: string;
                /**
                 * The person in whose name this member decides
                 */
                person: string;
                /**
                 * The groups of approvers that the person is in; none by default
                 */
                groups?: Array<string> | undefined;
            }> | undefined;
        } | undefined;
    };
    path?: never;
    query?: never;
    url: '/api/webhooks';
};
export type CreateWebhookResponses = {
    200: {
        webhook: Webhook;
        /**
         * Verifies the messages; it cannot be read again
         */
        secret: string | null;
    };
};
export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];
export type DeleteWebhookData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/webhooks/{id}';
};
export type DeleteWebhookResponses = {
    204: void;
};
export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];
export type GetWebhookData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/webhooks/{id}';
};
export type GetWebhookResponses = {
    200: Webhook;
};
export type GetWebhookResponse = GetWebhookResponses[keyof GetWebhookResponses];
export type UpdateWebhookData = {
    body: {
        /**
         * Where the messages are sent. Redirects are not followed
         */
        url?: string | undefined;
        events?: Array<'turn.settled' | 'turn.action_required' | 'action.reminded' | 'action.decided' | 'action.expired' | 'connection.needs_authorization' | 'document.ready' | 'document.failed' | 'budget.warning' | 'inbox.message'> | undefined;
        slack?: {
            /**
             * A connection of the provider `slack`
             */
            connectionId?: string | undefined;
            /**
             * The id of the channel, or its name
             */
            channel?: string | undefined;
            /**
             * The signing secret of the Slack app, which signs the presses of buttons
             */
            signingSecret?: string | undefined;
            /**
             * The people who decide in the channel; without any it only informs
             */
            approvers?: Array<{
                /**
                 * The workspace of Slack
                 */
                teamId: string;
                /**
                 * Its member
                 */
                userId: string;
                /**
                 * The person in whose name this member decides
                 */
                person: string;
                /**
                 * The groups of approvers that the person is in; none by default
                 */
                groups?: Array<string> | undefined;
            }> | undefined;
        } | undefined;
        enabled?: boolean | undefined;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/webhooks/{id}';
};
export type UpdateWebhookResponses = {
    200: Webhook;
};
export type UpdateWebhookResponse = UpdateWebhookResponses[keyof UpdateWebhookResponses];
export type ListWebhookDeliveriesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The most items on a page
         */
        limit?: number | undefined;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string | undefined;
        status?: ('pending' | 'delivered' | 'failed' | 'cancelled') | undefined;
    } | undefined;
    url: '/api/webhooks/{id}/deliveries';
};
export type ListWebhookDeliveriesResponses = {
    200: {
        items: Array<WebhookDelivery>;
        nextCursor: string | null;
    };
};
export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];
export type GetWebhookDeliveryData = {
    body?: never;
    path: {
        id: string;
        deliveryId: string;
    };
    query?: never;
    url: '/api/webhooks/{id}/deliveries/{deliveryId}';
};
export type GetWebhookDeliveryResponses = {
    200: WebhookDeliveryDetails;
};
export type GetWebhookDeliveryResponse = GetWebhookDeliveryResponses[keyof GetWebhookDeliveryResponses];
export type ResendWebhookDeliveryData = {
    body?: ({
        [key: string]: never;
    } | null) | undefined;
    path: {
        id: string;
        deliveryId: string;
    };
    query?: never;
    url: '/api/webhooks/{id}/deliveries/{deliveryId}/resend';
};
export type ResendWebhookDeliveryResponses = {
    200: WebhookDeliveryDetails;
};
export type ResendWebhookDeliveryResponse = ResendWebhookDeliveryResponses[keyof ResendWebhookDeliveryResponses];
export type RotateWebhookSecretData = {
    body?: ({
        /**
         * Signs the messages; `whsec_` and 24 to 64 bytes in base64. Without it one is made
         */
        secret?: string | undefined;
        /**
         * How long the old secret signs along, in milliseconds; a day by default, at most 30 days
         */
        overlapMs?: number | undefined;
    } | null) | undefined;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/webhooks/{id}/rotate-secret';
};
export type RotateWebhookSecretResponses = {
    200: {
        webhook: Webhook;
        /**
         * Verifies the messages; it cannot be read again
         */
        secret: string;
    };
};
export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];
export type ListWorkflowTypesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/workflow-types';
};
export type ListWorkflowTypesResponses = {
    200: Array<WorkflowType>;
};
export type ListWorkflowTypesResponse = ListWorkflowTypesResponses[keyof ListWorkflowTypesResponses];
export type GetWorkspaceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/workspace';
};
export type GetWorkspaceResponses = {
    200: {
        id: string;
        name: string;
        createdAt: string;
        retentionDays: number | null;
        approval: 'never' | 'ask' | 'always_ask';
        startTimeoutMs: number;
        maxRunningTurns: number | null;
    };
};
export type GetWorkspaceResponse = GetWorkspaceResponses[keyof GetWorkspaceResponses];
export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/live';
};
export type GetLivenessResponses = {
    200: 'live';
};
export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];
export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};
export type GetReadinessResponses = {
    200: {
        status: 'ready';
        worker: boolean;
        stuckWorkflows: number;
    };
};
export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];
