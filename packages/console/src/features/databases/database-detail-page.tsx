import { engineFamily, engineRefusal, needsAttention } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { History, Play, Plug, RotateCw, SquareTerminal } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { DatabaseStatus } from '../../entities/databases/database-status.tsx'
import {
  databaseHref,
  engineText,
  isLetGo,
  placeText,
  restoreHref,
} from '../../entities/databases/database-text.ts'
import { useDatabaseActions } from '../../entities/databases/use-database-actions.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { laterPart } from '../../lib/later-part.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import type { DetailTab } from '../../ui/detail-page.tsx'
import { sinceText } from '../../ui/time-text.ts'
import { ConnectTab } from './connect-tab.tsx'
import { useDatabaseKeys } from './database-keys.ts'
import { DatabaseMenu } from './database-menu.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { StateNotice } from './state-notice.tsx'

const DeleteDatabaseDialog = lazyPart(async () => ({
  default: (await import('../../entities/databases/delete-database-dialog.tsx')).DeleteDatabaseDialog,
}))
const FailOverDialog = lazyPart(async () => ({
  default: (await import('./cluster/fail-over-dialog.tsx')).FailOverDialog,
}))
const [MetricsTab] = laterPart(async () => (await import('./metrics-tab.tsx')).MetricsTab)
const [SqlTab] = laterPart(async () => (await import('./sql/sql-tab.tsx')).SqlTab)
const [BackupsTab] = laterPart(async () => (await import('./backups/backups-tab.tsx')).BackupsTab)
const CopyNotice = lazyPart(async () => ({
  default: (await import('./backups/copy-notice.tsx')).CopyNotice,
}))
const [LocksTab] = laterPart(async () => (await import('./insight/locks-tab.tsx')).LocksTab)
const [StatementsTab] = laterPart(async () => (await import('./insight/statements-tab.tsx')).StatementsTab)
const [AdviceTab] = laterPart(async () => (await import('./insight/advice-tab.tsx')).AdviceTab)
const [NetworkTab] = laterPart(async () => (await import('./network-tab.tsx')).NetworkTab)
const [ManageTab] = laterPart(async () => (await import('./manage/manage-tab.tsx')).ManageTab)
const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

const tabs: readonly DetailTab<Database>[] = [
  { id: 'overview', label: 'Overview', content: (database) => <OverviewTab database={database} /> },
  { id: 'connect', label: 'Connect', content: (database) => <ConnectTab database={database} /> },
  {
    id: 'backups',
    label: 'Backups',
    content: (database) => <BackupsTab key={database.id} database={database} />,
  },
  { id: 'metrics', label: 'Metrics', content: (database) => <MetricsTab database={database} /> },
  {
    id: 'statements',
    label: 'Statements',
    content: (database) => <StatementsTab key={database.id} database={database} />,
  },
  { id: 'locks', label: 'Locks', content: (database) => <LocksTab key={database.id} database={database} /> },
  {
    id: 'advice',
    label: 'Advice',
    content: (database) => <AdviceTab key={database.id} database={database} />,
  },
  {
    id: 'sql',
    label: 'SQL',
    content: (database) => <SqlTab key={database.id} database={database} />,
  },
  {
    id: 'manage',
    label: 'Manage',
    content: (database) => <ManageTab key={database.id} database={database} />,
  },
  { id: 'network', label: 'Network', content: (database) => <NetworkTab database={database} /> },
  {
    id: 'activity',
    label: 'Activity',
    content: ({ id }) => (
      <Suspense fallback={null}>
        <ActivityTable
          subject={{ targetType: 'database', targetId: id }}
          empty="Changes to the database are listed here."
        />
      </Suspense>
    ),
  },
  { id: 'settings', label: 'Settings', content: (database) => <SettingsTab database={database} /> },
]

/** Parts that Bey has for PostgreSQL alone. */
const ofPostgres = ['backups', 'locks', 'advice', 'sql', 'manage']

function tabsOf(database: Database): readonly DetailTab<Database>[] {
  if (engineRefusal(database) === undefined) return tabs
  const isRedis = engineFamily(database.engine) === 'redis'
  return tabs
    .filter(({ id }) => !ofPostgres.includes(id))
    .map((tab) => (isRedis && tab.id === 'statements' ? { ...tab, label: 'Commands' } : tab))
}

/** One database. */
export function DatabaseDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const tab = typeof search.tab === 'string' ? search.tab : undefined
  const query = useRead('databases.get', { params: { id } })
  const { data: database } = query
  const waiting = database?.figures?.waiting ?? 0
  const present = database === undefined ? tabs : tabsOf(database)
  const shownTabs =
    waiting === 0 ? present : present.map((tab) => (tab.id === 'locks' ? { ...tab, count: waiting } : tab))
  useDatabaseKeys(id, present)
  usePageTitle(isMissing(query) ? 'Database not found' : database?.name)
  usePageCommands([
    apiCommand('Read this database', 'databases.get', { params: { id } }, useOrganizationId()),
  ])
  return (
    <DetailPage
      noun="database"
      subject={database}
      title={database?.name}
      badges={(shown) => (
        <>
          <DatabaseStatus database={shown} variant="badge" />
          <Badge>{engineText(shown)}</Badge>
          <Badge>{placeText(shown)}</Badge>
        </>
      )}
      subtitle={subtitle}
      actions={(shown) => <HeadActions database={shown} />}
      areActionsNarrow
      notice={(shown) => (
        <>
          <StateNotice database={shown} tab={tab ?? 'overview'} />
          {shown.provider !== 'embedded' ? null : (
            <Suspense fallback={null}>
              <CopyNotice
                key={shown.id}
                database={shown}
                isCompared={tab === undefined || tab === 'overview'}
              />
            </Suspense>
          )}
        </>
      )}
      isStale={database?.status === 'unreachable'}
      tabs={shownTabs}
      tab={tab}
      tabHref={(to) => databaseHref(id, to)}
      missing={
        isMissing(query) && {
          title: 'There is no such database in this organization',
          action: <ButtonLink href="/databases">All databases</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the database', query)}
    />
  )
}

/** "Healthy since 12:04", or what is wrong and since when. */
function subtitle({ health, status, statusSince, description }: Database): string {
  const word =
    status === 'available'
      ? needsAttention(health)
        ? (health.detail ?? 'Needs attention')
        : 'Healthy'
      : health.state === 'healthy'
        ? 'Hibernated'
        : status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ')
  const since = `${word.replace(/\.$/, '')} since ${sinceText(statusSince)}`
  return description === '' ? since : `${since} · ${description}`
}

function HeadActions({ database }: { database: Database }) {
  const { resume, provision } = useDatabaseActions(database)
  const [isDeleting, setDeleting] = useState(false)
  const [isFailingOver, setFailingOver] = useState(false)
  const navigate = useNavigate()
  const hasSql = tabsOf(database).some(({ id }) => id === 'sql')
  // Servers of others are restored by those.
  const hasBackups = database.provider === 'embedded'
  return (
    <>
      {database.status === 'hibernated' ? (
        <Button
          variant="primary"
          icon={<Play size={14} aria-hidden />}
          busy={resume.isRunning}
          disabledReason={resume.disabledReason}
          onClick={resume.run}
        >
          Resume
        </Button>
      ) : null}
      {database.status === 'error' && !isLetGo(database) ? (
        <Button
          variant="primary"
          icon={<RotateCw size={14} aria-hidden />}
          busy={provision.isRunning}
          disabledReason={provision.disabledReason}
          onClick={provision.run}
        >
          Create again
        </Button>
      ) : null}
      {/* A phone has them at the thumb, and as tabs. */}
      <span className="flex flex-wrap gap-2 max-md:hidden">
        <ButtonLink href={databaseHref(database.id, 'connect')} icon={<Plug size={14} aria-hidden />}>
          Connect
        </ButtonLink>
        {hasSql ? (
          <ButtonLink href={databaseHref(database.id, 'sql')} icon={<SquareTerminal size={14} aria-hidden />}>
            SQL
          </ButtonLink>
        ) : null}
        {hasBackups ? (
          <ButtonLink href={restoreHref(database.id)} icon={<History size={14} aria-hidden />}>
            Restore…
          </ButtonLink>
        ) : null}
      </span>
      <DatabaseMenu
        database={database}
        isOnPage
        onDelete={() => setDeleting(true)}
        onFailOver={() => setFailingOver(true)}
      />
      <Suspense fallback={null}>
        {isFailingOver ? <FailOverDialog database={database} onClose={() => setFailingOver(false)} /> : null}
        {isDeleting ? (
          <DeleteDatabaseDialog
            database={database}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ href: '/databases', replace: true })}
          />
        ) : null}
      </Suspense>
    </>
  )
}
