import { useQuery } from '@tanstack/react-query';
import type { NewFunctionTool } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { connectionsQuery, knowledgeBasesQuery } from './queries.ts';

type Config = NonNullable<NewFunctionTool['config']>;

/** What built-in functions have to be told. */
const needs: Readonly<Record<string, readonly ('connectionId' | 'knowledgeBaseId' | 'model')[]>> = {
  http_request: ['connectionId'],
  web_search: ['connectionId'],
  file_search: ['knowledgeBaseId'],
  generate_image: ['model', 'connectionId'],
};

interface FunctionConfigProps {
  tool: NewFunctionTool;
  change: (tool: NewFunctionTool) => void;
}

/** The connection, the knowledge base or the model that a built-in function works with. */
export function FunctionConfig({ tool, change }: FunctionConfigProps) {
  const may = useMay();
  const wanted = needs[tool.config?.functionName ?? ''] ?? [];
  const connections = useQuery({
    ...connectionsQuery,
    enabled: wanted.includes('connectionId') && may('connections:read'),
  });
  const bases = useQuery({
    ...knowledgeBasesQuery,
    enabled: wanted.includes('knowledgeBaseId') && may('knowledge:read'),
  });
  const { connectionId, knowledgeBaseId, model } = tool.config ?? {};
  const set = (part: Config) => change({ ...tool, config: withoutEmpty({ ...tool.config, ...part }) });
  return (
    <>
      {wanted.includes('connectionId') && (
        <NamedChoice
          label="Connection"
          value={connectionId ?? ''}
          onChange={(id) => set({ connectionId: id })}
          names={may('connections:read') ? toNames(connections.data) : undefined}
          none="None"
        />
      )}
      {wanted.includes('knowledgeBaseId') && (
        <NamedChoice
          label="Knowledge base"
          value={knowledgeBaseId ?? ''}
          onChange={(id) => set({ knowledgeBaseId: id })}
          names={may('knowledge:read') ? toNames(bases.data) : undefined}
        />
      )}
      {wanted.includes('model') && (
        <Field
          label="Model of images"
          hint="Such as openai/gpt-image-1"
          value={model ?? ''}
          onChange={(name) => set({ model: name })}
        />
      )}
    </>
  );
}

const toNames = (items: readonly { id: string; name: string }[] = []) =>
  new Map(items.map(({ id, name }) => [id, name]));

const withoutEmpty = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''));
