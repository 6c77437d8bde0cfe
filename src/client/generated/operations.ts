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
   * Get an agent in its newest version
   *
   * Needs the scope `agents:read`.
   */
  getAgent(agentId: Types.GetAgentData['path']['id'], options?: CallOptions): Promise<Types.GetAgentResponse>;
  /**
   * Update an agent
   *
   * Makes a new version. Each field that is named is replaced as a whole; the other fields stay. Running turns keep their version. Needs the scope `agents:write`.
   */
  updateAgent(agentId: Types.UpdateAgentData['path']['id'], body: Types.UpdateAgentData['body'], options?: CallOptions): Promise<Types.UpdateAgentResponse>;
  /**
   * Delete an agent
   *
   * Its conversations and turns can still be read; new turns are refused. Needs the scope `agents:write`.
   */
  deleteAgent(agentId: Types.DeleteAgentData['path']['id'], options?: CallOptions): Promise<Types.DeleteAgentResponse>;
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
   * Update the operator’s settings of a tool
   *
   * Makes a new version. `effect` decides whether an interrupted call may run again. Each setting that is named is replaced; null resets it to its default. Needs the scope `agents:write`.
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
   * List tools that an agent could use, best first
   *
   * Ranks the tools of the workspace’s active connections by the words that they share with the agent’s name and instructions; `reason` names the words. `skipped` lists the connections that did not answer in time. Needs the scope `agents:read`.
   */
  getRecommendedTools(agentId: Types.GetRecommendedToolsData['path']['id'], query?: Types.GetRecommendedToolsData['query'], options?: CallOptions): Promise<Types.GetRecommendedToolsResponse>;
  /**
   * List the connectors that are attached to an agent
   *
   * Needs the scope `agents:read`.
   */
  listAttachedConnectors(agentId: Types.ListAttachedConnectorsData['path']['id'], options?: CallOptions): Promise<Types.ListAttachedConnectorsResponse>;
  /**
   * Attach a connector to an agent
   *
   * The agent gets the connector’s tools when it is provisioned next. Needs the scope `agents:write`.
   */
  attachConnector(agentId: Types.AttachConnectorData['path']['id'], body: Types.AttachConnectorData['body'], options?: CallOptions): Promise<Types.AttachConnectorResponse>;
  /**
   * Detach a connector from an agent
   *
   * The agent loses the connector’s tools when it is provisioned next. Needs the scope `agents:write`.
   */
  detachConnector(agentId: Types.DetachConnectorData['path']['id'], connectorId: Types.DetachConnectorData['path']['connectorId'], options?: CallOptions): Promise<Types.DetachConnectorResponse>;
  /**
   * Provision an agent with the tools of its connectors
   *
   * Asks each attached connector’s server for the tools that the connector names, and makes a new version with them, which the agent’s next turn uses. Tools of connectors that are no longer attached are removed; other tools of the agent, and the settings of tools that stay, remain. The allowlist, policies, canary tokens and `config` are replaced where the body names them. Needs the scope `agents:write`.
   */
  provisionAgent(agentId: Types.ProvisionAgentData['path']['id'], body?: Types.ProvisionAgentData['body'], options?: CallOptions): Promise<Types.ProvisionAgentResponse>;
  /**
   * Get the configuration of an agent
   *
   * Of the newest version, or of `version`. Auth and canary tokens are masked. Needs the scope `agents:read`.
   */
  getAgentConfiguration(agentId: Types.GetAgentConfigurationData['path']['id'], query?: Types.GetAgentConfigurationData['query'], options?: CallOptions): Promise<Types.GetAgentConfigurationResponse>;
  /**
   * List connections, newest first
   *
   * Needs the scope `connections:read`.
   */
  listConnections(query?: Types.ListConnectionsData['query'], options?: CallOptions): Promise<Types.ListConnectionsResponse>;
  /**
   * Store credentials for a provider or an MCP server
   *
   * Credentials are sealed before they are stored and never answered but masked. A connection with `oauth2_authorization_code` is `expired` until it was authorized in a browser. Needs the scope `connections:write`.
   */
  createConnection(body: Types.CreateConnectionData['body'], options?: CallOptions): Promise<Types.CreateConnectionResponse>;
  /**
   * Get a connection, its credentials masked
   *
   * Needs the scope `connections:read`.
   */
  getConnection(connectionId: Types.GetConnectionData['path']['id'], options?: CallOptions): Promise<Types.GetConnectionResponse>;
  /**
   * Change a connection
   *
   * New `auth` replaces the whole of the old and makes the connection `active` again. An endpoint at another origin needs new `auth` with it. `"status": "revoked"` forgets the credentials. Needs the scope `connections:write`.
   */
  updateConnection(connectionId: Types.UpdateConnectionData['path']['id'], body: Types.UpdateConnectionData['body'], options?: CallOptions): Promise<Types.UpdateConnectionResponse>;
  /**
   * Delete a connection and its credentials
   *
   * Tools that go over it are refused from then on. Needs the scope `connections:write`.
   */
  deleteConnection(connectionId: Types.DeleteConnectionData['path']['id'], options?: CallOptions): Promise<Types.DeleteConnectionResponse>;
  /**
   * Begin to authorize a connection in a browser
   *
   * For auth of type `oauth2_authorization_code`. The address is good once, for 10 minutes; afterwards the browser comes back to `/api/oauth/callback`, and the connection is `active`. Needs the scope `connections:write`.
   */
  authorizeConnection(connectionId: Types.AuthorizeConnectionData['path']['id'], query?: Types.AuthorizeConnectionData['query'], options?: CallOptions): Promise<Types.AuthorizeConnectionResponse>;
  /**
   * Call the other side to see whether a connection works
   *
   * What the other side answers is in `test`; it is no error when it says no. Needs the scope `connections:write`.
   */
  testConnection(connectionId: Types.TestConnectionData['path']['id'], options?: CallOptions): Promise<Types.TestConnectionResponse>;
  /**
   * List connectors, newest first
   *
   * Needs the scope `connections:read`.
   */
  listConnectors(query?: Types.ListConnectorsData['query'], options?: CallOptions): Promise<Types.ListConnectorsResponse>;
  /**
   * Register an MCP server and the tools of it that agents may be given
   *
   * Its credentials are kept in a connection of its own. A tool leads to one connector only: naming one that another connector has is a conflict. `auth` is answered masked. Needs the scope `connections:write`.
   */
  createConnector(body: Types.CreateConnectorData['body'], options?: CallOptions): Promise<Types.CreateConnectorResponse>;
  /**
   * Get a connector, its auth masked
   *
   * Needs the scope `connections:read`.
   */
  getConnector(connectorId: Types.GetConnectorData['path']['id'], options?: CallOptions): Promise<Types.GetConnectorResponse>;
  /**
   * Take a connector out of use, and forget its credentials
   *
   * Agents lose its tools when they are provisioned again; until then calls of them are refused. Needs the scope `connections:write`.
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
   * Needs the scope `conversations:write`.
   */
  createConversation(body: Types.CreateConversationData['body'], options?: CallOptions): Promise<Types.CreateConversationResponse>;
  /**
   * Get a conversation
   *
   * Needs the scope `conversations:read`.
   */
  getConversation(conversationId: Types.GetConversationData['path']['id'], options?: CallOptions): Promise<Types.GetConversationResponse>;
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
   * Sends a message to the agent of a conversation. Answers 202 once the turn is stored; a stored turn is not lost. With `wait=true` it answers 200 once the turn is over, or 202 when the turn is not over at its deadline. The answer to a repeated request has the header `Idempotent-Replayed: true`. Needs the scope `conversations:write`.
   */
  createTurn(conversationId: Types.CreateTurnData['path']['id'], body: Types.CreateTurnData['body'], query?: Types.CreateTurnData['query'], options?: CallOptions): Promise<Types.CreateTurnResponse>;
  /**
   * Get a turn with its tool calls
   *
   * Needs the scope `conversations:read`.
   */
  getTurn(turnId: Types.GetTurnData['path']['id'], options?: CallOptions): Promise<Types.GetTurnResponse>;
  /**
   * Cancel a turn
   *
   * Answers 202 while the turn still has to stop; its outcome comes with `turn.settled`. Answers 200 when the turn is over, because it was still queued or had ended before. Needs the scope `conversations:write`.
   */
  cancelTurn(turnId: Types.CancelTurnData['path']['id'], options?: CallOptions): Promise<Types.CancelTurnResponse>;
  /**
   * List the events of a conversation, as a stream or a page
   *
   * Answers with server-sent events: first those that are stored, then new ones, in the same order for every reader. Each frame has an `id`; a client that sends it as `Last-Event-ID` goes on after that frame. Besides the stored events there are `text.delta` with a piece of text, and `stream.reset` when the pieces of an iteration are void; the final text is in `message.created`. With `Accept: application/json` the answer is a page of stored events. Needs the scope `conversations:read`.
   */
  streamConversationEvents(conversationId: Types.StreamConversationEventsData['path']['id'], query?: Types.StreamConversationEventsData['query'], options?: CallOptions): Promise<Types.StreamConversationEventsResponse>;
  /**
   * List the events of a turn, as a stream or a page
   *
   * Answers with server-sent events: first those that are stored, then new ones, in the same order for every reader. Each frame has an `id`; a client that sends it as `Last-Event-ID` goes on after that frame. Besides the stored events there are `text.delta` with a piece of text, and `stream.reset` when the pieces of an iteration are void; the final text is in `message.created`. With `Accept: application/json` the answer is a page of stored events. The stream ends after `turn.settled`; a client that has that event gets 204. Needs the scope `conversations:read`.
   */
  streamTurnEvents(turnId: Types.StreamTurnEventsData['path']['id'], query?: Types.StreamTurnEventsData['query'], options?: CallOptions): Promise<Types.StreamTurnEventsResponse>;
  /**
   * List the functions that tools can lead to
   *
   * The built-in ones, and those that the operator of this server has defined. Needs the scope `agents:read`.
   */
  listFunctions(options?: CallOptions): Promise<Types.ListFunctionsResponse>;
  /**
   * List audit events, newest first
   *
   * The log is append-only; each event holds a hash over itself and the hash before it. `npx holdfast audit verify` computes them again. Needs the scope `audit:read`.
   */
  listAuditEvents(query?: Types.ListAuditEventsData['query'], options?: CallOptions): Promise<Types.ListAuditEventsResponse>;
  /**
   * Get figures of tool calls
   *
   * How often tools were called, how that ended, and how long it took. The groups with the most calls first. Needs the scope `analytics:read`.
   */
  getToolAnalytics(query?: Types.GetToolAnalyticsData['query'], options?: CallOptions): Promise<Types.GetToolAnalyticsResponse>;
  /**
   * List the providers of the catalogue
   *
   * `search` finds words in names, titles, descriptions and operations. Needs the scope `connections:read`.
   */
  listProviders(query?: Types.ListProvidersData['query'], options?: CallOptions): Promise<Types.ListProvidersResponse>;
  /**
   * Get a provider with its operations and what a connection to it needs
   *
   * Needs the scope `connections:read`.
   */
  getProvider(name: Types.GetProviderData['path']['name'], options?: CallOptions): Promise<Types.GetProviderResponse>;
  /**
   * List knowledge bases, newest first
   *
   * Needs the scope `knowledge:read`.
   */
  listKnowledgeBases(query?: Types.ListKnowledgeBasesData['query'], options?: CallOptions): Promise<Types.ListKnowledgeBasesResponse>;
  /**
   * Make a knowledge base
   *
   * Searched by words always, and by meaning too when it has an embedding model. Needs the scope `knowledge:write`.
   */
  createKnowledgeBase(body: Types.CreateKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.CreateKnowledgeBaseResponse>;
  /**
   * Get a knowledge base
   *
   * Needs the scope `knowledge:read`.
   */
  getKnowledgeBase(knowledgeBaseId: Types.GetKnowledgeBaseData['path']['id'], options?: CallOptions): Promise<Types.GetKnowledgeBaseResponse>;
  /**
   * Change a knowledge base
   *
   * A new embedding model or chunking applies to documents as they are processed: until it is reprocessed, a document without embeddings of the new model is found by its words alone. Needs the scope `knowledge:write`.
   */
  updateKnowledgeBase(knowledgeBaseId: Types.UpdateKnowledgeBaseData['path']['id'], body: Types.UpdateKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.UpdateKnowledgeBaseResponse>;
  /**
   * Delete a knowledge base with its documents
   *
   * Tools that lead to it tell the model so. Needs the scope `knowledge:write`.
   */
  deleteKnowledgeBase(knowledgeBaseId: Types.DeleteKnowledgeBaseData['path']['id'], options?: CallOptions): Promise<Types.DeleteKnowledgeBaseResponse>;
  /**
   * Search a knowledge base, best results first
   *
   * Rankings by words and by meaning are merged by reciprocal rank. `notice` says when words alone were used because the query could not be embedded. Needs the scope `knowledge:read`.
   */
  queryKnowledgeBase(knowledgeBaseId: Types.QueryKnowledgeBaseData['path']['id'], body: Types.QueryKnowledgeBaseData['body'], options?: CallOptions): Promise<Types.QueryKnowledgeBaseResponse>;
  /**
   * List the documents of a knowledge base, newest first
   *
   * Needs the scope `knowledge:read`.
   */
  listDocuments(knowledgeBaseId: Types.ListDocumentsData['path']['id'], query?: Types.ListDocumentsData['query'], options?: CallOptions): Promise<Types.ListDocumentsResponse>;
  /**
   * Upload a document
   *
   * A file of at most 32 MiB as `multipart/form-data` in the field `file`, or a small text as JSON: text, Markdown, HTML, PDF or DOCX. It is processed in the background; `status` and `progress` of the document say how far it is. Needs the scope `knowledge:write`.
   */
  createDocument(knowledgeBaseId: Types.CreateDocumentData['path']['id'], body: Types.CreateDocumentData['body'], options?: CallOptions): Promise<Types.CreateDocumentResponse>;
  /**
   * Get a document, and how far it is processed
   *
   * Needs the scope `knowledge:read`.
   */
  getDocument(knowledgeBaseId: Types.GetDocumentData['path']['id'], documentId: Types.GetDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.GetDocumentResponse>;
  /**
   * Delete a document
   *
   * Also while it is processed. Needs the scope `knowledge:write`.
   */
  deleteDocument(knowledgeBaseId: Types.DeleteDocumentData['path']['id'], documentId: Types.DeleteDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.DeleteDocumentResponse>;
  /**
   * Process a document again
   *
   * With the chunking and the embedding model that its knowledge base has now. What is found of it stays until the new processing is done, and also when that fails. Needs the scope `knowledge:write`.
   */
  reprocessDocument(knowledgeBaseId: Types.ReprocessDocumentData['path']['id'], documentId: Types.ReprocessDocumentData['path']['documentId'], options?: CallOptions): Promise<Types.ReprocessDocumentResponse>;
  /**
   * List the tools that a connection offers
   *
   * Those of a catalogue provider, or those that an MCP server names when it is asked now. Needs the scope `connections:read`.
   */
  listConnectionTools(connectionId: Types.ListConnectionToolsData['path']['id'], options?: CallOptions): Promise<Types.ListConnectionToolsResponse>;
  /**
   * Get a stored file
   *
   * The bytes of a binary part of a tool result (`blobId` in the `content` of a tool call), in the media type that their server named. They come from strangers: a browser saves them, and runs nothing in them. Needs the scope `conversations:read`.
   */
  getBlob(blobId: Types.GetBlobData['path']['id'], options?: CallOptions): Promise<Types.GetBlobResponse>;
  /**
   * List API keys, newest first
   *
   * Needs the scope `api_keys:write`.
   */
  listApiKeys(query?: Types.ListApiKeysData['query'], options?: CallOptions): Promise<Types.ListApiKeysResponse>;
  /**
   * Make an API key
   *
   * The answer is the only place where `key`, the key itself, is ever shown. Without `scopes` the key may do everything but manage keys and read payloads (`payloads:read`). No key can make one that may do more than itself. Needs the scope `api_keys:write`.
   */
  createApiKey(body: Types.CreateApiKeyData['body'], options?: CallOptions): Promise<Types.CreateApiKeyResponse>;
  /**
   * Make an API key useless from now on
   *
   * Needs the scope `api_keys:write`.
   */
  revokeApiKey(apiKeyId: Types.RevokeApiKeyData['path']['id'], options?: CallOptions): Promise<Types.RevokeApiKeyResponse>;
  /**
   * List the workflow types that tools can start
   *
   * The operator names them in the file of `HOLDFAST_WORKFLOWS_CONFIG`. A tool of type `workflow` names one by `config.workflowId`; its arguments are checked against `input` too. Needs the scope `agents:read`.
   */
  listWorkflowTypes(options?: CallOptions): Promise<Types.ListWorkflowTypesResponse>;
  /**
   * Decrypt payloads of Temporal
   *
   * The remote codec of the Temporal Web UI and CLI: their endpoint is this address without `/decode`. The answer has no envelope. Payloads belong to no workspace: give the scope to operators only. A payload that Holdfast has not encrypted comes back as it is. Needs the scope `payloads:read`.
   */
  decodePayloads(body: Types.DecodePayloadsData['body'], options?: CallOptions): Promise<Types.DecodePayloadsResponse>;
  /**
   * Encrypt payloads for Temporal
   *
   * The same codec the other way, for those who start or signal workflows with the CLI. Payloads come back as they are unless `HOLDFAST_ENCRYPT_PAYLOADS` is true. Needs the scope `payloads:read`.
   */
  encodePayloads(body: Types.EncodePayloadsData['body'], options?: CallOptions): Promise<Types.EncodePayloadsResponse>;
  /**
   * Whether the process runs
   *
   * Needs no API key.
   */
  getLiveness(options?: CallOptions): Promise<Types.GetLivenessResponse>;
  /**
   * Whether turns can be accepted and started
   *
   * Needs no API key.
   */
  getReadiness(options?: CallOptions): Promise<Types.GetReadinessResponse>;
  /**
   * Whether the process runs
   *
   * Needs no API key.
   */
  getApiLiveness(options?: CallOptions): Promise<Types.GetApiLivenessResponse>;
  /**
   * Whether turns can be accepted and started
   *
   * Needs no API key.
   */
  getApiReadiness(options?: CallOptions): Promise<Types.GetApiReadinessResponse>;
}

/** How each operation is sent, and how its answer is read. */
export const operations = {
  listAgents: { method: 'GET', path: '/api/agents', query: true, answer: 'page', field: 'agents' },
  createAgent: { method: 'POST', path: '/api/agents', body: true, answer: 'value', field: 'agent' },
  getAgent: { method: 'GET', path: '/api/agents/{id}', answer: 'value', field: 'agent' },
  updateAgent: { method: 'PATCH', path: '/api/agents/{id}', body: true, answer: 'value', field: 'agent' },
  deleteAgent: { method: 'DELETE', path: '/api/agents/{id}', answer: 'nothing' },
  listAgentVersions: { method: 'GET', path: '/api/agents/{id}/versions', query: true, answer: 'page', field: 'versions' },
  getAgentVersion: { method: 'GET', path: '/api/agents/{id}/versions/{version}', answer: 'value', field: 'version' },
  listAgentTools: { method: 'GET', path: '/api/agents/{id}/tools', answer: 'value', field: 'tools' },
  addAgentTool: { method: 'POST', path: '/api/agents/{id}/tools', body: true, answer: 'data' },
  addAgentTools: { method: 'POST', path: '/api/agents/{id}/tools/batch', body: true, answer: 'data' },
  getAgentTool: { method: 'GET', path: '/api/agents/{id}/tools/{toolId}', answer: 'data' },
  changeAgentTool: { method: 'PATCH', path: '/api/agents/{id}/tools/{toolId}', body: true, answer: 'data' },
  removeAgentTool: { method: 'DELETE', path: '/api/agents/{id}/tools/{toolId}', answer: 'value', field: 'agent' },
  acceptAgentTool: { method: 'POST', path: '/api/agents/{id}/tools/{toolId}/accept', body: true, answer: 'data' },
  getRecommendedTools: { method: 'GET', path: '/api/agents/{id}/recommended-tools', query: true, answer: 'data' },
  listAttachedConnectors: { method: 'GET', path: '/api/agents/{id}/connectors', answer: 'value', field: 'connectors' },
  attachConnector: { method: 'POST', path: '/api/agents/{id}/connectors', body: true, answer: 'value', field: 'connector' },
  detachConnector: { method: 'DELETE', path: '/api/agents/{id}/connectors/{connectorId}', answer: 'nothing' },
  provisionAgent: { method: 'POST', path: '/api/agents/{id}/provision', body: true, answer: 'data' },
  getAgentConfiguration: { method: 'GET', path: '/api/agents/{id}/configuration', query: true, answer: 'value', field: 'configuration' },
  listConnections: { method: 'GET', path: '/api/connections', query: true, answer: 'page', field: 'connections' },
  createConnection: { method: 'POST', path: '/api/connections', body: true, answer: 'value', field: 'connection' },
  getConnection: { method: 'GET', path: '/api/connections/{id}', answer: 'value', field: 'connection' },
  updateConnection: { method: 'PATCH', path: '/api/connections/{id}', body: true, answer: 'value', field: 'connection' },
  deleteConnection: { method: 'DELETE', path: '/api/connections/{id}', answer: 'nothing' },
  authorizeConnection: { method: 'GET', path: '/api/connections/{id}/authorize', query: true, answer: 'value', field: 'url' },
  testConnection: { method: 'POST', path: '/api/connections/{id}/test', answer: 'value', field: 'test' },
  listConnectors: { method: 'GET', path: '/api/connectors', query: true, answer: 'page', field: 'connectors' },
  createConnector: { method: 'POST', path: '/api/connectors', body: true, answer: 'value', field: 'connector' },
  getConnector: { method: 'GET', path: '/api/connectors/{id}', answer: 'value', field: 'connector' },
  deleteConnector: { method: 'DELETE', path: '/api/connectors/{id}', answer: 'nothing' },
  listConversations: { method: 'GET', path: '/api/conversations', query: true, answer: 'page', field: 'conversations' },
  createConversation: { method: 'POST', path: '/api/conversations', body: true, answer: 'value', field: 'conversation' },
  getConversation: { method: 'GET', path: '/api/conversations/{id}', answer: 'value', field: 'conversation' },
  listMessages: { method: 'GET', path: '/api/conversations/{id}/messages', query: true, answer: 'page', field: 'messages' },
  listTurns: { method: 'GET', path: '/api/conversations/{id}/turns', query: true, answer: 'page', field: 'turns' },
  createTurn: { method: 'POST', path: '/api/conversations/{id}/turns', body: true, query: true, answer: 'value', field: 'turn' },
  getTurn: { method: 'GET', path: '/api/turns/{id}', answer: 'value', field: 'turn' },
  cancelTurn: { method: 'POST', path: '/api/turns/{id}/cancel', answer: 'value', field: 'turn' },
  streamConversationEvents: { method: 'GET', path: '/api/conversations/{id}/events', query: true, answer: 'page', field: 'events' },
  streamTurnEvents: { method: 'GET', path: '/api/turns/{id}/events', query: true, answer: 'page', field: 'events' },
  listFunctions: { method: 'GET', path: '/api/functions', answer: 'value', field: 'functions' },
  listAuditEvents: { method: 'GET', path: '/api/audit-events', query: true, answer: 'page', field: 'auditEvents' },
  getToolAnalytics: { method: 'GET', path: '/api/analytics/tools', query: true, answer: 'data' },
  listProviders: { method: 'GET', path: '/api/providers', query: true, answer: 'data' },
  getProvider: { method: 'GET', path: '/api/providers/{name}', answer: 'value', field: 'provider' },
  listKnowledgeBases: { method: 'GET', path: '/api/knowledge-bases', query: true, answer: 'page', field: 'knowledgeBases' },
  createKnowledgeBase: { method: 'POST', path: '/api/knowledge-bases', body: true, answer: 'value', field: 'knowledgeBase' },
  getKnowledgeBase: { method: 'GET', path: '/api/knowledge-bases/{id}', answer: 'value', field: 'knowledgeBase' },
  updateKnowledgeBase: { method: 'PATCH', path: '/api/knowledge-bases/{id}', body: true, answer: 'value', field: 'knowledgeBase' },
  deleteKnowledgeBase: { method: 'DELETE', path: '/api/knowledge-bases/{id}', answer: 'nothing' },
  queryKnowledgeBase: { method: 'POST', path: '/api/knowledge-bases/{id}/query', body: true, answer: 'data' },
  listDocuments: { method: 'GET', path: '/api/knowledge-bases/{id}/documents', query: true, answer: 'page', field: 'documents' },
  createDocument: { method: 'POST', path: '/api/knowledge-bases/{id}/documents', body: true, answer: 'value', field: 'document' },
  getDocument: { method: 'GET', path: '/api/knowledge-bases/{id}/documents/{documentId}', answer: 'value', field: 'document' },
  deleteDocument: { method: 'DELETE', path: '/api/knowledge-bases/{id}/documents/{documentId}', answer: 'nothing' },
  reprocessDocument: { method: 'POST', path: '/api/knowledge-bases/{id}/documents/{documentId}/reprocess', answer: 'value', field: 'document' },
  listConnectionTools: { method: 'GET', path: '/api/connections/{id}/mcp-tools', answer: 'data' },
  getBlob: { method: 'GET', path: '/api/blobs/{id}', answer: 'blob' },
  listApiKeys: { method: 'GET', path: '/api/api-keys', query: true, answer: 'page', field: 'apiKeys' },
  createApiKey: { method: 'POST', path: '/api/api-keys', body: true, answer: 'data' },
  revokeApiKey: { method: 'DELETE', path: '/api/api-keys/{id}', answer: 'value', field: 'apiKey' },
  listWorkflowTypes: { method: 'GET', path: '/api/workflow-types', answer: 'value', field: 'workflowTypes' },
  decodePayloads: { method: 'POST', path: '/api/temporal/codec/decode', body: true, answer: 'json' },
  encodePayloads: { method: 'POST', path: '/api/temporal/codec/encode', body: true, answer: 'json' },
  getLiveness: { method: 'GET', path: '/health/live', answer: 'value', field: 'status' },
  getReadiness: { method: 'GET', path: '/health/ready', answer: 'value', field: 'status' },
  getApiLiveness: { method: 'GET', path: '/api/health/live', answer: 'value', field: 'status' },
  getApiReadiness: { method: 'GET', path: '/api/health/ready', answer: 'value', field: 'status' },
} as const;
