import { engineFamily, engineRefusal, type LockNode, lockSummary, lockTree } from '@bey/contract'
import type { DatabaseSession } from '@bey/contract'
import { Suspense, useState } from 'react'
import { useDatabaseSessions } from '../../data/database-insight.ts'
import type { Database } from '../../data/databases.ts'
import { DatabaseFacts } from '../../entities/databases/database-facts.tsx'
import { rateLabel, ratePerSecond, sizeLabel } from '../../entities/databases/database-text.ts'
import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { useNow } from '../../lib/now.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Stat, StatBand } from '../../ui/stat.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { LoadPanel } from './insight/load-panel.tsx'
import { LoadStatements } from './insight/load-statements.tsx'
import { CapacitySection } from './overview/capacity-section.tsx'
import { EndpointsSection } from './overview/endpoints-section.tsx'
import { LockNotice } from './overview/lock-notice.tsx'
import { OverviewBar } from './overview/overview-bar.tsx'
import { SessionFacts } from './overview/session-facts.tsx'
import { useSessionsAllowed } from './overview/use-sessions-allowed.ts'
import { WhoConnects } from './overview/who-connects.tsx'
import { WhoWaits } from './overview/who-waits.tsx'

type Figures = NonNullable<Database['figures']>

const EndSessionForm = lazyPart(async () => ({
  default: (await import('./insight/end-session-form.tsx')).EndSessionForm,
}))

/** Sessions are asked as often as the figures beside them are measured. */
const sessionsMs = 15_000

/** State and figures of a database, as its server answered last. */
export function OverviewTab({ database }: { database: Database }) {
  const { figures, notes, engine, id } = database
  const isPostgres = engine === 'postgres'
  const isRead = useSessionsAllowed(database)
  const query = useDatabaseSessions(id, isRead, sessionsMs)
  const sessions = isRead && !query.isError ? query.data : undefined
  const nodes = lockTree(sessions?.sessions ?? [])
  const summary = lockSummary(nodes)
  const best = nodes.find(({ session }) => session.pid === summary?.best.session.pid)
  const [ending, setEnding] = useState<LockNode<DatabaseSession>>()
  const isMobile = useIsMobile()
  // What is waited for comes before what is measured, where there is room for one of them.
  const isWaitFirst = isMobile && best !== undefined
  const band = figures && <FigureBand database={database} figures={figures} />
  const capacity = figures && <CapacitySection database={database} figures={figures} />
  return (
    <>
      {sessions && summary ? (
        <div className="border-b border-line px-(--gutter) py-4">
          <LockNotice databaseId={id} sessions={sessions} summary={summary} onEnd={() => setEnding(best)} />
        </div>
      ) : null}
      {isWaitFirst ? null : band}
      <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {notes.map((note) => (
            <Notice key={note} tone="info" title={note} />
          ))}
          {isWaitFirst && sessions ? (
            <WhoWaits databaseId={id} nodes={nodes} best={best} nowMs={Date.parse(sessions.at)} />
          ) : null}
          {figures && isPostgres ? <LoadPanel database={database} /> : null}
          {isWaitFirst ? capacity : null}
          {figures && isPostgres ? <LoadStatements databaseId={id} /> : null}
          {figures ? (
            database.status === 'hibernated' ? null : (
              <SessionFacts database={database} figures={figures} />
            )
          ) : (
            <EmptyState
              title="No figures yet"
              description="They are measured every 15 s once the server answers."
            />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          {isWaitFirst ? null : capacity}
          {sessions ? <WhoConnects sessions={sessions} /> : null}
          <EndpointsSection database={database} />
          <Section title="Facts" isCard>
            <DatabaseFacts database={database} without={figures === null ? [] : shownFacts} />
          </Section>
        </div>
      </div>
      {isWaitFirst ? band : null}
      {isMobile ? (
        <OverviewBar
          databaseId={id}
          name={database.name}
          hasSql={engineRefusal(database) === undefined}
          hasBackups={database.provider === 'embedded'}
          onEnd={best === undefined ? undefined : () => setEnding(best)}
        />
      ) : null}
      <Dialog
        open={ending !== undefined}
        onOpenChange={(open) => (open ? undefined : setEnding(undefined))}
        title={ending === undefined ? '' : `pid ${ending.session.pid}, ${ending.session.client}`}
        size="wide"
      >
        <Suspense fallback={null}>
          {ending === undefined ? null : (
            <EndSessionForm
              databaseId={id}
              node={ending}
              onDone={() => {
                setEnding(undefined)
                void query.refetch()
              }}
            />
          )}
        </Suspense>
      </Dialog>
    </>
  )
}

/** A server that sleeps has no connections and does nothing: of what was measured before only its size is still so. */
function FigureBand({ database, figures }: { database: Database; figures: Figures }) {
  const now = useNow(true)
  const { sizeBytes, sizeLimitBytes, diskQuota, connections, maxConnections, startedAt, cacheHit } = figures
  const isAsleep = database.status === 'hibernated'
  const perSecond = isAsleep ? null : ratePerSecond(database)
  const limitBytes = diskQuota?.limitBytes ?? sizeLimitBytes
  return (
    <StatBand>
      <Stat
        label={sizeLabel(database)}
        value={formatBytes(sizeBytes)}
        detail={limitBytes === null ? '' : `of ${formatBytes(limitBytes)}`}
      />
      <Stat
        label="Connections"
        value={isAsleep ? null : formatNumber(connections)}
        detail={`of ${formatNumber(maxConnections)}`}
      />
      <Stat
        label={rateLabel(database)}
        value={perSecond === null ? null : rate(perSecond)}
        detail={
          isAsleep || figures.rollbacksPerSecond === null
            ? 'a second'
            : `a second, ${rate(figures.rollbacksPerSecond)} rolled back`
        }
      />
      <Stat
        label={engineFamily(database.engine) === 'redis' ? 'Hits' : 'Cache hits'}
        value={isAsleep || cacheHit === null ? null : formatPercent(cacheHit)}
        detail={engineFamily(database.engine) === 'redis' ? 'of key reads' : 'of block reads'}
      />
      <Stat
        label="Uptime"
        value={isAsleep ? null : formatDuration(now - Date.parse(startedAt))}
        detail="of the server"
      />
    </StatBand>
  )
}

/** Of the sections above them. */
const shownFacts = ['Address', 'Plan', 'Size', 'Memory', 'Connections', 'Proven restore']

const rate = (value: number) => formatNumber(Number(value.toFixed(value < 10 ? 1 : 0)))
