import type { InstanceBackup, InstanceHealth } from '@bey/contract'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { newestBackup, newestDrill } from './health-sentences.ts'

const shownTicks = 60

/** Backups of Bey itself: a tick each, the newest, what a drill said, and how to restore one. */
export function BackupsSection({
  backups,
  isEmbedded,
}: {
  backups: InstanceHealth['backups']
  isEmbedded: boolean
}) {
  const { entries, place, schedule, nextAt } = backups
  const newest = newestBackup(entries)
  const drilled = newestDrill(entries)
  if (!isEmbedded && entries.length === 0) {
    return (
      <Section title="Backups of Bey itself">
        <p className="text-text-2">
          The database of this Bey is run by others (DATABASE_URL). Back it up with its own tools, together
          with the root key.
        </p>
      </Section>
    )
  }
  return (
    <Section
      title="Backups of Bey itself"
      aside={formatCount(
        entries.filter(({ removedAt, status }) => status === 'completed' && removedAt === null).length,
        'kept',
        'kept',
      )}
    >
      {entries.length === 0 ? null : <Ticks entries={entries} />}
      <Facts
        facts={[
          { label: 'Newest', value: newest === undefined ? 'never backed up' : <Newest backup={newest} /> },
          { label: 'Proved', value: <Proof backup={drilled} /> },
          { label: 'Next', value: nextAt === null ? 'not scheduled' : <RelativeTime at={nextAt} /> },
          { label: 'Place', value: place ?? 'none is set (BEY_BACKUP_TO)' },
          ...(schedule === null ? [] : [{ label: 'Schedule', value: <Code>{schedule} UTC</Code> }]),
          { label: 'Restore', value: <Code>bey restore {place ?? '<place>'} --into &lt;directory&gt;</Code> },
        ]}
      />
    </Section>
  )
}

function Ticks({ entries }: { entries: readonly InstanceBackup[] }) {
  const shown = entries.slice(0, shownTicks).toReversed()
  const failed = shown.filter(({ status }) => status === 'failed').length
  return (
    <>
      <p className="sr-only">
        The last {formatCount(shown.length, 'backup')}: {failed === 0 ? 'none failed' : `${failed} failed`}.
      </p>
      <div aria-hidden className="mb-1 flex h-4 items-end gap-1 overflow-hidden">
        {shown.map(({ startedAt, status, removedAt }) => (
          <span
            key={startedAt}
            className={cx(
              'w-[3px] shrink-0 rounded-badge',
              status === 'failed' ? 'h-4 bg-danger' : removedAt === null ? 'h-3 bg-control' : 'h-2 bg-active',
            )}
          />
        ))}
      </div>
    </>
  )
}

function Newest({ backup }: { backup: InstanceBackup }) {
  return (
    <>
      <RelativeTime at={backup.finishedAt} />, {formatBytes(backup.storedBytes)}, root key{' '}
      <Code>{backup.rootKeyFingerprint}</Code>
    </>
  )
}

function Proof({ backup }: { backup: InstanceBackup | undefined }) {
  const drill = backup?.drill
  if (drill == null) return 'never restored'
  const { outcome, at, rows, secrets, ms, problems } = drill
  if (outcome === 'proved') {
    return (
      <>
        <RelativeTime at={at} />: {formatCount(rows ?? 0, 'row')}, {formatCount(secrets ?? 0, 'secret value')}
        , {formatDuration(ms)}
      </>
    )
  }
  return (
    <span className={outcome === 'failed' ? 'text-danger' : 'text-warn'}>
      {outcome === 'failed' ? 'failed' : 'not checked'} <RelativeTime at={at} />: {problems.join(' ')}
    </span>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-small break-all">{children}</code>
}
