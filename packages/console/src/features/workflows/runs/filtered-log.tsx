import { useCallback, useEffect, useMemo, useState } from 'react'
import type { LogFilter } from '../../../data/log-pages.ts'
import { useLogPages } from '../../../data/log-pages.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LogWindow } from '../../../ui/log-window.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { LogFoot } from './log-foot.tsx'
import { shownLine } from './log-lines.ts'

export interface FilteredLogProps {
  label: string
  workflowId: string
  runId: string
  filter: LogFilter
  /** Names of the steps by key, where lines of several are shown. */
  names?: ReadonlyMap<string, string> | undefined
  isLive: boolean
  className?: string
}

/** The lines of a log that a filter lets through, the last first; earlier ones are read as one scrolls up. */
export function FilteredLog(props: FilteredLogProps) {
  const { label, workflowId, runId, filter, names, isLive, className } = props
  const [isFollowing, setFollowing] = useState(true)
  usePageKeys('Log', [{ keys: ['f'], does: 'Follow the newest line', run: () => setFollowing((is) => !is) }])
  const pages = useLogPages(workflowId, runId, filter)
  const { lines, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const failure = failureOf('Failed to fetch the log', pages)
  const shown = useMemo(
    () => (lines ?? []).map((line, index) => shownLine(line, lines?.[index - 1], names)),
    [lines, names],
  )
  const keyAt = useCallback((index: number) => shown[index]?.id ?? index, [shown])
  // A page may hold fewer lines than the box shows.
  const isShort = shown.length < 30
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isShort, hasNextPage, isFetchingNextPage, fetchNextPage])
  if (failure) return <ErrorState {...failure} isCompact />
  return (
    <div className={`flex min-h-0 flex-col ${className ?? ''}`}>
      <LogWindow
        label={label}
        count={shown.length}
        lineAt={(index) => shown[index]}
        keyAt={keyAt}
        onTop={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
        empty={lines === undefined ? '' : emptyText(filter, isLive)}
        isFollowing={isFollowing}
        onFollowingChange={setFollowing}
        {...(filter.search ? { marked: filter.search } : {})}
        className="flex-1"
      />
      <LogFoot
        count={shown.length}
        isMore={hasNextPage}
        isFollowing={isFollowing}
        isLive={isLive}
        isMatching={isFiltered(filter)}
      />
    </div>
  )
}

const isFiltered = ({ search, level }: LogFilter) => Boolean(search) || (level ?? 'debug') !== 'debug'

function emptyText(filter: LogFilter, isLive: boolean): string {
  if (isFiltered(filter)) return 'No line matches.'
  return isLive ? 'Waiting for the first line.' : 'No line was written.'
}
