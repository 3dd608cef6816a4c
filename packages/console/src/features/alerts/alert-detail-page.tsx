import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Bell, BellOff, Hand } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type AlertDetail, alertRefreshMs } from '../../data/alerts.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { alertHref, groupTexts, stateSentence } from '../../entities/alerts/alert-text.ts'
import { DeleteAlertDialog } from '../../entities/alerts/delete-alert-dialog.tsx'
import { SilenceDialog } from '../../entities/alerts/silence-dialog.tsx'
import { useAlertActions } from '../../entities/alerts/use-alert-actions.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage, type DetailTab } from '../../ui/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { AlertMenu } from './alert-menu.tsx'
import { HistoryTab } from './history-tab.tsx'
import { RuleTab } from './rule-tab.tsx'
import { SeriesTab } from './series-tab.tsx'

const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

const tabs: readonly DetailTab<AlertDetail>[] = [
  { id: 'history', label: 'History', content: (alert) => <HistoryTab alert={alert} /> },
  { id: 'series', label: 'Series', content: (alert) => <SeriesTab alert={alert} /> },
  { id: 'rule', label: 'Rule', content: (alert) => <RuleTab key={alert.version} alert={alert} /> },
  {
    id: 'activity',
    label: 'Activity',
    content: ({ id }) => (
      <Suspense fallback={null}>
        <ActivityTable
          subject={{ targetType: 'alert', targetId: id }}
          empty="Changes to the alert are listed here."
        />
      </Suspense>
    ),
  },
]

/** One alert: how it is, when it fired, and how often it would have with another limit. */
export function AlertDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('alerts.get', { params: { id } }, { refreshMs: alertRefreshMs })
  const { data: alert } = query
  const shownTabs = tabs.map((tab) =>
    tab.id === 'series' && alert ? { ...tab, count: alert.seriesCount } : tab,
  )
  usePageTitle(isMissing(query) ? 'Alert not found' : alert?.name)
  usePageCommands([apiCommand('Read this alert', 'alerts.get', { params: { id } }, useOrganizationId())])
  return (
    <DetailPage
      noun="alert"
      subject={alert}
      title={alert?.name}
      badges={(shown) => (
        <>
          <Status status={shown.state} variant="badge" />
          <Badge>{shown.severity}</Badge>
          {shown.group === 'silenced' ? <Badge>{groupTexts.silenced.toLowerCase()}</Badge> : null}
        </>
      )}
      subtitle={stateSentence}
      actions={(shown) => <HeadActions alert={shown} />}
      notice={(shown) => <StateNotice alert={shown} />}
      tabs={shownTabs}
      tab={typeof search.tab === 'string' ? search.tab : undefined}
      tabHref={(tab) => alertHref(id, tab)}
      missing={
        isMissing(query) && {
          title: 'There is no such alert in this organization',
          action: <ButtonLink href="/analytics/alerts">All alerts</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the alert', query)}
    />
  )
}

/** What has to be known first: what to do, that nobody is notified, or that nothing was evaluated for a while. */
function StateNotice({ alert }: { alert: AlertDetail }) {
  const { state, description, silence, gap, owner, audience } = alert
  const [openedAt] = useState(() => Date.now())
  const isGapNew = gap !== null && openedAt - Date.parse(gap.to) < 24 * 3_600_000
  return (
    <div className="flex flex-col gap-2 px-(--gutter) pt-4 empty:hidden">
      {state === 'firing' && description !== '' ? (
        <Notice tone="danger" title="What to do">
          {description}
        </Notice>
      ) : null}
      {silence ? (
        <Notice tone="info" title={`Silenced until ${momentText(silence.until)} by ${silence.by.name}`}>
          {silence.reason}
        </Notice>
      ) : null}
      {isGapNew && gap ? (
        <Notice tone="warn" title={`Not evaluated from ${momentText(gap.from)} to ${momentText(gap.to)}`} />
      ) : null}
      {owner === null && audience === 'owner' ? (
        <Notice tone="warn" title="Nobody owns this alert, so everyone is notified">
          Choose an owner in the rule.
        </Notice>
      ) : null}
    </div>
  )
}

function HeadActions({ alert }: { alert: AlertDetail }) {
  const { acknowledge, unsilence, updateReason } = useAlertActions(alert)
  const [asked, setAsked] = useState<'silence' | 'delete'>()
  const navigate = useNavigate()
  const close = () => setAsked(undefined)
  const isSilenced = alert.silence !== null
  usePageKeys('This alert', [
    {
      keys: ['a'],
      does: 'Take over',
      run: () => (acknowledge.disabledReason === undefined ? acknowledge.run() : undefined),
    },
    {
      keys: ['s'],
      does: 'Silence',
      run: () => (updateReason === undefined ? setAsked('silence') : undefined),
    },
  ])
  return (
    <>
      {isSilenced ? (
        <Button
          icon={<Bell size={14} aria-hidden />}
          busy={unsilence.isRunning}
          disabledReason={updateReason}
          onClick={unsilence.run}
        >
          End the silence
        </Button>
      ) : (
        <Button
          icon={<BellOff size={14} aria-hidden />}
          disabledReason={updateReason}
          onClick={() => setAsked('silence')}
        >
          Silence…
        </Button>
      )}
      {alert.state === 'firing' && alert.acknowledgedBy === null ? (
        <Button
          variant="primary"
          icon={<Hand size={14} aria-hidden />}
          busy={acknowledge.isRunning}
          disabledReason={acknowledge.disabledReason}
          onClick={acknowledge.run}
        >
          Take over
        </Button>
      ) : null}
      <AlertMenu
        alert={alert}
        isOnPage
        onSilence={() => setAsked('silence')}
        onDelete={() => setAsked('delete')}
      />
      {asked === 'silence' ? <SilenceDialog alert={alert} onClose={close} /> : null}
      {asked === 'delete' ? (
        <DeleteAlertDialog
          alert={alert}
          onClose={close}
          onDeleted={() => void navigate({ href: '/analytics/alerts', replace: true })}
        />
      ) : null}
    </>
  )
}
