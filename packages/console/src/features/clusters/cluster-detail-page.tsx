import type { Cluster } from '@bey/contract'
import { needsAttention } from '@bey/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Download, Play, Plus, RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { silenceOf } from '../../data/cluster-silence.ts'
import { useCluster } from '../../data/clusters.ts'
import { useFollow } from '../../data/live.ts'
import { useOrganizationId } from '../../data/session.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { usePageCommands } from '../../lib/page-commands.ts'
import { usePageSilence } from '../../lib/page-silence.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import type { DetailTab } from '../../ui/detail-page.tsx'
import { laterPart } from '../../lib/later-part.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { ActionButton } from '../../entities/clusters/action-button.tsx'
import { clusterCommands } from './cluster-commands.ts'
import { ClusterMenu } from './cluster-menu.tsx'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { clusterHref, isImported, providerLabels } from '../../entities/clusters/cluster-text.ts'
import { SilenceNotice } from '../../entities/clusters/silence-notice.tsx'
import { ageText } from '../../entities/health/age-text.ts'
import { useNow } from '../../lib/now.ts'
import { EventsTab } from './events-tab.tsx'
import { NodesTab } from './nodes-tab.tsx'
import { ConfigTab, CustomTab, ServicesTab, StorageTab } from './object-tabs.tsx'
import { OverviewSkeleton, OverviewTab } from './overview-tab.tsx'
import { RestrictedNotice } from './restricted-notice.tsx'
import { RunsTab } from './runs-tab.tsx'
import { PodList } from '../../entities/kubernetes/pod-list.tsx'
import { WorkloadList } from '../../entities/kubernetes/workload-list.tsx'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'
import { sinceText } from '../../ui/time-text.ts'

const DeleteClusterDialog = lazyPart(async () => ({
  default: (await import('../../entities/clusters/delete-cluster-dialog.tsx')).DeleteClusterDialog,
}))

const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

// Tabs that few people open.
const [AccessTab] = laterPart(async () => (await import('./access-tab.tsx')).AccessTab)
const [ChangesTab] = laterPart(async () => (await import('./changes-tab.tsx')).ChangesTab)
const [ConnectionTab] = laterPart(async () => (await import('./connection-tab.tsx')).ConnectionTab)
const [FaultsTab] = laterPart(async () => (await import('./faults-tab.tsx')).FaultsTab)
const [SettingsTab] = laterPart(async () => (await import('./settings-tab.tsx')).SettingsTab)

const storageAndConfig = 'Storage & config'
const changes = 'Changes'
const settings = 'Settings'

const tabs: readonly DetailTab<Cluster>[] = [
  {
    id: 'overview',
    label: 'Overview',
    content: (cluster) => <OverviewTab cluster={cluster} />,
    skeleton: <OverviewSkeleton />,
  },
  { id: 'workloads', label: 'Workloads', content: (cluster) => <WorkloadList cluster={cluster} /> },
  { id: 'pods', label: 'Pods', content: (cluster) => <PodList cluster={cluster} /> },
  { id: 'nodes', label: 'Nodes', content: (cluster) => <NodesTab cluster={cluster} /> },
  { id: 'services', label: 'Network', content: (cluster) => <ServicesTab cluster={cluster} /> },
  {
    id: 'storage',
    group: storageAndConfig,
    label: 'Storage',
    content: (cluster) => <StorageTab cluster={cluster} />,
  },
  {
    id: 'config',
    group: storageAndConfig,
    label: 'Config',
    content: (cluster) => <ConfigTab cluster={cluster} />,
  },
  {
    id: 'custom',
    group: storageAndConfig,
    label: 'Custom resources',
    content: (cluster) => <CustomTab cluster={cluster} />,
  },
  {
    id: 'changes',
    group: changes,
    label: 'What changed',
    content: (cluster) => <ChangesTab cluster={cluster} />,
  },
  { id: 'events', group: changes, label: 'Events', content: (cluster) => <EventsTab cluster={cluster} /> },
  {
    id: 'settings',
    group: settings,
    label: 'General',
    content: (cluster) => <SettingsTab cluster={cluster} />,
  },
  { id: 'access', group: settings, label: 'Access', content: (cluster) => <AccessTab cluster={cluster} /> },
  {
    id: 'connection',
    group: settings,
    label: 'Connection',
    content: (cluster) => <ConnectionTab cluster={cluster} />,
  },
  { id: 'runs', group: settings, label: 'Runs', content: (cluster) => <RunsTab cluster={cluster} /> },
  {
    id: 'activity',
    group: settings,
    label: 'Activity',
    content: (cluster) => (
      <Suspense fallback={null}>
        <ActivityTable
          subject={{ targetType: 'cluster', targetId: String(cluster.id) }}
          empty="Changes to the cluster are listed here."
        />
      </Suspense>
    ),
  },
  { id: 'faults', group: settings, label: 'Faults', content: (cluster) => <FaultsTab cluster={cluster} /> },
]

/** Only a sandbox can be broken on purpose. */
const withoutFaults = tabs.filter(({ id }) => id !== 'faults')

/** One cluster, with its tabs. */
export function ClusterDetailPage() {
  const params: { id?: string; tab?: string } = useParams({ strict: false })
  const id = numericId(params.id)
  const query = useCluster(id)
  const { data: cluster } = query
  const isAbsent = id === undefined || isMissing(query)
  usePageTitle(isAbsent ? 'Cluster not found' : cluster?.title)
  const silence = cluster && silenceOf(cluster)
  usePageSilence(silence?.since ?? undefined)
  const organizationId = useOrganizationId()
  usePageCommands(cluster ? clusterCommands(cluster, params.tab ?? 'overview', organizationId) : [])
  useFollow(id === undefined ? undefined : { kind: 'cluster', clusterId: id })
  useFollow(cluster?.status === 'RUNNING' ? { kind: 'cluster_resources', clusterId: cluster.id } : undefined)
  return (
    <DetailPage
      noun="cluster"
      subject={cluster}
      title={cluster?.title}
      badges={badges}
      subtitle={(shown) => <Subtitle cluster={shown} />}
      actions={(shown) => <HeadActions cluster={shown} />}
      isStale={silence !== undefined}
      notice={(shown) => (
        <>
          <SilenceNotice cluster={shown} />
          {isImported(shown) ? <RestrictedNotice cluster={shown} /> : null}
        </>
      )}
      tabs={cluster === undefined || cluster.provider === 'sandbox' ? tabs : withoutFaults}
      tab={params.tab}
      tabHref={(tab) => clusterHref(id ?? 0, tab)}
      missing={
        isAbsent && {
          title: `There is no cluster ${params.id ?? ''} in this organization`,
          action: <ButtonLink href="/kubernetes/clusters">All clusters</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch cluster', query)}
    />
  )
}

function badges(cluster: Cluster) {
  return (
    <>
      <ClusterStatus cluster={cluster} variant="badge" isShort />
      <Badge>{providerLabels[cluster.provider]}</Badge>
      {cluster.isVerified ? null : <Status status="warning" variant="badge" label="not verified" />}
    </>
  )
}

/** "4 workloads failing since 12:04 (21 min)", or where and what a cluster without trouble is: always one line. */
function Subtitle({ cluster }: { cluster: Cluster }) {
  const { status, health, region, version } = cluster
  // Of one that does not answer the badge says since when.
  const hasTrouble =
    status === 'RUNNING' && needsAttention(health) && health.since !== null && health.reason !== 'Unreachable'
  const now = new Date(useNow(hasTrouble))
  const kubernetes = version === '' ? 'Kubernetes' : `Kubernetes ${version}`
  const facts = [region, kubernetes].filter((each) => each !== '').join(' · ')
  if (!hasTrouble || health.since === null) return <>{facts}</>
  const what = health.detail ?? health.state
  const text = `${what.charAt(0).toUpperCase()}${what.slice(1)} since ${sinceText(health.since, now)} (${ageText(health.since, now)})`
  return (
    <span className="block text-text md:truncate" data-tooltip={facts}>
      {text}
    </span>
  )
}

function HeadActions({ cluster }: { cluster: Cluster }) {
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const { kubeconfig, provision, resume } = useClusterActions(cluster)
  const hasFailed = cluster.status === 'ERROR' || cluster.status === 'PENDING'
  return (
    <>
      {hasFailed ? (
        <>
          <ActionButton action={provision} icon={<RotateCw size={14} aria-hidden />}>
            {isImported(cluster) ? 'Import again' : 'Provision again'}
          </ActionButton>
          <ActionButton action={resume} variant="primary" icon={<Play size={14} aria-hidden />}>
            Resume from the failed step
          </ActionButton>
        </>
      ) : (
        <>
          <ActionButton action={kubeconfig} icon={<Download size={14} aria-hidden />}>
            Download kubeconfig
          </ActionButton>
          {cluster.status === 'RUNNING' ? (
            // On a phone it is in the menu, so that the head keeps its height.
            <ButtonLink
              href={clusterHref(cluster.id, 'create')}
              icon={<Plus size={14} aria-hidden />}
              className="max-md:hidden"
            >
              Create objects
            </ButtonLink>
          ) : null}
        </>
      )}
      <ClusterMenu cluster={cluster} onDelete={() => setDeleting(true)} />
      <Suspense fallback={null}>
        {isDeleting ? (
          <DeleteClusterDialog
            cluster={cluster}
            onClose={() => {
              setDeleting(false)
              // The overview shows the deletion as it goes.
              void navigate({ href: clusterHref(cluster.id) })
            }}
          />
        ) : null}
      </Suspense>
    </>
  )
}

function numericId(text: string | undefined): number | undefined {
  const id = Number(text)
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined
}
