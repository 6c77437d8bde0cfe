import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { ImportProviderResponse } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section, Sections } from '../../ui/section.tsx';
import { Upload } from '../../ui/upload.tsx';
import styles from './connections.module.css';
import { ImportPreview, type ImportRequest } from './import-preview.tsx';
import { McpServerDraftForm } from './mcp-server-draft-form.tsx';
import { parseImportSearch } from './search.ts';

interface Looked {
  request: ImportRequest;
  report: ImportProviderResponse;
}

/** Imports an API from its OpenAPI document, or an MCP server from its file of the MCP registry. */
export function Page() {
  const look = useMutation({
    mutationFn: async (request: ImportRequest): Promise<Looked> => ({
      request,
      report: await holdfast.providers.import({ ...request, dryRun: true }),
    }),
  });
  const { request, report } = look.data ?? {};
  return (
    <Frame title="Import an API">
      <Sections>
        <Section title="Document">
          <DocumentForm onLook={look.mutate} isPending={look.isPending} error={look.error} />
        </Section>
        {request && report?.provider && (
          <ImportPreview key={look.submittedAt} request={request} report={report} />
        )}
        {report?.mcpServer && <McpServerDraftForm key={look.submittedAt} draft={report.mcpServer} />}
      </Sections>
    </Frame>
  );
}

const sources = [
  { value: 'file', text: 'A file' },
  { value: 'text', text: 'Its text' },
  { value: 'url', text: 'Its address' },
] as const;

type Source = (typeof sources)[number]['value'];

interface DocumentFormProps {
  onLook: (request: ImportRequest) => void;
  isPending: boolean;
  error: unknown;
}

function DocumentForm({ onLook, isPending, error }: DocumentFormProps) {
  const [source, setSource] = useState<Source>('file');
  const [given, setGiven] = useState({ file: '', fileName: '', text: '', url: '' });
  const [name, setName] = useState(useSearchOf(parseImportSearch).name ?? '');
  const [baseUrl, setBaseUrl] = useState('');
  const errors = toFieldErrors(error);
  const submit = () =>
    onLook({
      ...(source === 'url' ? { url: given.url.trim() } : { document: given[source] }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    });
  return (
    <Form onSubmit={submit}>
      <p className={styles.quiet}>
        An OpenAPI document 3.0 or 3.1, or the server.json of an MCP server in the MCP registry, as JSON or
        YAML.
      </p>
      <div className={styles.narrow}>
        <Choice label="Given as" value={source} options={sources} onChange={setSource} />
        <SourceField source={source} given={given} onChange={setGiven} />
        <Field
          label="Name"
          hint="The prefix of its tools. Empty for one from the title. The name of an imported API makes its next version."
          value={name}
          onChange={setName}
          error={errors['name']}
        />
        <Field
          label="Address of the API"
          type="url"
          hint="Empty for the first server of the document."
          value={baseUrl}
          onChange={setBaseUrl}
          error={errors['baseUrl']}
        />
        <Problem error={error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={isPending} isDisabled={given[source].trim() === ''}>
            {isPending ? 'It is read …' : 'See what it has'}
          </Button>
        </Buttons>
      </div>
    </Form>
  );
}

interface Given {
  /** The text of the file. */
  file: string;
  fileName: string;
  text: string;
  url: string;
}

interface SourceFieldProps {
  source: Source;
  given: Given;
  onChange: (given: Given) => void;
}

function SourceField({ source, given, onChange }: SourceFieldProps) {
  if (source === 'text')
    return (
      <Field
        label="Text"
        rows={10}
        isCode
        value={given.text}
        onChange={(text) => onChange({ ...given, text })}
      />
    );
  if (source === 'url')
    return (
      <Field
        label="Address"
        type="url"
        placeholder="https://"
        value={given.url}
        onChange={(url) => onChange({ ...given, url })}
      />
    );
  return (
    <Upload
      label="Choose a file …"
      hint={given.fileName || 'or drop it here'}
      takesOne
      onFiles={([file]) => {
        if (file) void file.text().then((text) => onChange({ ...given, file: text, fileName: file.name }));
      }}
    />
  );
}
