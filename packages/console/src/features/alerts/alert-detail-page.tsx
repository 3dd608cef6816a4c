import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Bell, BellOff, Ellipsis, Hand, type LucideIcon, Pencil } from 'lucide-react'
import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { type AlertDetail, alertRefreshMs } from '../../data/alerts.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { alertHref, groupTexts, stateSentence } from '../../entities/alerts/alert-text.ts'
import { DeleteAlertDialog } from '../../entities/alerts/delete-alert-dialog.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { useAlertActions } from './use-alert-actions.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage, type DetailTab } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { ThumbBar, thumbItemClass } from '../../ui/thumb-bar.tsx'
import { momentText } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.ts'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { AlertMenu } from './alert-menu.tsx'
import { changeBefore, useAlertMarks } from './change-before.ts'
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
  const isPhone = useIsMobile()
  const command = apiCommand('Read this alert', 'alerts.get', { params: { id } }, useOrganizationId())
  usePageCommands([command])
  return (
    <>
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
        subtitle={(shown) => <StateLine alert={shown} />}
        {...(isPhone
          ? {}
          : { actions: (shown: AlertDetail) => <AlertActions alert={shown} isAtThumb={false} /> })}
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
      {alert && isPhone ? <AlertActions alert={alert} isAtThumb /> : null}
      {alert ? <ListFoot count={null} keys={footKeys} command={command.bey} /> : null}
    </>
  )
}

const footKeys = [
  { keys: ['a'], does: 'take over' },
  { keys: ['s'], does: 'silence' },
  { keys: ['ArrowUp'], does: 'move the limit, where it has the focus' },
] as const

/** How it is, in the colour of what fires; and what changed shortly before, of which the server's marks know. */
function StateLine({ alert }: { alert: AlertDetail }) {
  const { marks } = useAlertMarks('7')
  const isFiring = alert.state === 'firing'
  const change =
    isFiring && alert.since !== null
      ? changeBefore(marks, Date.parse(alert.since), alert.worst?.labels['cluster'])
      : undefined
  return (
    <>
      <span data-live-color="" className={isFiring ? 'text-danger' : undefined}>
        {stateSentence(alert)}
      </span>
      {change ? ` It began ${change}.` : null}
    </>
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

/** What can be done with the alert: buttons in the head, or the same where the thumb is. */
function AlertActions({ alert, isAtThumb }: { alert: AlertDetail; isAtThumb: boolean }) {
  const { acknowledge, unsilence, updateReason } = useAlertActions(alert)
  const [asked, setAsked] = useState<'silence' | 'delete'>()
  const navigate = useNavigate()
  const close = () => setAsked(undefined)
  const silence = () => setAsked('silence')
  const isFree = alert.state === 'firing' && alert.acknowledgedBy === null
  usePageKeys('This alert', [
    {
      keys: ['a'],
      does: 'Take over',
      run: () => (acknowledge.disabledReason === undefined ? acknowledge.run() : undefined),
    },
    { keys: ['s'], does: 'Silence', run: () => (updateReason === undefined ? silence() : undefined) },
  ])
  const acts: Acts = {
    takeOver: isFree ? acknowledge : undefined,
    silence:
      alert.silence === null
        ? { label: 'Silence…', Icon: BellOff, run: silence, isRunning: false }
        : { label: 'End the silence', Icon: Bell, run: unsilence.run, isRunning: unsilence.isRunning },
    updateReason,
  }
  const menu = (trigger?: ReactElement) => (
    <AlertMenu
      alert={alert}
      isOnPage
      {...(trigger && { trigger })}
      onSilence={silence}
      onDelete={() => setAsked('delete')}
    />
  )
  return (
    <>
      {isAtThumb ? (
        <ThumbActs acts={acts} alert={alert} menu={menu} />
      ) : (
        <>
          <HeadActs acts={acts} />
          {menu()}
        </>
      )}
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

interface Acts {
  /** Undefined where nothing fires, and where somebody has it. */
  takeOver: ReturnType<typeof useAlertActions>['acknowledge'] | undefined
  silence: { label: string; Icon: LucideIcon; run: () => void; isRunning: boolean }
  updateReason: string | undefined
}

function HeadActs({ acts: { takeOver, silence, updateReason } }: { acts: Acts }) {
  return (
    <>
      <Button
        icon={<silence.Icon size={14} aria-hidden />}
        busy={silence.isRunning}
        disabledReason={updateReason}
        onClick={silence.run}
      >
        {silence.label}
      </Button>
      {takeOver ? (
        <Button
          variant="primary"
          icon={<Hand size={14} aria-hidden />}
          busy={takeOver.isRunning}
          disabledReason={takeOver.disabledReason}
          onClick={takeOver.run}
        >
          Take over
        </Button>
      ) : null}
    </>
  )
}

function ThumbActs({
  acts: { takeOver, silence, updateReason },
  alert,
  menu,
}: {
  acts: Acts
  alert: AlertDetail
  menu: (trigger: ReactElement) => ReactNode
}) {
  const button = (label: string, Icon: LucideIcon, run: () => void, reason: string | undefined) => (
    <button
      type="button"
      className={thumbItemClass}
      aria-disabled={reason === undefined ? undefined : true}
      onClick={() => (reason === undefined ? run() : toast('error', label, { description: reason }))}
    >
      <Icon size={18} aria-hidden />
      {label}
    </button>
  )
  return (
    <ThumbBar label={`Actions for ${alert.name}`}>
      {takeOver ? button('Take over', Hand, takeOver.run, takeOver.disabledReason) : null}
      {button(silence.label.replace('…', ''), silence.Icon, silence.run, updateReason)}
      <Link href={alertHref(alert.id, 'rule')} className={thumbItemClass}>
        <Pencil size={18} aria-hidden />
        Edit
      </Link>
      {menu(
        <button type="button" className={thumbItemClass} aria-label={`More actions for ${alert.name}`}>
          <Ellipsis size={18} aria-hidden />
          More
        </button>,
      )}
    </ThumbBar>
  )
}
