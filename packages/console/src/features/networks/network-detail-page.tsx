import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Network } from '../../data/networks.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { NetworkStatus } from '../../entities/networks/network-status.tsx'
import { heldText, networkHref } from '../../entities/networks/network-text.ts'
import { useNetworkActions } from '../../entities/networks/use-network-actions.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { laterPart } from '../../lib/later-part.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage, type DetailTab } from '../../ui/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { sinceText } from '../../ui/time-text.ts'
import { AddressesTab } from './addresses-tab.tsx'
import { NetworkMenu } from './network-menu.tsx'

const DeleteNetworkDialog = lazyPart(async () => ({
  default: (await import('../../entities/networks/delete-network-dialog.tsx')).DeleteNetworkDialog,
}))
const [GroupsTab] = laterPart(async () => (await import('./groups/groups-tab.tsx')).GroupsTab)
const [PoliciesTab] = laterPart(async () => (await import('./policies-tab.tsx')).PoliciesTab)
const [SettingsTab] = laterPart(async () => (await import('./settings-tab.tsx')).SettingsTab)
const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

const tabs: readonly DetailTab<Network>[] = [
  { id: 'addresses', label: 'Addresses', content: (network) => <AddressesTab network={network} /> },
  { id: 'groups', label: 'Security groups', content: (network) => <GroupsTab network={network} /> },
  { id: 'policies', label: 'Policies', content: (network) => <PoliciesTab network={network} /> },
  {
    id: 'activity',
    label: 'Activity',
    content: ({ id }) => (
      <Suspense fallback={null}>
        <ActivityTable
          subject={{ targetType: 'network', targetId: id }}
          empty="Changes to the network are listed here."
        />
      </Suspense>
    ),
  },
  {
    id: 'settings',
    label: 'Settings',
    content: (network) => <SettingsTab key={network.version} network={network} />,
  },
]

/** One network. */
export function NetworkDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('networks.get', { params: { id } })
  const { data: network } = query
  const count = network?.policyCount ?? 0
  const shownTabs = tabs.map((tab) => (tab.id === 'policies' && count > 0 ? { ...tab, count } : tab))
  usePageTitle(isMissing(query) ? 'Network not found' : network?.name)
  usePageCommands([apiCommand('Read this network', 'networks.get', { params: { id } }, useOrganizationId())])
  return (
    <DetailPage
      noun="network"
      subject={network}
      title={network?.name}
      badges={(shown) => (
        <>
          <NetworkStatus network={shown} variant="badge" />
          <Badge>{shown.cidr}</Badge>
          {shown.cidr6 === null ? null : <Badge>{shown.cidr6}</Badge>}
          {shown.isIsolated ? <Badge>isolated</Badge> : null}
          {shown.region === '' ? null : <Badge>{shown.region}</Badge>}
        </>
      )}
      subtitle={subtitle}
      actions={(shown) => <HeadActions network={shown} />}
      notice={(shown) => <StateNotice network={shown} isOnPolicies={search.tab === 'policies'} />}
      tabs={shownTabs}
      tab={typeof search.tab === 'string' ? search.tab : undefined}
      tabHref={(tab) => networkHref(id, tab)}
      missing={
        isMissing(query) && {
          title: 'There is no such network in this organization',
          action: <ButtonLink href="/networking">All networks</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the network', query)}
    />
  )
}

/** "41 of 4,096 addresses are in use", and what it is for. */
function subtitle(network: Network): string {
  const { figures, description, status, statusSince } = network
  const held = figures === null ? undefined : `${heldText(network)} addresses are in use`
  const since =
    status === 'active' ? undefined : `${stateWords[status] ?? status} since ${sinceText(statusSince)}`
  return [held, since, description].filter(Boolean).join(' · ') || 'Its clusters are being read'
}

const stateWords: Partial<Record<Network['status'], string>> = {
  degraded: 'needs attention',
  error: 'failed',
}

/** How many policies, and files of databases, were changed past Bey. Files are read where one may be at fault. */
function useDriftCount({ id, status, driftCount, attachments }: Network): number {
  const isAsked = status === 'degraded' && attachments.some(({ kind }) => kind === 'database')
  const { data } = useRead('networks.policies', { params: { id } }, { isEnabled: isAsked })
  return driftCount + (isAsked ? (data?.databases.length ?? 0) : 0)
}

/** What has to be known first: why it failed, what drifted, or the run under way. */
function StateNotice({ network, isOnPolicies }: { network: Network; isOnPolicies: boolean }) {
  const { status, reason, lastRun } = network
  const driftCount = useDriftCount(network)
  const isUnderWay = ['pending', 'creating', 'updating', 'deleting'].includes(status)
  if (!isUnderWay && reason === null) return null
  return (
    <div className="px-(--gutter) pt-4">
      <Notice
        tone={status === 'error' ? 'danger' : isUnderWay ? 'info' : 'warn'}
        title={isUnderWay ? `It is ${status}.` : reason}
        actions={
          <>
            {driftCount > 0 && !isOnPolicies ? (
              <ButtonLink size="small" href={networkHref(network.id, 'policies')}>
                Show what differs
              </ButtonLink>
            ) : null}
            {lastRun !== null && status !== 'degraded' ? (
              <ButtonLink size="small" href={`/workflows/${lastRun.workflowId}/runs/${lastRun.runId}`}>
                Open the run
              </ButtonLink>
            ) : null}
          </>
        }
      />
    </div>
  )
}

function HeadActions({ network }: { network: Network }) {
  const { apply } = useNetworkActions(network)
  const driftCount = useDriftCount(network)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const needsApply = network.status === 'error' || network.status === 'degraded'
  return (
    <>
      {needsApply ? (
        <Button
          variant="primary"
          icon={<RotateCw size={14} aria-hidden />}
          busy={apply.isRunning}
          disabledReason={apply.disabledReason}
          onClick={apply.run}
        >
          {driftCount > 0 ? 'Put right' : 'Apply again'}
        </Button>
      ) : null}
      <NetworkMenu network={network} isOnPage onDelete={() => setDeleting(true)} />
      <Suspense fallback={null}>
        {isDeleting ? (
          <DeleteNetworkDialog
            network={network}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ href: '/networking', replace: true })}
          />
        ) : null}
      </Suspense>
    </>
  )
}
