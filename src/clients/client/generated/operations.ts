// Generated from docs/openapi.json by "npm run generate".
import type { CallOptions } from '../call-options.ts';
import type * as Types from './types.ts';

/** The operations of the API as functions: path parameters, then body, query and options. */
export interface OperationFunctions {
  /**
   * List agents, newest first
   *
   * Needs the scope `agents:read`.
   */
  listAgents(query?: Types.ListAgentsData['query'], options?: CallOptions): Promise<Types.ListAgentsResponse>;
  /**
   * Create an agent
   *
   * The agent starts with version 1. Needs the scope `agents:write`.
   */
  createAgent(body: Types.CreateAgentData['body'], options?: CallOptions): Promise<Types.CreateAgentResponse>;
  /**
   * Get an agent
   *
   * Needs the scope `agents:read`.
   */
  getAgent(agentId: Types.GetAgentData['path']['id'], options?: CallOptions): Promise<Types.GetAgentResponse>;
  /**
   * Update an agent
   *
   * Makes a new version. Each field in the body is replaced as a whole; the other fields stay. Running turns keep their version. Needs the scope `agents:write`.
   */
  updateAgent(agentId: Types.UpdateAgentData['path']['id'], body: Types.UpdateAgentData['body'], options?: CallOptions): Promise<Types.UpdateAgentResponse>;
  /**
   * Delete an agent
   *
   * Its conversations and turns can still be read. New turns are refused. With `permanent=true` the agent is deleted for good, also after it was deleted without it: with its versions, conversations, turns and counts, which are removed within minutes. That is refused with 409 while one of its turns runs or waits. Needs the scope `agents:write`.
   */
  deleteAgent(agentId: Types.DeleteAgentData['path']['id'], query?: Types.DeleteAgentData['query'], options?: CallOptions): Promise<Types.DeleteAgentResponse>;
  /**
   * Get the configuration of an agent
   *
   * Gets the configuration of the newest version, or of `version`. Auth and canary tokens are masked; without the scope `connections:read` endpoints are null and auth is empty. Needs the scope `agents:read`.
   */
  getAgentConfiguration(agentId: Types.GetAgentConfigurationData['path']['id'], query?: Types.GetAgentConfigurationData['query'], options?: CallOptions): Promise<Types.GetAgentConfigurationResponse>;
  /**
   * List the connectors of an agent
   *
   * Without the scope `connections:read` the endpoints are null and auth is empty. Needs the scope `agents:read`.
   */
  listAttachedConnectors(agentId: Types.ListAttachedConnectorsData['path']['id'], options?: CallOptions): Promise<Types.ListAttachedConnectorsResponse>;
  /**
   * Attach a connector to an agent
   *
   * The agent gets the tools of the connector when it is next provisioned. Needs the scope `agents:write`.
   */
  attachConnector(agentId: Types.AttachConnectorData['path']['id'], body: Types.AttachConnectorData['body'], options?: CallOptions): Promise<Types.AttachConnectorResponse>;
  /**
   * Detach a connector from an agent
   *
   * The agent loses the tools of the connector when it is next provisioned. Needs the scope `agents:write`.
   */
  detachConnector(agentId: Types.DetachConnectorData['path']['id'], connectorId: Types.DetachConnectorData['path']['connectorId'], options?: CallOptions): Promise<Types.DetachConnectorResponse>;
  /**
   * Provision an agent with the tools of its connectors
   *
   * Requests the tools of each attached connector from its server, and makes a new version with them, which the next turn of the agent uses. Tools of connectors that are no longer attached are removed; the other tools of the agent stay with their settings. The allowlist, policies, canary tokens and `config` are replaced when the body has them. Needs the scope `agents:write`.
   */
  provisionAgent(agentId: Types.ProvisionAgentData['path']['id'], body?: Types.ProvisionAgentData['body'], options?: CallOptions): Promise<Types.ProvisionAgentResponse>;
  /**
   * List recommended tools for an agent, best first
   *
   * Ranks the tools of the workspace’s active connections by the words that they share with the agent’s name and instructions; `reason` names the words. `skipped` lists the connections that did not answer in time. Needs the scope `agents:read`.
   */
  getRecommendedTools(agentId: Types.GetRecommendedToolsData['path']['id'], query?: Types.GetRecommendedToolsData['query'], options?: CallOptions): Promise<Types.GetRecommendedToolsResponse>;
  /**
   * List the tools of an agent with their states
   *
   * Needs the scope `agents:read`.
   */
  listAgentTools(agentId: Types.ListAgentToolsData['path']['id'], options?: CallOptions): Promise<Types.ListAgentToolsResponse>;
  /**
   * Add a tool to an agent
   *
   * Makes a new version. An MCP tool is pinned to its server’s present definition: when the server changes the definition, the tool is quarantined until the change is accepted. Without `settings.effect` the hints of the server decide whether a call may be repeated. Needs the scope `agents:write`.
   */
  addAgentTool(agentId: Types.AddAgentToolData['path']['id'], body: Types.AddAgentToolData['body'], options?: CallOptions): Promise<Types.AddAgentToolResponse>;
  /**
   * Add several tools to an agent
   *
   * Makes one new version with all of the tools, or none when one of them cannot be added. Needs the scope `agents:write`.
   */
  addAgentTools(agentId: Types.AddAgentToolsData['path']['id'], body: Types.AddAgentToolsData['body'], options?: CallOptions): Promise<Types.AddAgentToolsResponse>;
  /**
   * Get a tool of an agent with its state
   *
   * `state.drift` shows how the server has changed the definition of a quarantined tool. Needs the scope `agents:read`.
   */
  getAgentTool(agentId: Types.GetAgentToolData['path']['id'], toolId: Types.GetAgentToolData['path']['toolId'], options?: CallOptions): Promise<Types.GetAgentToolResponse>;
  /**
   * Update the settings of a tool
   *
   * Makes a new version. `effect` decides whether an interrupted call may run again. Each setting in the body is replaced; null resets a setting to its default. Needs the scope `agents:write`.
   */
  changeAgentTool(agentId: Types.ChangeAgentToolData['path']['id'], toolId: Types.ChangeAgentToolData['path']['toolId'], body: Types.ChangeAgentToolData['body'], options?: CallOptions): Promise<Types.ChangeAgentToolResponse>;
  /**
   * Remove a tool from an agent
   *
   * Makes a new version. Needs the scope `agents:write`.
   */
  removeAgentTool(agentId: Types.RemoveAgentToolData['path']['id'], toolId: Types.RemoveAgentToolData['path']['toolId'], options?: CallOptions): Promise<Types.RemoveAgentToolResponse>;
  /**
   * Accept a tool’s changed definition
   *
   * Ends the quarantine of the tool and gives it its new description and schema in a new version of the agent. With `hash`, only the definition with this hash is accepted. With `target`, the definition of that tool behind the gateway is accepted, and the agent gets no new version. Needs the scope `agents:write`.
   */
  acceptAgentTool(agentId: Types.AcceptAgentToolData['path']['id'], toolId: Types.AcceptAgentToolData['path']['toolId'], body?: Types.AcceptAgentToolData['body'], options?: CallOptions): Promise<Types.AcceptAgentToolResponse>;
  /**
   * List the versions of an agent, newest first
   *
   * Needs the scope `agents:read`.
   */
  listAgentVersions(agentId: Types.ListAgentVersionsData['path']['id'], query?: Types.ListAgentVersionsData['query'], options?: CallOptions): Promise<Types.ListAgentVersionsResponse>;
  /**
   * Get a version of an agent
   *
   * Needs the scope `agents:read`.
   */
  getAgentVersion(agentId: Types.GetAgentVersionData['path']['id'], version: Types.GetAgentVersionData['path']['version'], options?: CallOptions): Promise<Types.GetAgentVersionResponse>;
  /**
   * Get model analytics
   *
   * Counts calls of language models by group: which models answered, how often in place of another one, and how much of the input vendors read from their caches. The groups with the most calls come first. A call counts once, however often it was tried. Calls of replays are not counted. A key for one person counts the calls in conversations that this person sees. Needs the scope `analytics:read`.
   */
  getModelAnalytics(query?: Types.GetModelAnalyticsData['query'], options?: CallOptions): Promise<Types.GetModelAnalyticsResponse>;
  /**
   * Get tool analytics
   *
   * Counts tool calls by group, with their outcomes and durations. The groups with the most calls come first. A key for one person counts the calls in conversations that this person sees. Needs the scope `analytics:read`.
   */
  getToolAnalytics(query?: Types.GetToolAnalyticsData['query'], options?: CallOptions): Promise<Types.GetToolAnalyticsResponse>;
  /**
   * Get turn analytics
   *
   * Counts turns by group, with their outcomes, durations, tokens and cost. The groups with the most turns come first. Turns that were imported, or copied by a fork, are not counted. A key for one person counts the turns that this person sees. For the models of turns, see `GET /api/usage` and `GET /api/analytics/models`. Needs the scope `analytics:read`.
   */
  getTurnAnalytics(query?: Types.GetTurnAnalyticsData['query'], options?: CallOptions): Promise<Types.GetTurnAnalyticsResponse>;
  /**
   * List API keys, newest first
   *
   * Needs the scope `api_keys:write`.
   */
  listApiKeys(query?: Types.ListApiKeysData['query'], options?: CallOptions): Promise<Types.ListApiKeysResponse>;
  /**
   * Create an API key
   *
   * Only this answer contains the key itself, as `key`. Without `scopes` the key gets all scopes but `api_keys:write` and `payloads:read`. A key cannot create a key with scopes or groups that it lacks itself, and one with `actsFor` only keys with the same. A key that expires creates only keys that expire with it or earlier; without `expiresAt` with it. The key ends with its maker, and has no more than that may do now. Needs the scope `api_keys:write`.
   */
  createApiKey(body: Types.CreateApiKeyData['body'], options?: CallOptions): Promise<Types.CreateApiKeyResponse>;
  /**
   * Revoke an API key
   *
   * Requests with it, and with the keys and tokens that it has made, are refused from now on. A key may revoke itself, and keys whose scopes, groups, person and expiry lie within its own. Needs the scope `api_keys:write`.
   */
  revokeApiKey(apiKeyId: Types.RevokeApiKeyData['path']['id'], options?: CallOptions): Promise<Types.RevokeApiKeyResponse>;
  /**
   * List remembered approvals, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listApprovalGrants(query?: Types.ListApprovalGrantsData['query'], options?: CallOptions): Promise<Types.ListApprovalGrantsResponse>;
  /**
   * Revoke a remembered approval
   *
   * Later calls ask again. A call that it has approved already still runs. Needs the scope `approvals:decide`.
   */
  revokeApprovalGrant(approvalGrantId: Types.RevokeApprovalGrantData['path']['id'], query?: Types.RevokeApprovalGrantData['query'], options?: CallOptions): Promise<Types.RevokeApprovalGrantResponse>;
  /**
   * List audit events, newest first
   *
   * The log is append-only; each event has a hash over itself and the hash before it, which `GET /api/audit-events/verification` and `npx holdfast audit verify` check. `person` and `apiKeyId` choose the events that name who acted. Needs the scope `audit:read`.
   */
  listAuditEvents(query?: Types.ListAuditEventsData['query'], options?: CallOptions): Promise<Types.ListAuditEventsResponse>;
  /**
   * Verify the chain of audit events of the workspace
   *
   * Computes every hash again, and so takes longer the more events there are. Finds events that were changed, moved or deleted; that all were replaced is found by a copy of an earlier `head`. Needs the scope `audit:read`.
   */
  verifyAuditEvents(options?: CallOptions): Promise<Types.VerifyAuditEventsResponse>;
  /**
   * Get a stored file
   *
   * Answers with the bytes of a binary part of a tool result (`blobId` in the `content` of a tool call). The media type of an image or a PDF is found by its content, others are those that the server of the tool has named. The file may be hostile, so the headers make a browser save it instead of opening it. Needs the scope `conversations:read`.
   */
  getBlob(blobId: Types.GetBlobData['path']['id'], options?: CallOptions): Promise<Types.GetBlobResponse>;
  /**
   * List budgets, newest first
   *
   * Needs the scope `budgets:read`.
   */
  listBudgets(query?: Types.ListBudgetsData['query'], options?: CallOptions): Promise<Types.ListBudgetsResponse>;
  /**
   * Create a budget
   *
   * A call of a model or a tool that would break it is not made, and its turn fails with `BUDGET_EXCEEDED`. What was spent before in the present period counts. Days and months are those of UTC. With `each`, every agent, conversation or user has the credits for its own calls. Needs the scope `budgets:write`.
   */
  createBudget(body: Types.CreateBudgetData['body'], options?: CallOptions): Promise<Types.CreateBudgetResponse>;
  /**
   * Get a budget
   *
   * With what is spent and reserved of it in the present period. Needs the scope `budgets:read`.
   */
  getBudget(budgetId: Types.GetBudgetData['path']['id'], options?: CallOptions): Promise<Types.GetBudgetResponse>;
  /**
   * Update a budget
   *
   * The new size holds for calls that begin afterwards. The limit of a swarm cannot be changed. Needs the scope `budgets:write`.
   */
  updateBudget(budgetId: Types.UpdateBudgetData['path']['id'], body: Types.UpdateBudgetData['body'], options?: CallOptions): Promise<Types.UpdateBudgetResponse>;
  /**
   * Delete a budget
   *
   * The limit of a swarm cannot be deleted; it goes when the swarm ends. Needs the scope `budgets:write`.
   */
  deleteBudget(budgetId: Types.DeleteBudgetData['path']['id'], options?: CallOptions): Promise<Types.DeleteBudgetResponse>;
  /**
   * List what each has spent of a budget
   *
   * What agents, conversations or users have spent and reserved of a budget for each in its present period, the most first. Needs the scope `budgets:read`.
   */
  listBudgetShares(budgetId: Types.ListBudgetSharesData['path']['id'], query?: Types.ListBudgetSharesData['query'], options?: CallOptions): Promise<Types.ListBudgetSharesResponse>;
  /**
   * Follow what changes in the workspace
   *
   * Answers with server-sent events. `changes` has an array of notes: the type and id of what was created or has another status, and the status; the thing itself is read by its id. Notes are about agents with each new version, turns, actions that wait for people, runs of routines and schedules, swarms, replays, documents, deliveries of webhooks and triggers, and messages in inboxes, as far as the caller may read each. Each event has an `id`; a client that sends it as `Last-Event-ID` gets every later note once. `reset` means that earlier changes are not known, so that the client reads anew what it shows: it is the first event without an id, and after an id that is older than a day or from before a crash of the database. Needs an API key with any scope.
   */
  streamChanges(query?: Types.StreamChangesData['query'], options?: CallOptions): Promise<Types.StreamChangesResponse>;
  /**
   * List connections, newest first
   *
   * Needs the scope `connections:read`.
   */
  listConnections(query?: Types.ListConnectionsData['query'], options?: CallOptions): Promise<Types.ListConnectionsResponse>;
  /**
   * Create a connection
   *
   * Stores credentials for a provider, an MCP server or a vendor of models. They are encrypted, and answers show them masked. A connection with `oauth2_authorization_code` is `expired` until it is authorized in a browser. Needs the scope `connections:write`.
   */
  createConnection(body: Types.CreateConnectionData['body'], options?: CallOptions): Promise<Types.CreateConnectionResponse>;
  /**
   * Get a connection
   *
   * Its credentials are masked. Needs the scope `connections:read`.
   */
  getConnection(connectionId: Types.GetConnectionData['path']['id'], options?: CallOptions): Promise<Types.GetConnectionResponse>;
  /**
   * Update a connection
   *
   * New `auth` replaces the old one as a whole and makes the connection `active` again. An endpoint at another origin needs new `auth` in the same request. `"status": "revoked"` deletes the credentials. Needs the scope `connections:write`.
   */
  updateConnection(connectionId: Types.UpdateConnectionData['path']['id'], body: Types.UpdateConnectionData['body'], options?: CallOptions): Promise<Types.UpdateConnectionResponse>;
  /**
   * Delete a connection
   *
   * Deletes its credentials too. Calls of tools that use it are refused from then on. Needs the scope `connections:write`.
   */
  deleteConnection(connectionId: Types.DeleteConnectionData['path']['id'], options?: CallOptions): Promise<Types.DeleteConnectionResponse>;
  /**
   * Start the authorization of a connection
   *
   * Creates the address at which a person gives consent, for auth of type `oauth2_authorization_code`. The address can be used once, within 10 minutes, and has to be opened in the browser of that person. After consent the browser shows a page of this server that names the connection and the workspace; when the person agrees there, the connection is `active`. The address to register at an authorization server is `/api/oauth/callback`. Needs the scope `connections:write`.
   */
  authorizeConnection(connectionId: Types.AuthorizeConnectionData['path']['id'], query?: Types.AuthorizeConnectionData['query'], options?: CallOptions): Promise<Types.AuthorizeConnectionResponse>;
  /**
   * List the tools of a connection
   *
   * Lists the operations of its provider, or the tools that its MCP server lists now. Needs the scope `connections:read`.
   */
  listConnectionTools(connectionId: Types.ListConnectionToolsData['path']['id'], options?: CallOptions): Promise<Types.ListConnectionToolsResponse>;
  /**
   * Test a connection
   *
   * Calls its server. `test` has the result; when the server refuses the call, this request still answers 200. Needs the scope `connections:write`.
   */
  testConnection(connectionId: Types.TestConnectionData['path']['id'], options?: CallOptions): Promise<Types.TestConnectionResponse>;
  /**
   * List connectors, newest first
   *
   * Needs the scope `connections:read`.
   */
  listConnectors(query?: Types.ListConnectorsData['query'], options?: CallOptions): Promise<Types.ListConnectorsResponse>;
  /**
   * Create a connector
   *
   * Registers an MCP server and those of its tools that agents may use. A connection is created for its credentials, and answers show `auth` masked. Needs the scope `connections:write`.
   */
  createConnector(body: Types.CreateConnectorData['body'], options?: CallOptions): Promise<Types.CreateConnectorResponse>;
  /**
   * Get a connector
   *
   * Its auth is masked. Needs the scope `connections:read`.
   */
  getConnector(connectorId: Types.GetConnectorData['path']['id'], options?: CallOptions): Promise<Types.GetConnectorResponse>;
  /**
   * Delete a connector
   *
   * Deletes its connection with the credentials too. Agents lose its tools when they are provisioned again; until then, calls of these tools are refused. Needs the scope `connections:write`.
   */
  deleteConnector(connectorId: Types.DeleteConnectorData['path']['id'], options?: CallOptions): Promise<Types.DeleteConnectorResponse>;
  /**
   * List conversations, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listConversations(query?: Types.ListConversationsData['query'], options?: CallOptions): Promise<Types.ListConversationsResponse>;
  /**
   * Create a conversation
   *
   * With an `externalId` it is created once: a later request with the same agent, id and person is answered 200 with that conversation, as it is now. Needs the scope `conversations:write`.
   */
  createConversation(body: Types.CreateConversationData['body'], options?: CallOptions): Promise<Types.CreateConversationResponse>;
  /**
   * Get a conversation
   *
   * Needs the scope `conversations:read`.
   */
  getConversation(conversationId: Types.GetConversationData['path']['id'], options?: CallOptions): Promise<Types.GetConversationResponse>;
  /**
   * Update a conversation
   *
   * Replaces the fields that the body has. Tags are at most 20, of 1 to 64 characters each. A key for one person shares only the conversations of this person. Needs the scope `conversations:write`.
   */
  updateConversation(conversationId: Types.UpdateConversationData['path']['id'], body: Types.UpdateConversationData['body'], options?: CallOptions): Promise<Types.UpdateConversationResponse>;
  /**
   * Delete a conversation
   *
   * Deletes its turns, messages, tool calls, events and files, and the conversations of agents that it called. It is not found any more at once, and its open streams end; the rows are removed within minutes. Answers 409 while a turn runs or waits in it: cancel the turn first. Needs the scope `conversations:write`.
   */
  deleteConversation(conversationId: Types.DeleteConversationData['path']['id'], options?: CallOptions): Promise<Types.DeleteConversationResponse>;
  /**
   * Compare a fork with its parent or with another fork
   *
   * Compares the turns of both conversations after the place where they part, at most 100 of each, as a replay compares its runs with the recorded ones. The other conversation is the original. Needs the scope `conversations:read`.
   */
  compareConversations(conversationId: Types.CompareConversationsData['path']['id'], query?: Types.CompareConversationsData['query'], options?: CallOptions): Promise<Types.CompareConversationsResponse>;
  /**
   * Get what the next model call of a conversation sees
   *
   * The instructions without canary tokens, the tools, and the messages with the turns that they are of; the summary in place of older turns; how the context was shortened, and how long it is beside the threshold of the agent. Without the scope `agents:read` the instructions are empty, and the tools have their names only. Needs the scope `conversations:read`.
   */
  getConversationContext(conversationId: Types.GetConversationContextData['path']['id'], options?: CallOptions): Promise<Types.GetConversationContextResponse>;
  /**
   * List the events of a conversation, as a stream or a page
   *
   * Answers with server-sent events: first the stored events, then new ones, in the same order for every reader. Each frame has an `id`; a client that sends it as `Last-Event-ID` continues after that frame. Besides stored events the stream has `text.delta` with a piece of text, and `stream.reset` when the pieces of an iteration are void; `message.created` has the final text. With `Accept: application/json` the answer is a page of stored events. Needs the scope `conversations:read`.
   */
  streamConversationEvents(conversationId: Types.StreamConversationEventsData['path']['id'], query?: Types.StreamConversationEventsData['query'], options?: CallOptions): Promise<Types.StreamConversationEventsResponse>;
  /**
   * Fork a conversation
   *
   * Makes a conversation that begins with a copy of this one, up to a turn, and runs the turn anew: with its message or another one. With `iteration` the steps of the turn up to that one are kept, with other results where `toolResults` names their calls, and the turn goes on from the next model call. Nothing of the copy runs again. Tool calls of the new turn get the recorded results of the turn that was forked: nothing outside is reached but the model. With `tools: live` it is a turn like any other. The answer to a repeated request has the header `Idempotent-Replayed: true`. Needs the scopes `conversations:read` and `conversations:write`.
   */
  forkConversation(conversationId: Types.ForkConversationData['path']['id'], body: Types.ForkConversationData['body'], options?: CallOptions): Promise<Types.ForkConversationResponse>;
  /**
   * List the messages of a conversation, oldest first
   *
   * Needs the scope `conversations:read`.
   */
  listMessages(conversationId: Types.ListMessagesData['path']['id'], query?: Types.ListMessagesData['query'], options?: CallOptions): Promise<Types.ListMessagesResponse>;
  /**
   * List the turns of a conversation, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listTurns(conversationId: Types.ListTurnsData['path']['id'], query?: Types.ListTurnsData['query'], options?: CallOptions): Promise<Types.ListTurnsResponse>;
  /**
   * Start a turn
   *
   * Sends a message to the agent of a conversation. Answers 202 once the turn is stored; a stored turn is not lost. With `wait=true` it answers 200 once the turn is over, or 202 when the turn waits for people or is not over at its deadline. While another turn runs in the conversation, `onBusy` decides: `reject` answers 409, `enqueue` lets the message start the next turn, `steer` gives it to the running turn, whose next model call sees it (its own turn ends as `steered`; with `now` the model call that runs ends for it), `interrupt` cancels the running turn, and `rollback` also hides it from later turns. With `responseSchema` the answer is an object that satisfies it, as `answerJson`; otherwise the turn fails with `ANSWER_INVALID`. The answer to a repeated request has the header `Idempotent-Replayed: true`. Needs the scope `conversations:write`.
   */
  createTurn(conversationId: Types.CreateTurnData['path']['id'], body: Types.CreateTurnData['body'], query?: Types.CreateTurnData['query'], options?: CallOptions): Promise<Types.CreateTurnResponse>;
  /**
   * List uploaded files, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listFiles(query?: Types.ListFilesData['query'], options?: CallOptions): Promise<Types.ListFilesResponse>;
  /**
   * Upload a file
   *
   * Takes one file as `multipart/form-data` in the field `file`, and stores it as it arrives. `mediaType` is found by the content; the declared type only decides between kinds of text. A file that no message names is deleted after 7 days. The answer to a repeated request has the header `Idempotent-Replayed: true`. Needs the scope `conversations:write`.
   */
  createFile(body: Types.CreateFileData['body'], options?: CallOptions): Promise<Types.CreateFileResponse>;
  /**
   * Get the facts about a file
   *
   * Finds binary parts of tool results too. Needs the scope `conversations:read`.
   */
  getFile(fileId: Types.GetFileData['path']['id'], options?: CallOptions): Promise<Types.GetFileResponse>;
  /**
   * Delete an uploaded file
   *
   * Deletes the bytes, also when messages name the file; models are then told that it was deleted. The parts of tool results are deleted with their conversation. Needs the scope `conversations:write`.
   */
  deleteFile(fileId: Types.DeleteFileData['path']['id'], options?: CallOptions): Promise<Types.DeleteFileResponse>;
  /**
   * Download a file
   *
   * Answers with the bytes. The file may be hostile, so the headers make a browser save it instead of opening it. Needs the scope `conversations:read`.
   */
  getFileContent(fileId: Types.GetFileContentData['path']['id'], options?: CallOptions): Promise<Types.GetFileContentResponse>;
  /**
   * List functions
   *
   * Lists the built-in functions, and those that the operator of this server has defined. Needs the scope `agents:read`.
   */
  listFunctions(options?: CallOptions): Promise<Types.ListFunctionsResponse>;
  /**
   * Get the liveness of the server
   *
   * Answers 200 while the process runs. Needs no API key.
   */
  getApiLiveness(options?: CallOptions): Promise<Types.GetApiLivenessResponse>;
  /**
   * Get the readiness of the server
   *
   * Answers 200 when the database and Temporal can be reached, which turns need, and 503 otherwise. `worker` is false while no worker runs: turns are accepted, and wait for one. `stuckWorkflows` counts those whose tasks fail again and again, in all workspaces. Needs no API key.
   */
  getApiReadiness(options?: CallOptions): Promise<Types.GetApiReadinessResponse>;
  /**
   * List the messages of agents to a person, newest first
   *
   * A key that acts for a person lists the inbox of that person. Every other key names one. Needs the scope `inbox:read`.
   */
  listInbox(query?: Types.ListInboxData['query'], options?: CallOptions): Promise<Types.ListInboxResponse>;
  /**
   * Get a message of an inbox
   *
   * Needs the scope `inbox:read`.
   */
  getInboxMessage(inboxId: Types.GetInboxMessageData['path']['id'], options?: CallOptions): Promise<Types.GetInboxMessageResponse>;
  /**
   * Mark a message of an inbox as read or unread
   *
   * Needs the scope `inbox:write`.
   */
  updateInboxMessage(inboxId: Types.UpdateInboxMessageData['path']['id'], body: Types.UpdateInboxMessageData['body'], options?: CallOptions): Promise<Types.UpdateInboxMessageResponse>;
  /**
   * List knowledge bases, newest first
   *
   * Needs the scope `knowledge:read`.
   */
  listKnowledgeBases(query?: Types.ListKnowledgeBasesData['query'], options?: CallOptions): Promise<Types.ListKnowledgeBasesResponse>;
  /**
   * Create a knowledge base
   *
   * Searches use words, and meaning too when the knowledge base has an embedding model. Needs the scope `knowledge:write`.
   */
  createKnowledgeBase(body: Types.CreateKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.CreateKnowledgeBaseResponse>;
  /**
   * Get a knowledge base
   *
   * Needs the scope `knowledge:read`.
   */
  getKnowledgeBase(knowledgeBaseId: Types.GetKnowledgeBaseData['path']['id'], options?: CallOptions): Promise<Types.GetKnowledgeBaseResponse>;
  /**
   * Update a knowledge base
   *
   * A new embedding model or chunking applies to documents that are processed afterwards. Until it is reprocessed, a document without embeddings of the new model is found by its words only. Needs the scope `knowledge:write`.
   */
  updateKnowledgeBase(knowledgeBaseId: Types.UpdateKnowledgeBaseData['path']['id'], body: Types.UpdateKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.UpdateKnowledgeBaseResponse>;
  /**
   * Delete a knowledge base
   *
   * Deletes its documents too. Tools that search it then fail with an error that it does not exist. Needs the scope `knowledge:write`.
   */
  deleteKnowledgeBase(knowledgeBaseId: Types.DeleteKnowledgeBaseData['path']['id'], options?: CallOptions): Promise<Types.DeleteKnowledgeBaseResponse>;
  /**
   * List the documents of a knowledge base, newest first
   *
   * Needs the scope `knowledge:read`.
   */
  listDocuments(knowledgeBaseId: Types.ListDocumentsData['path']['id'], query?: Types.ListDocumentsData['query'], options?: CallOptions): Promise<Types.ListDocumentsResponse>;
  /**
   * Create a document
   *
   * Takes a file of at most 32 MiB as `multipart/form-data` in the field `file`, or a small text as JSON. Text, Markdown, HTML, PDF and DOCX can be read. The document is processed in the background; `status` and `progress` show the state. Needs the scope `knowledge:write`.
   */
  createDocument(knowledgeBaseId: Types.CreateDocumentData['path']['id'], body: Types.CreateDocumentData['body'], options?: CallOptions): Promise<Types.CreateDocumentResponse>;
  /**
   * Get a document
   *
   * Needs the scope `knowledge:read`.
   */
  getDocument(knowledgeBaseId: Types.GetDocumentData['path']['id'], documentId: Types.GetDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.GetDocumentResponse>;
  /**
   * Delete a document
   *
   * A document can be deleted while it is processed. Needs the scope `knowledge:write`.
   */
  deleteDocument(knowledgeBaseId: Types.DeleteDocumentData['path']['id'], documentId: Types.DeleteDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.DeleteDocumentResponse>;
  /**
   * Reprocess a document
   *
   * Uses the present chunking and embedding model of its knowledge base. Searches find the present chunks until the new ones are ready, and also when the new processing fails. Needs the scope `knowledge:write`.
   */
  reprocessDocument(knowledgeBaseId: Types.ReprocessDocumentData['path']['id'], documentId: Types.ReprocessDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.ReprocessDocumentResponse>;
  /**
   * Search a knowledge base
   *
   * The best results come first. Rankings by words and by meaning are merged by reciprocal rank. `notice` has the reason when the search used words only because the query could not be embedded. Needs the scope `knowledge:read`.
   */
  queryKnowledgeBase(knowledgeBaseId: Types.QueryKnowledgeBaseData['path']['id'], body: Types.QueryKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.QueryKnowledgeBaseResponse>;
  /**
   * Give a queued message to the running turn
   *
   * The turn takes the message before its next model call; with `now` the model call that runs ends for it. When it ends before that, the message starts the next turn. Answers with the turn that the message was to start. Needs the scope `conversations:write`.
   */
  steerMessage(messageId: Types.SteerMessageData['path']['id'], body?: Types.SteerMessageData['body'], options?: CallOptions): Promise<Types.SteerMessageResponse>;
  /**
   * Withdraw a queued message
   *
   * The turn of the message is `cancelled`, and the model never sees the message. Needs the scope `conversations:write`.
   */
  withdrawMessage(messageId: Types.WithdrawMessageData['path']['id'], options?: CallOptions): Promise<Types.WithdrawMessageResponse>;
  /**
   * List models
   *
   * Lists the models that Holdfast knows, those that the server of models named `compatible/…` offers, and those that agents of the workspace name, with abilities, prices and the keys with which they fail now. An agent may name other models as well. Needs the scope `agents:read`.
   */
  listModels(query?: Types.ListModelsData['query'], options?: CallOptions): Promise<Types.ListModelsResponse>;
  /**
   * List what waits for people, newest first
   *
   * Without `status` only what is `pending`. The actions of a turn include those of the turns that its tool calls started. Needs the scope `conversations:read`.
   */
  listPendingActions(query?: Types.ListPendingActionsData['query'], options?: CallOptions): Promise<Types.ListPendingActionsResponse>;
  /**
   * Get a pending action
   *
   * Needs the scope `conversations:read`.
   */
  getPendingAction(pendingActionId: Types.GetPendingActionData['path']['id'], options?: CallOptions): Promise<Types.GetPendingActionResponse>;
  /**
   * Decide a pending action
   *
   * An approved tool call runs with the arguments that were proposed, or with those of this request, which have to fit the schema of the tool. The answer to a question has to fit its `schema`; the answer to a `client_tool` is the result of the call. The same decision again answers 200; another one 409 with who decided and when. With `remember` later calls of the tool are approved as well, and those that wait already. An approval needs the scope `approvals:decide`. Needs the scope `approvals:decide` or `conversations:write`.
   */
  decidePendingAction(pendingActionId: Types.DecidePendingActionData['path']['id'], body: Types.DecidePendingActionData['body'], options?: CallOptions): Promise<Types.DecidePendingActionResponse>;
  /**
   * Create a link for a decision
   *
   * The link opens a page that shows the tool call, on which a person approves or rejects it. Whoever has the link decides in the name of this API key, and of the person in `actingFor`; it ends after `expiresInSeconds`, by default a day, or with the key. Needs the scope `approvals:decide`.
   */
  linkPendingAction(pendingActionId: Types.LinkPendingActionData['path']['id'], body?: Types.LinkPendingActionData['body'], options?: CallOptions): Promise<Types.LinkPendingActionResponse>;
  /**
   * List the people who have signed in, newest first
   *
   * Needs the scope `api_keys:write`.
   */
  listPeople(query?: Types.ListPeopleData['query'], options?: CallOptions): Promise<Types.ListPeopleResponse>;
  /**
   * Get a person who has signed in
   *
   * Needs the scope `api_keys:write`.
   */
  getPerson(peopleId: Types.GetPersonData['path']['id'], options?: CallOptions): Promise<Types.GetPersonResponse>;
  /**
   * Deactivate a person, or let the person in again
   *
   * Requests of somebody deactivated are refused from now on, open streams end within seconds, and stored work of that person stops. The person may do no more than the caller, groups aside, and is the caller when that sees one person alone. Needs the scope `api_keys:write`.
   */
  changePerson(peopleId: Types.ChangePersonData['path']['id'], body: Types.ChangePersonData['body'], options?: CallOptions): Promise<Types.ChangePersonResponse>;
  /**
   * Get prices
   *
   * Needs the scope `budgets:read`.
   */
  getPrices(options?: CallOptions): Promise<Types.GetPricesResponse>;
  /**
   * Set the prices of the workspace
   *
   * Replaces all prices that the workspace has set. `*` is the price of every model that has none here or in the list. They hold for turns that begin afterwards; calls that were made keep their cost. Needs the scope `budgets:write`.
   */
  setPrices(body: Types.SetPricesData['body'], options?: CallOptions): Promise<Types.SetPricesResponse>;
  /**
   * List providers
   *
   * Lists the catalogue, and the providers that the workspace has imported. `search` finds words in names, titles, descriptions and operations. Needs the scope `connections:read`.
   */
  listProviders(query?: Types.ListProvidersData['query'], options?: CallOptions): Promise<Types.ListProvidersResponse>;
  /**
   * Import a provider
   *
   * Makes a provider of the workspace from an OpenAPI document 3.0 or 3.1 of up to 10 MiB: its operations are tools of connections to it. A second import of the same name is the next version, which connections and tools use from then on. A `server.json` of the MCP registry is answered with the draft of a connection. Errors name the place in the document. Needs the scope `connections:write`.
   */
  importProvider(body: Types.ImportProviderData['body'], options?: CallOptions): Promise<Types.ImportProviderResponse>;
  /**
   * Get a provider
   *
   * Gets a provider with its operations, the auth fields that a connection to it needs, and how to get their values. Needs the scope `connections:read`.
   */
  getProvider(name: Types.GetProviderData['path']['name'], options?: CallOptions): Promise<Types.GetProviderResponse>;
  /**
   * Delete an imported provider
   *
   * Its connections have to be deleted first. Providers of the catalogue cannot be deleted. Needs the scope `connections:write`.
   */
  deleteProvider(name: Types.DeleteProviderData['path']['name'], options?: CallOptions): Promise<Types.DeleteProviderResponse>;
  /**
   * Export conversations as lines of JSON
   *
   * Answers one line for each turn that is over, with all that its model calls saw, ordered by conversation and turn; docs/recording.schema.json describes a line. The parameters choose conversations: one with a turn that fits all of them is exported whole, since a turn cannot be understood without those before it. Without the scope `agents:read` the instructions, rules and definitions of tools are left out. Needs the scope `conversations:read`.
   */
  exportRecordings(query?: Types.ExportRecordingsData['query'], options?: CallOptions): Promise<Types.ExportRecordingsResponse>;
  /**
   * Import conversations from lines of JSON
   *
   * Stores each line of the body, as the export writes them, as a turn that is over: nothing of it runs. A line that was stored before is skipped, so that a request may be sent again; a line that cannot be stored is refused and does not stop the others. Without `agentId` the turns get agents of their own, whose tools cannot act, and the key needs `agents:write` too. After 45 seconds no further line is taken, and the answer has `timedOut`; a body that has not arrived after 60 seconds is cut off. Send a long file in pieces. Needs the scope `conversations:write`.
   */
  importRecordings(query?: Types.ImportRecordingsData['query'], options?: CallOptions): Promise<Types.ImportRecordingsResponse>;
  /**
   * List replays, newest first
   *
   * Needs the scope `replays:read`.
   */
  listReplays(query?: Types.ListReplaysData['query'], options?: CallOptions): Promise<Types.ListReplaysResponse>;
  /**
   * Start a replay of recorded turns
   *
   * Runs recorded turns again with another agent version, or with changes to their own. Tool calls get recorded answers: nothing outside is reached but the model, unless `toolAnswers` or `onMiss` say so. Needs the scopes `replays:write` and `conversations:read`.
   */
  createReplay(body: Types.CreateReplayData['body'], options?: CallOptions): Promise<Types.CreateReplayResponse>;
  /**
   * Get a replay
   *
   * Needs the scope `replays:read`.
   */
  getReplay(replayId: Types.GetReplayData['path']['id'], options?: CallOptions): Promise<Types.GetReplayResponse>;
  /**
   * Cancel a replay
   *
   * Runs that have begun end first; the report has what was run until then. Needs the scope `replays:write`.
   */
  cancelReplay(replayId: Types.CancelReplayData['path']['id'], options?: CallOptions): Promise<Types.CancelReplayResponse>;
  /**
   * List the cases of a replay whose candidate has run
   *
   * Needs the scopes `replays:read` and `conversations:read`.
   */
  listReplayCases(replayId: Types.ListReplayCasesData['path']['id'], query?: Types.ListReplayCasesData['query'], options?: CallOptions): Promise<Types.ListReplayCasesResponse>;
  /**
   * Get a case of a replay with all its runs
   *
   * Needs the scopes `replays:read` and `conversations:read`.
   */
  getReplayCase(replayId: Types.GetReplayCaseData['path']['id'], position: Types.GetReplayCaseData['path']['position'], options?: CallOptions): Promise<Types.GetReplayCaseResponse>;
  /**
   * Follow the progress of a replay
   *
   * Answers with server-sent events: `replay.progress` with the state now and after each change, and `replay.settled` as the last one. Needs the scope `replays:read`.
   */
  streamReplayEvents(replayId: Types.StreamReplayEventsData['path']['id'], options?: CallOptions): Promise<Types.StreamReplayEventsResponse>;
  /**
   * Pause a replay
   *
   * Runs that have begun end first. A replay that is paused waits for as long as it takes. Needs the scope `replays:write`.
   */
  pauseReplay(replayId: Types.PauseReplayData['path']['id'], options?: CallOptions): Promise<Types.PauseReplayResponse>;
  /**
   * Get the report of a replay
   *
   * Answers the report without an envelope: as JSON, as one HTML page that loads nothing else, as Markdown for a pull request, or as JUnit XML. The cases that changed most come first, at most 5,000; long texts are cut. The report of a replay that has not ended has `partial: true` and the runs that are stored so far. Needs the scopes `replays:read` and `conversations:read`.
   */
  getReplayReport(replayId: Types.GetReplayReportData['path']['id'], query?: Types.GetReplayReportData['query'], options?: CallOptions): Promise<Types.GetReplayReportResponse>;
  /**
   * Resume a replay
   *
   * The replay goes on with the runs that are not stored yet. Needs the scope `replays:write`.
   */
  resumeReplay(replayId: Types.ResumeReplayData['path']['id'], options?: CallOptions): Promise<Types.ResumeReplayResponse>;
  /**
   * Get the JSON Schema of an operation on resources
   *
   * The schema that `define_tool` gives to agents: the arguments of `resource_manage` for one kind. Needs the scope `resources:read`.
   */
  getResourceSchema(query?: Types.GetResourceSchemaData['query'], options?: CallOptions): Promise<Types.GetResourceSchemaResponse>;
  /**
   * List or search resources
   *
   * Newest first; with `query` the best results first. Agents are among them, by their newest versions. Needs the scope `resources:read`.
   */
  listResources(query?: Types.ListResourcesData['query'], options?: CallOptions): Promise<Types.ListResourcesResponse>;
  /**
   * Create a resource
   *
   * The attributes depend on `kind`. The resource starts with version 1. A repeated request with the same `Idempotency-Key` finds it again. Needs the scope `resources:write`.
   */
  createResource(body: Types.CreateResourceData['body'], options?: CallOptions): Promise<Types.CreateResourceResponse>;
  /**
   * Get a resource
   *
   * Needs the scope `resources:read`.
   */
  getResource(resourceId: Types.GetResourceData['path']['id'], query?: Types.GetResourceData['query'], options?: CallOptions): Promise<Types.GetResourceResponse>;
  /**
   * Update a resource
   *
   * Makes a new version. Each attribute in the body is replaced as a whole; the others stay. Needs the scope `resources:write`.
   */
  updateResource(resourceId: Types.UpdateResourceData['path']['id'], body: Types.UpdateResourceData['body'], options?: CallOptions): Promise<Types.UpdateResourceResponse>;
  /**
   * Delete a resource
   *
   * It is not found any more, and can be restored for 30 days. Then it is removed with its versions. Needs the scope `resources:write`.
   */
  deleteResource(resourceId: Types.DeleteResourceData['path']['id'], query?: Types.DeleteResourceData['query'], options?: CallOptions): Promise<Types.DeleteResourceResponse>;
  /**
   * Restore a resource
   *
   * Takes back that it was deleted. With `version` it also gets a new version with the attributes of that one. Needs the scope `resources:write`.
   */
  restoreResource(resourceId: Types.RestoreResourceData['path']['id'], body?: Types.RestoreResourceData['body'], options?: CallOptions): Promise<Types.RestoreResourceResponse>;
  /**
   * List the versions of a resource, newest first
   *
   * Needs the scope `resources:read`.
   */
  listResourceVersions(resourceId: Types.ListResourceVersionsData['path']['id'], query?: Types.ListResourceVersionsData['query'], options?: CallOptions): Promise<Types.ListResourceVersionsResponse>;
  /**
   * Emit an event to the routines that listen
   *
   * The event has the attributes of CloudEvents. A run takes events that come after it has begun to listen. Needs the scope `routines:write`.
   */
  emitRoutineEvent(body: Types.EmitRoutineEventData['body'], options?: CallOptions): Promise<Types.EmitRoutineEventResponse>;
  /**
   * List runs of routines, newest first
   *
   * Needs the scope `routines:read`.
   */
  listRoutineRuns(query?: Types.ListRoutineRunsData['query'], options?: CallOptions): Promise<Types.ListRoutineRunsResponse>;
  /**
   * Get a run of a routine with its newest steps
   *
   * Shows at most 500 steps; the others are in the pages of its steps. Needs the scope `routines:read`.
   */
  getRoutineRun(routineRunId: Types.GetRoutineRunData['path']['id'], options?: CallOptions): Promise<Types.GetRoutineRunResponse>;
  /**
   * Pause a run of a routine
   *
   * The steps that run end first. A paused run waits for as long as it takes. Needs the scope `routines:write`.
   */
  pauseRoutineRun(routineRunId: Types.PauseRoutineRunData['path']['id'], options?: CallOptions): Promise<Types.PauseRoutineRunResponse>;
  /**
   * Resume a run of a routine
   *
   * The run goes on with its next step. Needs the scope `routines:write`.
   */
  resumeRoutineRun(routineRunId: Types.ResumeRoutineRunData['path']['id'], options?: CallOptions): Promise<Types.ResumeRoutineRunResponse>;
  /**
   * List the stored steps of a run in their order
   *
   * A step is stored soon after it has ended. `nextAfter` is the number to go on from; null on the last page. Needs the scope `routines:read`.
   */
  listRoutineSteps(routineRunId: Types.ListRoutineStepsData['path']['id'], query?: Types.ListRoutineStepsData['query'], options?: CallOptions): Promise<Types.ListRoutineStepsResponse>;
  /**
   * Stop a run of a routine
   *
   * `graceful` lets the steps that run end first, `now` cancels them. A run whose workflow is `stuck` is stopped too: the answer comes before its end, and the run is then `faulted`. Needs the scope `routines:write`.
   */
  stopRoutineRun(routineRunId: Types.StopRoutineRunData['path']['id'], body?: Types.StopRoutineRunData['body'], options?: CallOptions): Promise<Types.StopRoutineRunResponse>;
  /**
   * List routines, newest first
   *
   * Needs the scope `routines:read`.
   */
  listRoutines(query?: Types.ListRoutinesData['query'], options?: CallOptions): Promise<Types.ListRoutinesResponse>;
  /**
   * Create a routine
   *
   * Stores a document of the CNCF Serverless Workflow standard 1.0, as YAML, as JSON or as an object. What cannot be run is refused with its path. Needs the scope `routines:write`.
   */
  createRoutine(body: Types.CreateRoutineData['body'], options?: CallOptions): Promise<Types.CreateRoutineResponse>;
  /**
   * Get a routine with its document and its flowchart
   *
   * Needs the scope `routines:read`.
   */
  getRoutine(routineId: Types.GetRoutineData['path']['id'], options?: CallOptions): Promise<Types.GetRoutineResponse>;
  /**
   * Update a routine with a new version
   *
   * Runs that have begun keep their version. Needs the scope `routines:write`.
   */
  updateRoutine(routineId: Types.UpdateRoutineData['path']['id'], body: Types.UpdateRoutineData['body'], options?: CallOptions): Promise<Types.UpdateRoutineResponse>;
  /**
   * Delete a routine
   *
   * Runs that have begun go on. Needs the scope `routines:write`.
   */
  deleteRoutine(routineId: Types.DeleteRoutineData['path']['id'], options?: CallOptions): Promise<Types.DeleteRoutineResponse>;
  /**
   * Start a run of a routine
   *
   * The run acts as the agent of the routine; one that names none needs `agentId`. With `waitMs` the answer comes when the run is over, or after that time; the run goes on. The same `Idempotency-Key` finds the same run. Needs the scope `routines:write`.
   */
  startRoutineRun(routineId: Types.StartRoutineRunData['path']['id'], body: Types.StartRoutineRunData['body'], options?: CallOptions): Promise<Types.StartRoutineRunResponse>;
  /**
   * List schedules, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listSchedules(query?: Types.ListSchedulesData['query'], options?: CallOptions): Promise<Types.ListSchedulesResponse>;
  /**
   * Create a schedule
   *
   * Starts a turn, a run of a routine or a replay at set times, by cron expressions, an interval or calendars. Each time runs at most once. A schedule of routines needs the scope `routines:write` as well, one of replays `replays:write`. A workspace has at most 1,000 schedules. Needs the scope `conversations:write`.
   */
  createSchedule(body: Types.CreateScheduleData['body'], options?: CallOptions): Promise<Types.CreateScheduleResponse>;
  /**
   * Get a schedule with the times of its next runs
   *
   * Needs the scope `conversations:read`.
   */
  getSchedule(scheduleId: Types.GetScheduleData['path']['id'], options?: CallOptions): Promise<Types.GetScheduleResponse>;
  /**
   * Update a schedule
   *
   * Each field in the body is replaced as a whole; the other fields stay. Runs that have begun go on. Needs the scope `conversations:write`.
   */
  updateSchedule(scheduleId: Types.UpdateScheduleData['path']['id'], body: Types.UpdateScheduleData['body'], options?: CallOptions): Promise<Types.UpdateScheduleResponse>;
  /**
   * Delete a schedule
   *
   * Deletes the list of its runs too. Turns, replays and runs of routines that it has started go on. Needs the scope `conversations:write`.
   */
  deleteSchedule(scheduleId: Types.DeleteScheduleData['path']['id'], options?: CallOptions): Promise<Types.DeleteScheduleResponse>;
  /**
   * Run a schedule for a time span that is over
   *
   * Begins one run after another, unless `overlap` says otherwise. A time that has run does not run again. A span has at most 1,000 runs. Needs the scope `conversations:write`.
   */
  backfillSchedule(scheduleId: Types.BackfillScheduleData['path']['id'], body: Types.BackfillScheduleData['body'], options?: CallOptions): Promise<Types.BackfillScheduleResponse>;
  /**
   * Pause a schedule
   *
   * Nothing is made up for when it is resumed, but by a backfill. Needs the scope `conversations:write`.
   */
  pauseSchedule(scheduleId: Types.PauseScheduleData['path']['id'], options?: CallOptions): Promise<Types.PauseScheduleResponse>;
  /**
   * Resume a schedule
   *
   * It goes on with the next time. Needs the scope `conversations:write`.
   */
  resumeSchedule(scheduleId: Types.ResumeScheduleData['path']['id'], options?: CallOptions): Promise<Types.ResumeScheduleResponse>;
  /**
   * Run a schedule now
   *
   * Begins a run under the overlap policy of the schedule, also when the schedule is paused. Needs the scope `conversations:write`.
   */
  runSchedule(scheduleId: Types.RunScheduleData['path']['id'], options?: CallOptions): Promise<Types.RunScheduleResponse>;
  /**
   * List the runs of a schedule, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listScheduleRuns(scheduleId: Types.ListScheduleRunsData['path']['id'], query?: Types.ListScheduleRunsData['query'], options?: CallOptions): Promise<Types.ListScheduleRunsResponse>;
  /**
   * Get who sends the request
   *
   * Needs an API key with any scope.
   */
  getSession(options?: CallOptions): Promise<Types.GetSessionResponse>;
  /**
   * Open a session for a browser
   *
   * Sets a cookie that no script reads, with which pages of Holdfast send requests. They may do what the key or token of this request may do at the time, and the session ends with it. Needs an API key with any scope.
   */
  openSession(body: Types.OpenSessionData['body'], options?: CallOptions): Promise<Types.OpenSessionResponse>;
  /**
   * End the session of a browser
   *
   * Its cookie is refused from now on, and its open streams end within seconds. Needs an API key with any scope.
   */
  endSession(options?: CallOptions): Promise<Types.EndSessionResponse>;
  /**
   * List skills, newest first
   *
   * Needs the scope `skills:read`.
   */
  listSkills(query?: Types.ListSkillsData['query'], options?: CallOptions): Promise<Types.ListSkillsResponse>;
  /**
   * Import a skill
   *
   * Takes a skill in the open Agent Skills format: a ZIP archive, or tar with gzip, as `multipart/form-data` in the field `file`, or its files as JSON; at most 256 files, 1 MiB each and 8 MiB together. A skill whose name is known gets a new version; agents keep theirs. Files that a version has already are answered with that version and status 200. Scripts are stored and never run. Needs the scope `skills:write`.
   */
  importSkill(body: Types.ImportSkillData['body'], options?: CallOptions): Promise<Types.ImportSkillResponse>;
  /**
   * Get a skill
   *
   * Needs the scope `skills:read`.
   */
  getSkill(skillId: Types.GetSkillData['path']['id'], options?: CallOptions): Promise<Types.GetSkillResponse>;
  /**
   * Delete a skill
   *
   * Deletes its versions too. Refused with 409 while the newest version of an agent uses it. Turns of older agent versions can read it for 30 more days; then its files are removed. Needs the scope `skills:write`.
   */
  deleteSkill(skillId: Types.DeleteSkillData['path']['id'], options?: CallOptions): Promise<Types.DeleteSkillResponse>;
  /**
   * List the versions of a skill, newest first
   *
   * Needs the scope `skills:read`.
   */
  listSkillVersions(skillId: Types.ListSkillVersionsData['path']['id'], query?: Types.ListSkillVersionsData['query'], options?: CallOptions): Promise<Types.ListSkillVersionsResponse>;
  /**
   * Get a version of a skill
   *
   * With its instructions and the list of its files. Needs the scope `skills:read`.
   */
  getSkillVersion(skillId: Types.GetSkillVersionData['path']['id'], version: Types.GetSkillVersionData['path']['version'], options?: CallOptions): Promise<Types.GetSkillVersionResponse>;
  /**
   * Get a file of a version of a skill
   *
   * Needs the scope `skills:read`.
   */
  getSkillFile(skillId: Types.GetSkillFileData['path']['id'], version: Types.GetSkillFileData['path']['version'], query?: Types.GetSkillFileData['query'], options?: CallOptions): Promise<Types.GetSkillFileResponse>;
  /**
   * List swarms, newest first
   *
   * Needs the scope `swarms:read`.
   */
  listSwarms(query?: Types.ListSwarmsData['query'], options?: CallOptions): Promise<Types.ListSwarmsResponse>;
  /**
   * Start a swarm
   *
   * Lets several agents work on one goal. The leader plans by setting subtasks, each for an agent; they run as soon as the subtasks that they depend on are done. The first subtasks may be given. The answer to a repeated request has the header `Idempotent-Replayed: true`. Needs the scope `swarms:write`.
   */
  createSwarm(body: Types.CreateSwarmData['body'], options?: CallOptions): Promise<Types.CreateSwarmResponse>;
  /**
   * Get a swarm with its shared state
   *
   * Needs the scope `swarms:read`.
   */
  getSwarm(swarmId: Types.GetSwarmData['path']['id'], options?: CallOptions): Promise<Types.GetSwarmResponse>;
  /**
   * Change the shared state of a swarm
   *
   * Sets and deletes subtasks and items of the blackboard, as a whole or not at all. Subtasks that are there keep their `created_at`; new ones begin while the swarm runs. Concurrent changes lose nothing. A change with an `Idempotency-Key` is applied once. Needs the scope `swarms:write`.
   */
  updateSwarm(swarmId: Types.UpdateSwarmData['path']['id'], body: Types.UpdateSwarmData['body'], options?: CallOptions): Promise<Types.UpdateSwarmResponse>;
  /**
   * End a swarm
   *
   * Nothing more begins, in the swarms inside of it neither. With `graceful` subtasks that run finish; with `force` they are stopped. The swarm has its final state once `settledAt` is set. Needs the scope `swarms:write`.
   */
  endSwarm(swarmId: Types.EndSwarmData['path']['id'], body: Types.EndSwarmData['body'], options?: CallOptions): Promise<Types.EndSwarmResponse>;
  /**
   * Pause a swarm
   *
   * Subtasks that run finish, and none begins until the swarm is resumed. Its time runs on. Needs the scope `swarms:write`.
   */
  pauseSwarm(swarmId: Types.PauseSwarmData['path']['id'], options?: CallOptions): Promise<Types.PauseSwarmResponse>;
  /**
   * Resume a swarm
   *
   * Subtasks begin again. Needs the scope `swarms:write`.
   */
  resumeSwarm(swarmId: Types.ResumeSwarmData['path']['id'], options?: CallOptions): Promise<Types.ResumeSwarmResponse>;
  /**
   * Decode Temporal payloads
   *
   * Decrypts payloads for the Temporal Web UI and CLI; set their codec endpoint to this address without `/decode`. The answer has no envelope. A key with this scope can read the payloads of all workspaces: give the scope to operators only. A payload that Holdfast has not encrypted is returned unchanged. Needs the scope `payloads:read`.
   */
  decodePayloads(body: Types.DecodePayloadsData['body'], options?: CallOptions): Promise<Types.DecodePayloadsResponse>;
  /**
   * Encode Temporal payloads
   *
   * Encrypts payloads, for starting or signalling workflows with the CLI. Payloads are returned unchanged unless `HOLDFAST_ENCRYPT_PAYLOADS` is true. Needs the scope `payloads:read`.
   */
  encodePayloads(body: Types.EncodePayloadsData['body'], options?: CallOptions): Promise<Types.EncodePayloadsResponse>;
  /**
   * List triggers, newest first
   *
   * Needs the scope `conversations:read`.
   */
  listTriggers(query?: Types.ListTriggersData['query'], options?: CallOptions): Promise<Types.ListTriggersResponse>;
  /**
   * Create a trigger
   *
   * Lets webhooks of a vendor start a turn or a run of a routine. Register the `url` of the answer with the vendor. Each delivery is verified by the signature of the vendor, and starts one turn or run however often it comes. A trigger of a routine needs the scope `routines:write` as well. A workspace has at most 200 triggers. Needs the scope `conversations:write`.
   */
  createTrigger(body: Types.CreateTriggerData['body'], options?: CallOptions): Promise<Types.CreateTriggerResponse>;
  /**
   * Get a trigger
   *
   * Needs the scope `conversations:read`.
   */
  getTrigger(triggerId: Types.GetTriggerData['path']['id'], options?: CallOptions): Promise<Types.GetTriggerResponse>;
  /**
   * Update a trigger
   *
   * Each field in the body is replaced as a whole; the other fields stay. While a trigger is paused, deliveries are answered and start nothing. Deliveries that were accepted before keep the action that the trigger had. Needs the scope `conversations:write`.
   */
  updateTrigger(triggerId: Types.UpdateTriggerData['path']['id'], body: Types.UpdateTriggerData['body'], options?: CallOptions): Promise<Types.UpdateTriggerResponse>;
  /**
   * Delete a trigger
   *
   * Deletes its secrets and the list of its deliveries too. Work that has begun goes on. Needs the scope `conversations:write`.
   */
  deleteTrigger(triggerId: Types.DeleteTriggerData['path']['id'], options?: CallOptions): Promise<Types.DeleteTriggerResponse>;
  /**
   * List the deliveries to a trigger, newest first
   *
   * Deliveries are listed for 90 days. Of requests without a valid signature one a minute is listed. Needs the scope `conversations:read`.
   */
  listTriggerDeliveries(triggerId: Types.ListTriggerDeliveriesData['path']['id'], query?: Types.ListTriggerDeliveriesData['query'], options?: CallOptions): Promise<Types.ListTriggerDeliveriesResponse>;
  /**
   * Get a delivery with its payload
   *
   * The payload of a delivery that was ignored or refused at once is not kept, others for three days. Needs the scope `conversations:read`.
   */
  getTriggerDelivery(triggerId: Types.GetTriggerDeliveryData['path']['id'], deliveryId: Types.GetTriggerDeliveryData['path']['deliveryId'], options?: CallOptions): Promise<Types.GetTriggerDeliveryResponse>;
  /**
   * Start a delivery that has started nothing
   *
   * Starts a delivery that has failed, or that the filter has ignored, with the action and filter that the trigger has now. A vendor that delivers it again starts nothing. Needs the scope `conversations:write`.
   */
  retryTriggerDelivery(triggerId: Types.RetryTriggerDeliveryData['path']['id'], deliveryId: Types.RetryTriggerDeliveryData['path']['deliveryId'], options?: CallOptions): Promise<Types.RetryTriggerDeliveryResponse>;
  /**
   * Set or rotate the secret of a trigger
   *
   * Sets the secret that a vendor has made, or makes a new one. For the time of the overlap deliveries that are signed by the secret before count as well. Needs the scope `conversations:write`.
   */
  rotateTriggerSecret(triggerId: Types.RotateTriggerSecretData['path']['id'], body?: Types.RotateTriggerSecretData['body'], options?: CallOptions): Promise<Types.RotateTriggerSecretResponse>;
  /**
   * List the turns of the workspace, newest first
   *
   * Turns that fit all given fields. A key for one person lists turns in conversations of this person and in those that are shared with it. With `tool`, `costFrom`, `costTo`, `durationFrom` or `text` a page looks at 1000 turns at most, those that fit the other fields, and with `text` at those whose messages have 4 MiB together: it may have fewer turns than `limit`, or none, and `nextCursor` continues. One search with `text` of a workspace runs at a time; others wait for some seconds, and are then answered with `RATE_LIMITED`. Each turn has the beginning of its message. Needs the scope `conversations:read`.
   */
  findTurns(query?: Types.FindTurnsData['query'], options?: CallOptions): Promise<Types.FindTurnsResponse>;
  /**
   * Get a turn with its tool calls
   *
   * With the id of its workflow, and the address of the workflow in the Temporal Web UI where the operator has configured one. Needs the scope `conversations:read`.
   */
  getTurn(turnId: Types.GetTurnData['path']['id'], options?: CallOptions): Promise<Types.GetTurnResponse>;
  /**
   * Cancel a turn
   *
   * Answers 202 while the turn still has to stop; the event `turn.settled` then has its outcome. Answers 200 when the turn is over: it was still queued, or had ended before. Needs the scope `conversations:write`.
   */
  cancelTurn(turnId: Types.CancelTurnData['path']['id'], options?: CallOptions): Promise<Types.CancelTurnResponse>;
  /**
   * List the events of a turn, as a stream or a page
   *
   * Answers with server-sent events: first the stored events, then new ones, in the same order for every reader. Each frame has an `id`; a client that sends it as `Last-Event-ID` continues after that frame. Besides stored events the stream has `text.delta` with a piece of text, and `stream.reset` when the pieces of an iteration are void; `message.created` has the final text. With `Accept: application/json` the answer is a page of stored events. The stream ends after `turn.settled`; a client that continues after that event gets 204. Needs the scope `conversations:read`.
   */
  streamTurnEvents(turnId: Types.StreamTurnEventsData['path']['id'], query?: Types.StreamTurnEventsData['query'], options?: CallOptions): Promise<Types.StreamTurnEventsResponse>;
  /**
   * List the model calls of a turn
   *
   * One for each iteration, in their order: the model that answered, how long it took, its tokens and its cost; the attempts that failed before, the models that were passed over, and how the context was shortened. A call that runs is listed when its answer is stored, or an attempt has failed that is made again. The failure that ends a turn is its `error`. Needs the scope `conversations:read`.
   */
  listModelCalls(turnId: Types.ListModelCallsData['path']['id'], options?: CallOptions): Promise<Types.ListModelCallsResponse>;
  /**
   * Get a tool call of a turn
   *
   * Has the whole stored result. A turn with its tool calls has results of 4 MiB together; results that come later are cut to 2,000 characters there, with `resultTruncated` and without `content`. Needs the scope `conversations:read`.
   */
  getToolCall(turnId: Types.GetToolCallData['path']['id'], toolCallId: Types.GetToolCallData['path']['toolCallId'], options?: CallOptions): Promise<Types.GetToolCallResponse>;
  /**
   * Get usage
   *
   * Sums up what calls have cost, in credits (millionths of a US dollar), by group; the dearest groups come first. A call counts once, however often it was tried. Calls of agents that a turn called count for its conversation and its user. A key for one person sums up the calls in conversations that this person sees. Needs the scope `analytics:read`.
   */
  getUsage(query?: Types.GetUsageData['query'], options?: CallOptions): Promise<Types.GetUsageResponse>;
  /**
   * Issue a token with which one person uses the API from a browser
   *
   * Only this answer contains the token itself, as `token`. It has the scopes of its roles that the API key has too, sees no more than the key, and ends with it. With `conversations` it reads and writes in these alone. Needs the scope `user_tokens:write`.
   */
  createUserToken(body: Types.CreateUserTokenData['body'], options?: CallOptions): Promise<Types.CreateUserTokenResponse>;
  /**
   * End all user tokens of a person
   *
   * Needs the scope `user_tokens:write`.
   */
  endUserTokens(query?: Types.EndUserTokensData['query'], options?: CallOptions): Promise<Types.EndUserTokensResponse>;
  /**
   * End a user token
   *
   * A key ends the tokens that it has issued, and one with `api_keys:write` those of other keys that may do no more than itself. Needs the scope `user_tokens:write`.
   */
  endUserToken(userTokenId: Types.EndUserTokenData['path']['id'], options?: CallOptions): Promise<Types.EndUserTokenResponse>;
  /**
   * List webhooks, newest first
   *
   * Needs the scope `webhooks:read`.
   */
  listWebhooks(query?: Types.ListWebhooksData['query'], options?: CallOptions): Promise<Types.ListWebhooksResponse>;
  /**
   * Create a webhook
   *
   * Its URL gets a signed message about each of these events of the workspace, by Standard Webhooks 1.0. The answer shows the secret, which is stored encrypted and not shown again. With `slack` in place of `url` and `events`, a channel of Slack gets a message with buttons for each approval. A workspace has at most 20 webhooks. Needs the scope `webhooks:write`.
   */
  createWebhook(body: Types.CreateWebhookData['body'], options?: CallOptions): Promise<Types.CreateWebhookResponse>;
  /**
   * Get a webhook
   *
   * A webhook that was disabled says when and why. Needs the scope `webhooks:read`.
   */
  getWebhook(webhookId: Types.GetWebhookData['path']['id'], options?: CallOptions): Promise<Types.GetWebhookResponse>;
  /**
   * Update a webhook
   *
   * `"enabled": true` enables a webhook that was disabled; it is told of what happens from then on. Disabling it cancels what waits to be delivered. Needs the scope `webhooks:write`.
   */
  updateWebhook(webhookId: Types.UpdateWebhookData['path']['id'], body: Types.UpdateWebhookData['body'], options?: CallOptions): Promise<Types.UpdateWebhookResponse>;
  /**
   * Delete a webhook
   *
   * Deletes its secrets and its deliveries too. What waits to be delivered is cancelled. Needs the scope `webhooks:write`.
   */
  deleteWebhook(webhookId: Types.DeleteWebhookData['path']['id'], options?: CallOptions): Promise<Types.DeleteWebhookResponse>;
  /**
   * List the deliveries of a webhook, newest first
   *
   * Needs the scope `webhooks:read`.
   */
  listWebhookDeliveries(webhookId: Types.ListWebhookDeliveriesData['path']['id'], query?: Types.ListWebhookDeliveriesData['query'], options?: CallOptions): Promise<Types.ListWebhookDeliveriesResponse>;
  /**
   * Get a delivery with its attempts
   *
   * Needs the scope `webhooks:read`.
   */
  getWebhookDelivery(webhookId: Types.GetWebhookDeliveryData['path']['id'], deliveryId: Types.GetWebhookDeliveryData['path']['deliveryId'], options?: CallOptions): Promise<Types.GetWebhookDeliveryResponse>;
  /**
   * Send a message again
   *
   * Attempts the delivery once more, under the same `webhook-id`. A delivery that still waits gets its next attempt now; one that is over gets a single attempt. Needs the scope `webhooks:write`.
   */
  resendWebhookDelivery(webhookId: Types.ResendWebhookDeliveryData['path']['id'], deliveryId: Types.ResendWebhookDeliveryData['path']['deliveryId'], options?: CallOptions): Promise<Types.ResendWebhookDeliveryResponse>;
  /**
   * Rotate the secret of a webhook
   *
   * The answer shows the new secret. For the time of the overlap messages are signed by the old secret too, so that receivers can change theirs meanwhile. Needs the scope `webhooks:write`.
   */
  rotateWebhookSecret(webhookId: Types.RotateWebhookSecretData['path']['id'], body?: Types.RotateWebhookSecretData['body'], options?: CallOptions): Promise<Types.RotateWebhookSecretResponse>;
  /**
   * List workflow types
   *
   * Lists the workflow types that tools can start. The operator names them in the file of `HOLDFAST_WORKFLOWS_CONFIG`. A tool of type `workflow` names one in `config.workflowId`; the arguments of its calls must match `input` too. Needs the scope `agents:read`.
   */
  listWorkflowTypes(options?: CallOptions): Promise<Types.ListWorkflowTypesResponse>;
  /**
   * Get the workspace of the request, with the settings that hold for it
   *
   * The operator of the installation changes them with "holdfast workspaces"; "holdfast workspace show" prints them. Needs an API key with any scope.
   */
  getWorkspace(options?: CallOptions): Promise<Types.GetWorkspaceResponse>;
  /**
   * Get the liveness of the server
   *
   * Answers 200 while the process runs. Needs no API key.
   */
  getLiveness(options?: CallOptions): Promise<Types.GetLivenessResponse>;
  /**
   * Get the readiness of the server
   *
   * Answers 200 when the database and Temporal can be reached, which turns need, and 503 otherwise. `worker` is false while no worker runs: turns are accepted, and wait for one. `stuckWorkflows` counts those whose tasks fail again and again, in all workspaces. Needs no API key.
   */
  getReadiness(options?: CallOptions): Promise<Types.GetReadinessResponse>;
}

/** How each operation is sent, and how its answer is read. */
export const operations = {
  listAgents: { path: '/api/agents', field: 'agents', query: true, answer: 'page' },
  createAgent: { path: '/api/agents', field: 'agent', body: true },
  getAgent: { path: '/api/agents/{id}', field: 'agent' },
  updateAgent: { path: '/api/agents/{id}', field: 'agent', method: 'PATCH', body: true },
  deleteAgent: { path: '/api/agents/{id}', method: 'DELETE', query: true },
  getAgentConfiguration: { path: '/api/agents/{id}/configuration', field: 'configuration', query: true },
  listAttachedConnectors: { path: '/api/agents/{id}/connectors', field: 'connectors' },
  attachConnector: { path: '/api/agents/{id}/connectors', field: 'connector', body: true },
  detachConnector: { path: '/api/agents/{id}/connectors/{connectorId}', method: 'DELETE' },
  provisionAgent: { path: '/api/agents/{id}/provision', body: true, answer: 'data' },
  getRecommendedTools: { path: '/api/agents/{id}/recommended-tools', query: true, answer: 'data' },
  listAgentTools: { path: '/api/agents/{id}/tools', field: 'tools' },
  addAgentTool: { path: '/api/agents/{id}/tools', body: true, answer: 'data' },
  addAgentTools: { path: '/api/agents/{id}/tools/batch', body: true, answer: 'data' },
  getAgentTool: { path: '/api/agents/{id}/tools/{toolId}', answer: 'data' },
  changeAgentTool: { path: '/api/agents/{id}/tools/{toolId}', method: 'PATCH', body: true, answer: 'data' },
  removeAgentTool: { path: '/api/agents/{id}/tools/{toolId}', field: 'agent', method: 'DELETE' },
  acceptAgentTool: { path: '/api/agents/{id}/tools/{toolId}/accept', body: true, answer: 'data' },
  listAgentVersions: { path: '/api/agents/{id}/versions', field: 'versions', query: true, answer: 'page' },
  getAgentVersion: { path: '/api/agents/{id}/versions/{version}', field: 'version' },
  getModelAnalytics: { path: '/api/analytics/models', query: true, answer: 'data' },
  getToolAnalytics: { path: '/api/analytics/tools', query: true, answer: 'data' },
  getTurnAnalytics: { path: '/api/analytics/turns', query: true, answer: 'data' },
  listApiKeys: { path: '/api/api-keys', field: 'apiKeys', query: true, answer: 'page' },
  createApiKey: { path: '/api/api-keys', body: true, answer: 'data' },
  revokeApiKey: { path: '/api/api-keys/{id}', field: 'apiKey', method: 'DELETE' },
  listApprovalGrants: { path: '/api/approval-grants', field: 'approvalGrants', query: true, answer: 'page' },
  revokeApprovalGrant: { path: '/api/approval-grants/{id}', field: 'approvalGrant', method: 'DELETE', query: true },
  listAuditEvents: { path: '/api/audit-events', field: 'auditEvents', query: true, answer: 'page' },
  verifyAuditEvents: { path: '/api/audit-events/verification', field: 'verification' },
  getBlob: { path: '/api/blobs/{id}', answer: 'blob' },
  listBudgets: { path: '/api/budgets', field: 'budgets', query: true, answer: 'page' },
  createBudget: { path: '/api/budgets', field: 'budget', body: true },
  getBudget: { path: '/api/budgets/{id}', field: 'budget' },
  updateBudget: { path: '/api/budgets/{id}', field: 'budget', method: 'PATCH', body: true },
  deleteBudget: { path: '/api/budgets/{id}', method: 'DELETE' },
  listBudgetShares: { path: '/api/budgets/{id}/shares', field: 'shares', query: true, answer: 'page' },
  streamChanges: { path: '/api/changes', query: true, answer: 'blob' },
  listConnections: { path: '/api/connections', field: 'connections', query: true, answer: 'page' },
  createConnection: { path: '/api/connections', field: 'connection', body: true },
  getConnection: { path: '/api/connections/{id}', field: 'connection' },
  updateConnection: { path: '/api/connections/{id}', field: 'connection', method: 'PATCH', body: true },
  deleteConnection: { path: '/api/connections/{id}', method: 'DELETE' },
  authorizeConnection: { path: '/api/connections/{id}/authorize', field: 'url', query: true },
  listConnectionTools: { path: '/api/connections/{id}/mcp-tools', answer: 'data' },
  testConnection: { path: '/api/connections/{id}/test', field: 'test', method: 'POST' },
  listConnectors: { path: '/api/connectors', field: 'connectors', query: true, answer: 'page' },
  createConnector: { path: '/api/connectors', field: 'connector', body: true },
  getConnector: { path: '/api/connectors/{id}', field: 'connector' },
  deleteConnector: { path: '/api/connectors/{id}', method: 'DELETE' },
  listConversations: { path: '/api/conversations', field: 'conversations', query: true, answer: 'page' },
  createConversation: { path: '/api/conversations', field: 'conversation', body: true },
  getConversation: { path: '/api/conversations/{id}', field: 'conversation' },
  updateConversation: { path: '/api/conversations/{id}', field: 'conversation', method: 'PATCH', body: true },
  deleteConversation: { path: '/api/conversations/{id}', method: 'DELETE' },
  compareConversations: { path: '/api/conversations/{id}/compare', query: true, answer: 'data' },
  getConversationContext: { path: '/api/conversations/{id}/context', field: 'context' },
  streamConversationEvents: { path: '/api/conversations/{id}/events', field: 'events', query: true, answer: 'page' },
  forkConversation: { path: '/api/conversations/{id}/fork', body: true, keyed: true, answer: 'data' },
  listMessages: { path: '/api/conversations/{id}/messages', field: 'messages', query: true, answer: 'page' },
  listTurns: { path: '/api/conversations/{id}/turns', field: 'turns', query: true, answer: 'page' },
  createTurn: { path: '/api/conversations/{id}/turns', field: 'turn', body: true, query: true, keyed: true },
  listFiles: { path: '/api/files', field: 'files', query: true, answer: 'page' },
  createFile: { path: '/api/files', field: 'file', body: true, keyed: true },
  getFile: { path: '/api/files/{id}', field: 'file' },
  deleteFile: { path: '/api/files/{id}', method: 'DELETE' },
  getFileContent: { path: '/api/files/{id}/content', answer: 'blob' },
  listFunctions: { path: '/api/functions', field: 'functions' },
  getApiLiveness: { path: '/api/health/live', field: 'status', repeatable: false },
  getApiReadiness: { path: '/api/health/ready', repeatable: false, answer: 'data' },
  listInbox: { path: '/api/inbox', field: 'messages', query: true, answer: 'page' },
  getInboxMessage: { path: '/api/inbox/{id}', field: 'message' },
  updateInboxMessage: { path: '/api/inbox/{id}', field: 'message', method: 'PATCH', body: true },
  listKnowledgeBases: { path: '/api/knowledge-bases', field: 'knowledgeBases', query: true, answer: 'page' },
  createKnowledgeBase: { path: '/api/knowledge-bases', field: 'knowledgeBase', body: true },
  getKnowledgeBase: { path: '/api/knowledge-bases/{id}', field: 'knowledgeBase' },
  updateKnowledgeBase: { path: '/api/knowledge-bases/{id}', field: 'knowledgeBase', method: 'PATCH', body: true },
  deleteKnowledgeBase: { path: '/api/knowledge-bases/{id}', method: 'DELETE' },
  listDocuments: { path: '/api/knowledge-bases/{id}/documents', field: 'documents', query: true, answer: 'page' },
  createDocument: { path: '/api/knowledge-bases/{id}/documents', field: 'document', body: true },
  getDocument: { path: '/api/knowledge-bases/{id}/documents/{documentId}', field: 'document' },
  deleteDocument: { path: '/api/knowledge-bases/{id}/documents/{documentId}', method: 'DELETE' },
  reprocessDocument: { path: '/api/knowledge-bases/{id}/documents/{documentId}/reprocess', field: 'document', method: 'POST' },
  queryKnowledgeBase: { path: '/api/knowledge-bases/{id}/query', body: true, answer: 'data' },
  steerMessage: { path: '/api/messages/{id}/steer', field: 'turn', body: true },
  withdrawMessage: { path: '/api/messages/{id}/withdraw', field: 'turn', method: 'POST' },
  listModels: { path: '/api/models', query: true, answer: 'data' },
  listPendingActions: { path: '/api/pending-actions', field: 'actions', query: true, answer: 'page' },
  getPendingAction: { path: '/api/pending-actions/{id}', field: 'action' },
  decidePendingAction: { path: '/api/pending-actions/{id}/decision', field: 'action', body: true },
  linkPendingAction: { path: '/api/pending-actions/{id}/link', body: true, answer: 'data' },
  listPeople: { path: '/api/people', field: 'people', query: true, answer: 'page' },
  getPerson: { path: '/api/people/{id}', field: 'person' },
  changePerson: { path: '/api/people/{id}', field: 'person', method: 'PATCH', body: true },
  getPrices: { path: '/api/prices', answer: 'data' },
  setPrices: { path: '/api/prices', method: 'PUT', body: true, answer: 'data' },
  listProviders: { path: '/api/providers', query: true, answer: 'data' },
  importProvider: { path: '/api/providers/import', body: true, answer: 'data' },
  getProvider: { path: '/api/providers/{name}', field: 'provider' },
  deleteProvider: { path: '/api/providers/{name}', method: 'DELETE' },
  exportRecordings: { path: '/api/recordings', query: true, answer: 'blob' },
  importRecordings: { path: '/api/recordings', method: 'POST', query: true, answer: 'data' },
  listReplays: { path: '/api/replays', field: 'replays', query: true, answer: 'page' },
  createReplay: { path: '/api/replays', field: 'replay', body: true },
  getReplay: { path: '/api/replays/{id}', field: 'replay' },
  cancelReplay: { path: '/api/replays/{id}/cancel', field: 'replay', method: 'POST' },
  listReplayCases: { path: '/api/replays/{id}/cases', field: 'cases', query: true, answer: 'page' },
  getReplayCase: { path: '/api/replays/{id}/cases/{position}', field: 'case' },
  streamReplayEvents: { path: '/api/replays/{id}/events', answer: 'blob' },
  pauseReplay: { path: '/api/replays/{id}/pause', field: 'replay', method: 'POST' },
  getReplayReport: { path: '/api/replays/{id}/report', query: true, answer: 'blob' },
  resumeReplay: { path: '/api/replays/{id}/resume', field: 'replay', method: 'POST' },
  getResourceSchema: { path: '/api/resource-schemas', field: 'schema', query: true },
  listResources: { path: '/api/resources', field: 'resources', query: true, answer: 'page' },
  createResource: { path: '/api/resources', field: 'resource', body: true, keyed: true },
  getResource: { path: '/api/resources/{id}', field: 'resource', query: true },
  updateResource: { path: '/api/resources/{id}', field: 'resource', method: 'PATCH', body: true },
  deleteResource: { path: '/api/resources/{id}', method: 'DELETE', query: true },
  restoreResource: { path: '/api/resources/{id}/restore', field: 'resource', body: true },
  listResourceVersions: { path: '/api/resources/{id}/versions', field: 'versions', query: true },
  emitRoutineEvent: { path: '/api/routine-events', field: 'id', body: true },
  listRoutineRuns: { path: '/api/routine-runs', field: 'runs', query: true, answer: 'page' },
  getRoutineRun: { path: '/api/routine-runs/{id}', field: 'run' },
  pauseRoutineRun: { path: '/api/routine-runs/{id}/pause', field: 'run', method: 'POST' },
  resumeRoutineRun: { path: '/api/routine-runs/{id}/resume', field: 'run', method: 'POST' },
  listRoutineSteps: { path: '/api/routine-runs/{id}/steps', query: true, answer: 'data' },
  stopRoutineRun: { path: '/api/routine-runs/{id}/stop', field: 'run', body: true },
  listRoutines: { path: '/api/routines', field: 'routines', query: true, answer: 'page' },
  createRoutine: { path: '/api/routines', field: 'routine', body: true },
  getRoutine: { path: '/api/routines/{id}', field: 'routine' },
  updateRoutine: { path: '/api/routines/{id}', field: 'routine', method: 'PATCH', body: true },
  deleteRoutine: { path: '/api/routines/{id}', method: 'DELETE' },
  startRoutineRun: { path: '/api/routines/{id}/runs', field: 'run', body: true, keyed: true },
  listSchedules: { path: '/api/schedules', field: 'schedules', query: true, answer: 'page' },
  createSchedule: { path: '/api/schedules', field: 'schedule', body: true },
  getSchedule: { path: '/api/schedules/{id}', field: 'schedule' },
  updateSchedule: { path: '/api/schedules/{id}', field: 'schedule', method: 'PATCH', body: true },
  deleteSchedule: { path: '/api/schedules/{id}', method: 'DELETE' },
  backfillSchedule: { path: '/api/schedules/{id}/backfill', field: 'schedule', body: true },
  pauseSchedule: { path: '/api/schedules/{id}/pause', field: 'schedule', method: 'POST' },
  resumeSchedule: { path: '/api/schedules/{id}/resume', field: 'schedule', method: 'POST' },
  runSchedule: { path: '/api/schedules/{id}/run', field: 'schedule', method: 'POST' },
  listScheduleRuns: { path: '/api/schedules/{id}/runs', field: 'runs', query: true, answer: 'page' },
  getSession: { path: '/api/session', field: 'identity' },
  openSession: { path: '/api/session', field: 'identity', body: true },
  endSession: { path: '/api/session', field: 'ended', method: 'DELETE' },
  listSkills: { path: '/api/skills', field: 'skills', query: true, answer: 'page' },
  importSkill: { path: '/api/skills', body: true, answer: 'data' },
  getSkill: { path: '/api/skills/{id}', field: 'skill' },
  deleteSkill: { path: '/api/skills/{id}', method: 'DELETE' },
  listSkillVersions: { path: '/api/skills/{id}/versions', field: 'versions', query: true, answer: 'page' },
  getSkillVersion: { path: '/api/skills/{id}/versions/{version}', field: 'version' },
  getSkillFile: { path: '/api/skills/{id}/versions/{version}/file', field: 'file', query: true },
  listSwarms: { path: '/api/swarms', field: 'swarms', query: true, answer: 'page' },
  createSwarm: { path: '/api/swarms', field: 'swarm', body: true, keyed: true },
  getSwarm: { path: '/api/swarms/{id}', field: 'swarm' },
  updateSwarm: { path: '/api/swarms/{id}', field: 'swarm', method: 'PATCH', body: true, keyed: true },
  endSwarm: { path: '/api/swarms/{id}/end', field: 'swarm', body: true },
  pauseSwarm: { path: '/api/swarms/{id}/pause', field: 'swarm', method: 'POST' },
  resumeSwarm: { path: '/api/swarms/{id}/resume', field: 'swarm', method: 'POST' },
  decodePayloads: { path: '/api/temporal/codec/decode', body: true, answer: 'json' },
  encodePayloads: { path: '/api/temporal/codec/encode', body: true, answer: 'json' },
  listTriggers: { path: '/api/triggers', field: 'triggers', query: true, answer: 'page' },
  createTrigger: { path: '/api/triggers', body: true, answer: 'data' },
  getTrigger: { path: '/api/triggers/{id}', field: 'trigger' },
  updateTrigger: { path: '/api/triggers/{id}', field: 'trigger', method: 'PATCH', body: true },
  deleteTrigger: { path: '/api/triggers/{id}', method: 'DELETE' },
  listTriggerDeliveries: { path: '/api/triggers/{id}/deliveries', field: 'deliveries', query: true, answer: 'page' },
  getTriggerDelivery: { path: '/api/triggers/{id}/deliveries/{deliveryId}', field: 'delivery' },
  retryTriggerDelivery: { path: '/api/triggers/{id}/deliveries/{deliveryId}/retry', field: 'delivery', method: 'POST' },
  rotateTriggerSecret: { path: '/api/triggers/{id}/rotate-secret', body: true, answer: 'data' },
  findTurns: { path: '/api/turns', field: 'turns', query: true, answer: 'page' },
  getTurn: { path: '/api/turns/{id}', field: 'turn' },
  cancelTurn: { path: '/api/turns/{id}/cancel', field: 'turn', method: 'POST' },
  streamTurnEvents: { path: '/api/turns/{id}/events', field: 'events', query: true, answer: 'page' },
  listModelCalls: { path: '/api/turns/{id}/model-calls', field: 'modelCalls' },
  getToolCall: { path: '/api/turns/{id}/tool-calls/{toolCallId}', field: 'toolCall' },
  getUsage: { path: '/api/usage', query: true, answer: 'data' },
  createUserToken: { path: '/api/user-tokens', body: true, answer: 'data' },
  endUserTokens: { path: '/api/user-tokens', field: 'ended', method: 'DELETE', query: true },
  endUserToken: { path: '/api/user-tokens/{id}', field: 'ended', method: 'DELETE' },
  listWebhooks: { path: '/api/webhooks', field: 'webhooks', query: true, answer: 'page' },
  createWebhook: { path: '/api/webhooks', body: true, answer: 'data' },
  getWebhook: { path: '/api/webhooks/{id}', field: 'webhook' },
  updateWebhook: { path: '/api/webhooks/{id}', field: 'webhook', method: 'PATCH', body: true },
  deleteWebhook: { path: '/api/webhooks/{id}', method: 'DELETE' },
  listWebhookDeliveries: { path: '/api/webhooks/{id}/deliveries', field: 'deliveries', query: true, answer: 'page' },
  getWebhookDelivery: { path: '/api/webhooks/{id}/deliveries/{deliveryId}', field: 'delivery' },
  resendWebhookDelivery: { path: '/api/webhooks/{id}/deliveries/{deliveryId}/resend', field: 'delivery', method: 'POST' },
  rotateWebhookSecret: { path: '/api/webhooks/{id}/rotate-secret', body: true, answer: 'data' },
  listWorkflowTypes: { path: '/api/workflow-types', field: 'workflowTypes' },
  getWorkspace: { path: '/api/workspace', field: 'workspace' },
  getLiveness: { path: '/health/live', field: 'status', repeatable: false },
  getReadiness: { path: '/health/ready', repeatable: false, answer: 'data' },
} as const;
