import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../../ui/problem.tsx';
import { OfferChooser } from './offer-chooser.tsx';
import {
  toAgentOffers,
  toFunctionOffers,
  toKnowledgeOffers,
  toWorkflowOffers,
  type Offer,
} from './offers.ts';
import { allAgentsQuery, functionsQuery, knowledgeBasesQuery, workflowTypesQuery } from './queries.ts';
import type { SourceProps } from './source.ts';

/** The functions that run in the workers. */
export function FunctionsSource({ present, basket }: SourceProps) {
  const { data, error } = useQuery(functionsQuery);
  const offers = data && toFunctionOffers(data, present);
  return <Local {...{ error, offers, basket }} label="Functions" none="There are no functions." />;
}

/** The knowledge bases of the workspace. */
export function KnowledgeSource({ present, basket }: SourceProps) {
  const { data, error } = useQuery(knowledgeBasesQuery);
  const offers = data && toKnowledgeOffers(data, present);
  return (
    <Local
      {...{ error, offers, basket }}
      label="Knowledge bases"
      none={
        <>
          There is no knowledge base yet. <Link to="/knowledge">Create one in Knowledge</Link>
        </>
      }
    />
  );
}

/** The Temporal workflows of the operator. */
export function WorkflowsSource({ present, basket }: SourceProps) {
  const { data, error } = useQuery(workflowTypesQuery);
  const offers = data && toWorkflowOffers(data, present);
  return (
    <Local
      {...{ error, offers, basket }}
      label="Workflows"
      none="The operator names workflows in the file of HOLDFAST_WORKFLOWS_CONFIG; it names none."
    />
  );
}

/** The other agents of the workspace. */
export function AgentsSource({ agent, present, basket }: SourceProps) {
  const { data, error } = useQuery(allAgentsQuery);
  const others = data?.filter(({ id }) => id !== agent.id);
  const offers = others && toAgentOffers(others, present);
  return <Local {...{ error, offers, basket }} label="Agents" none="There is no other agent." />;
}

interface LocalProps extends Pick<SourceProps, 'basket'> {
  error: unknown;
  offers: Offer[] | undefined;
  label: string;
  /** Stands where there is nothing to choose. */
  none: ReactNode;
}

function Local({ error, offers, basket, label, none }: LocalProps) {
  return (
    <>
      <Problem error={error} />
      {offers && <OfferChooser label={label} offers={offers} basket={basket} none={none} />}
    </>
  );
}
