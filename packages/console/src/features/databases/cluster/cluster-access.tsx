import type { DatabaseCluster } from '@bey/contract'
import { clusterServices, portForwardCommand } from '@bey/contract'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'

/** The services by which programs inside the cluster reach a database. */
export function ClusterServices({ cluster }: { cluster: DatabaseCluster }) {
  const { write, readOnly, any } = clusterServices(cluster)
  const name = (text: string) => (
    <code className="text-small break-all" title={text}>
      {text}
    </code>
  )
  return (
    <Section title="Inside the cluster" isCard>
      <Facts
        facts={[
          { label: 'Read and write', value: name(write) },
          { label: 'Replicas only', value: name(readOnly) },
          { label: 'Any instance', value: name(any) },
        ]}
      />
      <p className="mt-3 text-small text-text-3">
        Connection strings name the first, which always leads to the primary.
      </p>
    </Section>
  )
}

/** The command that leads to a database from where the API of its cluster alone can be reached. */
export function PortForward({ cluster }: { cluster: DatabaseCluster }) {
  return (
    <Section title="From elsewhere">
      <CodeBlock label="Command of a port-forward" text={portForwardCommand(cluster)} />
      <p className="mt-2 text-small text-text-3">
        While it runs, the database is at localhost:5432. Bey itself takes the same way.
      </p>
    </Section>
  )
}
