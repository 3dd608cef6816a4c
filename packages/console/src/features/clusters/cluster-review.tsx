import type { ClusterProvider } from '@bey/contract'
import { useOrganizationId } from '../../data/session.ts'
import { absent, formatBytes, formatCount, formatCpu } from '../../lib/format.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { CommandDetails } from '../../ui/command-details.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import type { ClusterDraft } from './cluster-form.ts'
import { newCluster, totals } from './cluster-form.ts'

export interface ClusterReviewProps {
  draft: ClusterDraft
  provider: ClusterProvider
  isValid: boolean
}

/** What is created, as it stands in the form now, and the same as one command. */
export function ClusterReview({ draft, provider, isValid }: ClusterReviewProps) {
  const organizationId = useOrganizationId()
  const sum = totals(draft)
  const create = apiCommand(
    'Create this cluster',
    'clusters.create',
    { body: newCluster(draft) },
    organizationId,
  )
  usePageCommands([create])
  return (
    <Section title="Will be created" isCard>
      <Facts
        facts={[
          { label: 'Cluster', value: <span className="font-medium break-all">{draft.title || absent}</span> },
          { label: 'Provider', value: provider.label },
          { label: 'Region', value: draft.region || absent },
          { label: 'Kubernetes', value: draft.version || absent },
          { label: 'Nodes', value: formatCount(sum.nodes, 'node') },
          { label: 'Total cores', value: formatCpu(sum.cpuCores * 1000) },
          { label: 'Total memory', value: formatBytes(sum.memoryBytes) },
        ]}
      />
      {isValid ? <CommandDetails label="Command that creates this cluster" text={create.text} /> : null}
    </Section>
  )
}
