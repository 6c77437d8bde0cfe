import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { KnowledgeBase } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { AgentsUsing } from '../../live/agents-using.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChangeBaseButton } from './base-form.tsx';
import { DocumentDialog } from './document-dialog.tsx';
import { DocumentsView } from './documents-view.tsx';
import { baseQuery } from './queries.ts';
import { baseViews, parseBaseSearch } from './search.ts';
import { SearchView } from './search-view.tsx';

const viewNames = { documents: 'Documents', search: 'Search' };

/** One knowledge base: its documents, and what a search in them finds. */
export function Page() {
  const baseId = useParameter('baseId');
  const { view, document, query = '' } = useSearchOf(parseBaseSearch);
  const { data: base, error } = useQuery(baseQuery(baseId));
  const canWrite = useMay()('knowledge:write');
  return (
    <Frame
      title={base?.name ?? 'Knowledge base'}
      fills
      meta={base && <Meta base={base} />}
      actions={base && canWrite ? <Actions base={base} /> : undefined}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={baseViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {base && view === 'documents' && <DocumentsView baseId={base.id} />}
      {base && view === 'search' && <SearchView key={query} baseId={base.id} query={query} />}
      {base && document !== undefined && <DocumentDialog baseId={base.id} documentId={document} />}
    </Frame>
  );
}

function Meta({ base }: { base: KnowledgeBase }) {
  const { description, documentCount, language, embeddingModel } = base;
  return (
    <>
      {description !== '' && <span>{description}</span>}
      <span>
        {formatCount(documentCount)} {documentCount === 1 ? 'document' : 'documents'}
      </span>
      <span>{language}</span>
      <span>searched by {embeddingModel === null ? 'words' : `words and ${embeddingModel}`}</span>
    </>
  );
}

function Actions({ base: { id, name, documentCount }, base }: { base: KnowledgeBase }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => holdfast.knowledgeBases.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/knowledge' });
      await forgetDeleted(id, ['knowledge-bases']);
    },
  });
  return (
    <>
      <ChangeBaseButton base={base} />
      <ConfirmButton
        title={`Delete ${name}?`}
        text={
          <>
            {documentCount === 0
              ? 'It has no documents.'
              : `Its documents (${formatCount(documentCount)}) are deleted too.`}{' '}
            Tools that search it fail from then on.
            <AgentsUsing id={id} />
          </>
        }
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
      <Problem error={remove.error} />
    </>
  );
}
