/** Names of the custom search attributes on every turn's workflow; all of type Keyword. */
export const searchAttributeNames = {
  workspace: 'HoldfastWorkspace',
  agent: 'HoldfastAgent',
  conversation: 'HoldfastConversation',
  outcome: 'HoldfastOutcome',
  agentName: 'HoldfastAgentName',
  message: 'HoldfastMessage',
  person: 'HoldfastPerson',
} as const;
