import type { Cluster } from '@bey/contract'
import { Suspense } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ContainerList } from './container-list.tsx'
import { DataEntries } from './data-entries-view.tsx'
import type { PanelPart } from './panel-parts.ts'
import { PanelTable } from './panel-table.tsx'
import { PanelValueView } from './panel-value.tsx'
import { SecretKeys } from './secret-keys.tsx'
import { ValueTree } from './value-tree.tsx'

const CronSchedule = lazyPart(async () => ({
  default: (await import('./cron-schedule.tsx')).CronSchedule,
}))

/** Whose panel it is. */
export interface PanelSubject {
  cluster: Pick<Cluster, 'id' | 'title'>
  namespace: string
  name: string
}

/** One section of an object's overview. */
export function PanelPartView({ part, subject }: { part: PanelPart; subject: PanelSubject }) {
  const { id: clusterId } = subject.cluster
  switch (part.type) {
    case 'facts':
      return (
        <Section title={part.title} isCard={part.isAside ?? false}>
          <Facts
            facts={part.facts.map(({ label, value }) => ({
              label,
              value: <PanelValueView value={value} clusterId={clusterId} />,
            }))}
          />
        </Section>
      )
    case 'table':
      return <PanelTable part={part} clusterId={clusterId} />
    case 'sentences':
      return (
        <Section title={part.title}>
          <ul className="grid gap-1.5">
            {part.lines.map((line) => (
              <li key={line} className="break-words">
                {line}
              </li>
            ))}
          </ul>
        </Section>
      )
    case 'containers':
      return <ContainerList title={part.title} containers={part.containers} />
    case 'data':
      return <DataEntries title={part.title} entries={part.entries} objectName={subject.name} />
    case 'secret':
      return <SecretKeys title={part.title} keys={part.keys} subject={subject} />
    case 'schedule':
      return (
        <Section title={part.title}>
          <Suspense fallback={<Skeleton className="h-16" />}>
            <CronSchedule {...part} />
          </Suspense>
        </Section>
      )
    case 'values':
      return (
        <Section title={part.title}>
          <ValueTree value={part.value} />
        </Section>
      )
  }
}
