import { formatCount } from '../../../lib/format.ts'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'

/** Under a log: how many lines, and whether new ones are followed. */
export function LogFoot({
  count,
  isMore = false,
  isFollowing,
  isLive,
  isMatching = false,
  gap,
}: {
  count: number
  /** There are earlier ones that are not read yet. */
  isMore?: boolean
  isFollowing: boolean
  /** New lines may come. */
  isLive: boolean
  isMatching?: boolean
  /** Lines after this one were missed and are being read. */
  gap?: number | undefined
}) {
  const lines = `${isMore ? 'the last ' : ''}${formatCount(count, 'line')}${isMatching ? ' that match' : ''}`
  return (
    <footer className="flex h-8 shrink-0 items-center gap-3 border-t border-line px-(--gutter) text-small text-text-2">
      {gap === undefined ? null : <span>Reading the lines after {gap} that were missed.</span>}
      {isLive ? (
        <span className="flex min-w-0 items-center gap-2">
          <span className="text-info">
            <StatusMark glyph={isFollowing ? 'half' : 'pause'} />
          </span>
          <span className="truncate">
            {isFollowing
              ? 'Following. New lines arrive at the end; scroll up to stop.'
              : 'Not following. New lines arrive at the end.'}
          </span>
        </span>
      ) : null}
      <span className="ml-auto whitespace-nowrap tabular-nums">{lines}</span>
      <span className="flex items-center gap-1 max-md:hidden">
        <KeyHint keys={['f']} /> follow
      </span>
    </footer>
  )
}
