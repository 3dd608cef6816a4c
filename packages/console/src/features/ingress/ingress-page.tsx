import type { ClusterState, UnreadableCluster } from '@bey/contract'
import type { ReactNode } from 'react'
import { HealthSelect } from '../../entities/health/health-select.tsx'
import { ClusterFilters, ClusterNotices, FollowClusters } from '../../entities/kubernetes/cluster-filters.tsx'
import { ResourceFreshness } from '../../entities/kubernetes/resource-list.tsx'
import type { ListLocation } from '../../lib/list-location.ts'
import { Below } from '../../ui/below.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'

/** What every list of this service answers beside its rows. */
export interface IngressAnswer {
  total: number
  page: number
  limit: number
  totals: { hosts: number; certificates: number; loadBalancers: number; gateways: number }
  refused: readonly { cluster: string; what: string; reason: string }[]
  clusters: readonly ClusterState[]
  unreadable: readonly UnreadableCluster[]
  namespaces: readonly string[]
  asOf: string
  isLive: boolean
  noAnswerSince: string | null
}

const tabs = [
  { href: '/networking/ingress', label: 'Hosts', count: 'hosts' },
  { href: '/networking/ingress/certificates', label: 'Certificates', count: 'certificates' },
  { href: '/networking/ingress/load-balancers', label: 'Load balancers', count: 'loadBalancers' },
  { href: '/networking/ingress/gateways', label: 'Gateways', count: 'gateways' },
] as const

interface IngressPageProps {
  current: (typeof tabs)[number]['href']
  /** What the first line says; blank while it is being read. */
  summary: ReactNode
  noun: string
  /** The query that reads the rows. */
  list: {
    data: IngressAnswer | undefined
    isError: boolean
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
  listLocation: ListLocation
  /** The table. */
  children: ReactNode
}

/** Head, tabs and toolbar of the lists of hosts, certificates, load balancers and gateways. */
export function IngressPage(props: IngressPageProps) {
  const { current, summary, noun, list, listLocation, children } = props
  const { data } = list
  return (
    <>
      <PageHeader title="Ingress and certificates" description={summary}>
        <Tabs
          label="Ingress and certificates"
          tabs={tabs.map(({ href, label, count }) => ({
            href,
            label,
            isCurrent: href === current,
            ...(data && { count: data.totals[count] }),
          }))}
        />
      </PageHeader>
      <Below isReady={data !== undefined || list.isError} isOnPhoneOnly>
        <Toolbar
          pages={
            data ? (
              <>
                <ResourceFreshness page={data} />
                <Pagination {...data} onPageChange={(page) => listLocation.change({ page })} />
              </>
            ) : null
          }
        >
          <FilterInput
            label={`Filter ${noun}`}
            value={listLocation.search.q ?? ''}
            onChange={(q) => listLocation.change({ q })}
          />
          <ClusterFilters data={data} listLocation={listLocation} />
          <HealthSelect listLocation={listLocation} />
        </Toolbar>
        {data ? <FollowClusters clusters={data.clusters} /> : null}
        {children}
        {data ? (
          <ClusterNotices data={data} onRetry={() => void list.refetch()} isRetrying={list.isFetching} />
        ) : null}
        {data && data.refused.length > 0 ? (
          <div className="grid shrink-0 gap-2 border-t border-line px-(--gutter) py-2">
            {data.refused.map(({ cluster, what, reason }) => (
              <Notice key={`${cluster} ${what}`} tone="warn" title={`${what} of ${cluster} may not be read`}>
                What depends on them is not known. {reason}
              </Notice>
            ))}
          </div>
        ) : null}
      </Below>
    </>
  )
}
