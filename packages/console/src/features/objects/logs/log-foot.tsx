import { formatCount } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { momentText } from '../../../ui/time-text.ts'
import type { LogConnection } from '../../../data/log-stream.ts'
import type { LogSnapshot } from '../../../entities/kubernetes/logs/log-store.ts'

/** Between the lines and the foot while paused: covers none of them. */
export function LogPauseStrip({ snapshot }: { snapshot: LogSnapshot }) {
  const { pausedAt, waiting, dropped } = snapshot
  const at = pausedAt ? ` at ${momentText(pausedAt)}` : ''
  return (
    <output className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-strong bg-raised px-(--gutter) py-1.5">
      <span className="min-w-0">
        <strong className="font-semibold">Paused{at}.</strong>{' '}
        <span className="text-text-2 tabular-nums">
          {waiting.toLocaleString('en')} {waiting === 1 ? 'line is' : 'lines are'} waiting,{' '}
          {dropped === 0 ? 'none is lost.' : `${dropped.toLocaleString('en')} were dropped.`}
        </span>
      </span>
      <span className="ml-auto flex items-center gap-3 text-small text-text-2 max-sm:hidden">
        <span>
          <KeyHint keys={['Space']} /> resumes
        </span>
        <span>
          <KeyHint keys={['End']} /> jumps to the newest
        </span>
      </span>
    </output>
  )
}

/** Counts, the connection, and the line that prints the same with kubectl. */
export function LogFoot({
  snapshot,
  connection,
  reconnectedAt,
  period,
  command,
}: {
  snapshot: LogSnapshot
  connection: LogConnection
  reconnectedAt: Date | undefined
  period: string
  command: string | undefined
}) {
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 border-t border-line pr-20 pl-(--gutter) text-small text-text-2">
      <span className="whitespace-nowrap tabular-nums">
        {formatCount(snapshot.total, 'line')}
        {period ? ` ${period}` : ''}
      </span>
      <span className="whitespace-nowrap">{connectionText(connection, reconnectedAt)}</span>
      {command ? (
        <span className="flex min-w-0 items-center gap-1 max-md:hidden">
          <code className="truncate font-mono">{command}</code>
          <CopyButton text={command} label="Copy command" />
        </span>
      ) : null}
    </footer>
  )
}

function connectionText(connection: LogConnection, reconnectedAt: Date | undefined): string {
  switch (connection.status) {
    case 'connecting':
      return 'connecting'
    case 'lost':
      return 'connection lost, trying again'
    case 'ended':
      return 'read to the end'
    case 'refused':
      return 'not readable'
    case 'live':
      return reconnectedAt ? `reconnected ${momentText(reconnectedAt)}, no line repeated` : 'live'
  }
}
