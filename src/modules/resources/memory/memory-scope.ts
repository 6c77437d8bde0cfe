/** For whom a memory is. */
export type MemorySubject =
  { scope: 'agent'; agentId: string } | { scope: 'user'; person: string } | { scope: 'workspace' };

/** The text by which memories of one scope are found: only callers who know it see them. */
export function toMemoryScope(subject: MemorySubject): string {
  switch (subject.scope) {
    case 'agent':
      return `agent:${subject.agentId.toLowerCase()}`;
    case 'user':
      return `user:${subject.person}`;
    case 'workspace':
      return 'workspace';
  }
}
