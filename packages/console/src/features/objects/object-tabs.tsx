import type { Cluster, ObjectDetail } from '@bey/contract'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../lib/lazy-part.ts'
import { networkEndOf } from './network-end.ts'
import { hasLogs } from './object-containers.ts'
import { YamlTab } from '../../entities/kubernetes/yaml/yaml-tab.tsx'
import { hasObjectMetrics } from './object-metrics.tsx'
import { ObjectEvents } from './object-events.tsx'
import { ObjectMetricsTab } from './object-metrics-tab.tsx'
import { ObjectOverview } from './object-overview.tsx'

/** What a part of an object's page is given. */
export interface ObjectSubject {
  cluster: Cluster
  detail: ObjectDetail
}

/** What decides which parts an object's page has. */
export interface TabFacts {
  /** As kubectl names it: `deployments.apps`. */
  resource: string
  isOwned: boolean
  isRedacted: boolean
}

/** From its address while it is being read, so that its page begins with the parts that it keeps. */
export function tabFactsOf(resource: string, detail: ObjectDetail | undefined): TabFacts {
  return detail
    ? { resource: detail.resource.resource, isOwned: detail.owners.length > 0, isRedacted: detail.isRedacted }
    : { resource, isOwned: resource === 'replicasets.apps', isRedacted: resource === 'secrets' }
}

/** A part of the page of an object. */
export interface ObjectTab {
  id: string
  label: string
  /** Which objects have it; left out: all. */
  isFor?: (facts: TabFacts) => boolean
  /** False: among the tabs only while it is open. */
  isListed?: boolean
  /** It shows a command and its state itself. */
  hasOwnFoot?: boolean
  content: (subject: ObjectSubject) => ReactNode
}

const ObjectTerminal = lazyPart(async () => ({
  default: (await import('./object-terminal.tsx')).ObjectTerminal,
}))
const ObjectPorts = lazyPart(async () => ({ default: (await import('./object-ports.tsx')).ObjectPorts }))
const ObjectNetwork = lazyPart(async () => ({
  default: (await import('./object-network.tsx')).ObjectNetwork,
}))
const ObjectLogs = lazyPart(async () => ({ default: (await import('./object-logs.tsx')).ObjectLogs }))

const NodeOverview = lazyPart(async () => ({ default: (await import('./node-overview.tsx')).NodeOverview }))

const ObjectHistory = lazyPart(async () => ({
  default: (await import('./object-history.tsx')).ObjectHistory,
}))

const ObjectActivity = lazyPart(async () => ({
  default: (await import('./object-activity.tsx')).ObjectActivity,
}))

function overview(subject: ObjectSubject) {
  if (subject.detail.resource.resource !== 'nodes') return <ObjectOverview {...subject} />
  return (
    <Suspense fallback={null}>
      <NodeOverview {...subject} />
    </Suspense>
  )
}

/** The parts of an object's page, in their order. */
export const objectTabs: readonly ObjectTab[] = [
  { id: 'overview', label: 'Overview', content: overview },
  {
    id: 'logs',
    hasOwnFoot: true,
    label: 'Logs',
    isFor: ({ resource }) => hasLogs(resource),
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectLogs {...subject} />
      </Suspense>
    ),
  },
  {
    id: 'terminal',
    hasOwnFoot: true,
    label: 'Terminal',
    isFor: ({ resource }) => resource === 'pods',
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectTerminal {...subject} />
      </Suspense>
    ),
  },
  {
    id: 'ports',
    hasOwnFoot: true,
    label: 'Ports',
    isFor: ({ resource }) => resource === 'pods' || resource === 'services',
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectPorts {...subject} />
      </Suspense>
    ),
  },
  {
    id: 'network',
    label: 'Network',
    isFor: ({ resource }) => networkEndOf(resource, '', '') !== undefined,
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectNetwork {...subject} />
      </Suspense>
    ),
  },
  {
    id: 'metrics',
    label: 'Metrics',
    isFor: ({ resource, isOwned }) => hasObjectMetrics(resource, isOwned),
    content: (subject) => <ObjectMetricsTab {...subject} />,
  },
  { id: 'events', label: 'Events', content: (subject) => <ObjectEvents {...subject} /> },
  { id: 'yaml', label: 'YAML', hasOwnFoot: true, content: (subject) => <YamlTab {...subject} /> },
  {
    id: 'history',
    label: 'History',
    // Nothing is ever kept of Secrets.
    isFor: ({ isRedacted }) => !isRedacted,
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectHistory {...subject} />
      </Suspense>
    ),
  },
  {
    id: 'activity',
    label: 'Activity',
    content: (subject) => (
      <Suspense fallback={null}>
        <ObjectActivity {...subject} />
      </Suspense>
    ),
  },
]
