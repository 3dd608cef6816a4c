import { Braces, Clock, Download, History, Pause, Play, WrapText } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '@bey/client'
import type { LogQuery } from '../../../data/log-stream.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { useListLocation } from '../../../lib/list-location.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { downloadLogs } from './download-logs.ts'
import { LogFields } from './log-fields.tsx'
import { LogFoot, LogPauseStrip } from './log-foot.tsx'
import type { LogListHandle } from './log-list.tsx'
import { LogList } from './log-list.tsx'
import { LogMinimap } from './log-minimap.tsx'
import { LogPods, podsOf } from './log-pods.tsx'
import { createMatcher, nextMatch, searchPattern } from './log-search.ts'
import { LogSearchField } from './log-search-field.tsx'
import { LogEmpty } from './log-states.tsx'
import type { FieldFilter } from './log-store.ts'
import { severities } from './log-text.ts'
import type { Severity } from './log-text.ts'
import { logCommand } from './log-words.ts'
import { createRowSources } from './row-sources.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { useLogSnapshot, useLogStream } from './use-log-stream.ts'

const periods: Readonly<Record<string, { label: string; words: string; seconds: number | undefined }>> = {
  '5m': { label: 'Last 5 min', words: 'in 5 min', seconds: 300 },
  '': { label: 'Last 15 min', words: 'in 15 min', seconds: 900 },
  '1h': { label: 'Last hour', words: 'in 1 h', seconds: 3600 },
  '6h': { label: 'Last 6 h', words: 'in 6 h', seconds: 21_600 },
  '1d': { label: 'Last day', words: 'in 24 h', seconds: 86_400 },
  all: { label: 'Everything kept', words: '', seconds: undefined },
}

const severityOptions = [
  { value: 'info', label: 'Info and worse' },
  { value: 'warn', label: 'Warnings and worse' },
  { value: 'error', label: 'Errors' },
]

/** The most lines of each container that are read at first. */
const firstLines = 20_000

export interface LogPanelProps {
  clusterId: number
  resource: string
  namespace: string
  name: string
  /** Names of its containers, as far as they are known. */
  containers: readonly string[]
}

/** The logs of all pods of an object as one stream. */
export function LogPanel({ clusterId, resource, namespace, name, containers }: LogPanelProps) {
  const { search: address, change } = useListLocation()
  const period = periods[address.period ?? ''] ?? { label: '', words: '', seconds: 900 }
  const previous = address.type === 'previous' ? 'too' : 'no'
  const container = address.label
  const query: LogQuery = {
    namespace,
    resource,
    name,
    previous,
    follow: true,
    tail: firstLines,
    ...(container && { containers: [container] }),
    ...(period.seconds && { sinceSeconds: period.seconds }),
  }
  const { store, connection, reconnectedAt, retry } = useLogStream(clusterId, query, JSON.stringify(query))
  const snapshot = useLogSnapshot(store)

  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [fields, setFields] = useState<readonly FieldFilter[]>([])
  const [search, setSearch] = useState({ text: address.q ?? '', isCaseSensitive: false, isRegex: false })
  const [currentId, setCurrentId] = useState<number>()
  const [isWrapped, setWrapped] = useState(false)
  const [hasTime, setTime] = useState(true)
  const [areFieldsParsed, setFieldsParsed] = useState(true)
  const [scrolled, setScrolled] = useState(0)
  const [isDownloading, setDownloading] = useState(false)
  const severity: Severity = severities.find((each) => each === address.status) ?? 'none'

  useEffect(() => {
    store.setFilter({ hiddenPods: hidden, minSeverity: severity, fields })
  }, [store, hidden, severity, fields])

  const { pattern, error } = useMemo(() => searchPattern(search), [search])
  const [matcher] = useState(createMatcher)
  const matches = matcher.ids(pattern, snapshot.visible)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<LogListHandle>(null)
  const step = (direction: 1 | -1) => {
    const next = nextMatch(matches, currentId, direction)
    if (next === undefined) return
    setCurrentId(next)
    list.current?.reveal(next)
  }
  const changeSearch = (next: typeof search) => {
    setSearch(next)
    setCurrentId(undefined)
    change({ q: next.text })
  }

  const pods = podsOf(snapshot.sources)
  const [rows] = useState(createRowSources)
  rows.update(snapshot.sources)

  const togglePause = () => {
    if (store.snapshot().isPaused) store.resume()
    else store.pause()
  }
  usePageKeys({
    '/': () => field.current?.focus(),
    n: () => step(1),
    N: () => step(-1),
    ' ': togglePause,
    End: () => store.resume(),
    w: () => setWrapped((last) => !last),
  })

  const download = async () => {
    setDownloading(true)
    try {
      const { tail: _tail, follow: _follow, ...body } = query
      await downloadLogs(clusterId, body, `${namespace}-${name}.log`)
    } catch (caught) {
      const requestId = caught instanceof ApiError ? caught.requestId : ''
      toast('error', 'Failed to download the log', {
        description: causeOf(caught),
        ...(requestId ? { requestId } : {}),
      })
    } finally {
      setDownloading(false)
    }
  }

  const isFiltered = hidden.size > 0 || severity !== 'none' || fields.length > 0
  const position = currentId === undefined ? 0 : matches.indexOf(currentId) + 1
  const words = period.words
  const command = logCommand({
    namespace,
    resource,
    name,
    container,
    isPrevious: false,
    sinceSeconds: period.seconds,
  })
  const pressed = (isPressed: boolean) => (isPressed ? 'bg-active text-text' : '')

  return (
    <div className="flex min-h-[28rem] flex-1 flex-col">
      <div className="flex shrink-0 flex-col gap-2 border-b border-line px-(--gutter) py-2">
        <div className="flex flex-wrap items-center gap-2">
          <LogSearchField
            field={field}
            search={search}
            error={error}
            count={matches.length}
            position={position}
            onChange={changeSearch}
            onStep={step}
          />
          {containers.length > 1 || container ? (
            <FilterSelect
              label="Container"
              all="All containers"
              value={container}
              options={containers}
              onChange={(value) => change({ label: value })}
            />
          ) : null}
          <FilterSelect
            label="Severity"
            all="All severities"
            value={address.status}
            options={severityOptions}
            onChange={(value) => change({ status: value })}
          />
          <FilterSelect
            label="Period"
            all={periods['']?.label ?? ''}
            value={address.period}
            options={Object.entries(periods).flatMap(([value, { label }]) =>
              value ? [{ value, label }] : [],
            )}
            onChange={(value) => change({ period: value })}
          />
          <span className="ml-auto flex items-center gap-1">
            <IconButton
              label="Previous runs too"
              size="small"
              aria-pressed={previous === 'too'}
              className={pressed(previous === 'too')}
              icon={<History size={14} aria-hidden />}
              onClick={() => change({ type: previous === 'too' ? '' : 'previous' })}
            />
            <IconButton
              label="Wrap lines"
              shortcut="w"
              size="small"
              aria-pressed={isWrapped}
              className={pressed(isWrapped)}
              icon={<WrapText size={14} aria-hidden />}
              onClick={() => setWrapped((last) => !last)}
            />
            <IconButton
              label="Show times"
              size="small"
              aria-pressed={hasTime}
              className={pressed(hasTime)}
              icon={<Clock size={14} aria-hidden />}
              onClick={() => setTime((last) => !last)}
            />
            <IconButton
              label="Show JSON as fields"
              size="small"
              aria-pressed={areFieldsParsed}
              className={pressed(areFieldsParsed)}
              icon={<Braces size={14} aria-hidden />}
              onClick={() => setFieldsParsed((last) => !last)}
            />
            <IconButton
              label={isDownloading ? 'Downloading' : 'Download everything that the cluster keeps'}
              size="small"
              disabled={isDownloading}
              icon={<Download size={14} aria-hidden />}
              onClick={() => void download()}
            />
            <Button
              size="small"
              icon={snapshot.isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
              onClick={togglePause}
            >
              {snapshot.isPaused ? 'Resume' : 'Pause'} <KeyHint keys={['Space']} />
            </Button>
          </span>
        </div>
        <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-2">
          <LogPods pods={pods} hidden={hidden} onChange={setHidden} />
          {fields.map((each) => (
            <Button
              key={`${each.isExcluded ? '-' : '+'}${each.key}=${each.value}`}
              size="small"
              variant="ghost"
              aria-label={`Remove the filter ${each.key}=${each.value}`}
              onClick={() => setFields(fields.filter((other) => other !== each))}
            >
              {each.isExcluded ? 'without' : 'only'} {each.key}={each.value.slice(0, 24)} ×
            </Button>
          ))}
          <span className="ml-auto flex gap-4 text-small tabular-nums">
            {snapshot.errors > 0 ? <Count tone="text-danger" count={snapshot.errors} word="error" /> : null}
            {snapshot.warnings > 0 ? (
              <Count tone="text-warn" count={snapshot.warnings} word="warning" />
            ) : null}
          </span>
        </div>
      </div>
      {snapshot.total > 0
        ? snapshot.problems.slice(0, 2).map(({ message, code }) => (
            <Notice
              key={message}
              tone="warn"
              title={
                code === 'forbidden' ? 'The cluster does not allow everything' : 'Not everything is shown'
              }
            >
              {message}
            </Notice>
          ))
        : null}
      {snapshot.visible.length === 0 ? (
        <div className="flex-1">
          <LogEmpty
            snapshot={snapshot}
            connection={connection}
            period={words.replace('in ', 'in the last ')}
            isFiltered={isFiltered}
            onRetry={retry}
            onPrevious={previous === 'no' ? () => change({ type: 'previous' }) : undefined}
            onLonger={period.seconds && period.seconds < 3600 ? () => change({ period: '1h' }) : undefined}
            onClearFilter={() => {
              setHidden(new Set())
              setFields([])
              change({ status: '' })
            }}
          />
        </div>
      ) : (
        <div className="flex min-h-0 flex-1">
          <LogList
            label={`Log of ${name}`}
            suffixColumns={rows.suffixColumns()}
            store={store}
            sourceOf={rows.of}
            pattern={pattern}
            currentId={currentId}
            isWrapped={isWrapped}
            hasTime={hasTime}
            areFieldsParsed={areFieldsParsed}
            handle={list}
            onScroll={() => setScrolled((last) => last + 1)}
            renderOpen={(entry) => (
              <LogFields
                entry={entry}
                source={rows.of(entry.source)}
                onFilter={(filter) => setFields([...fields, filter])}
                onOnlyThisPod={() => {
                  const uid = snapshot.sources.get(entry.source)?.source.podUid
                  setHidden(new Set(pods.filter((pod) => pod.uid !== uid).map((pod) => pod.uid)))
                }}
              />
            )}
          />
          <LogMinimap store={store} list={list} matches={matches} scrolled={scrolled} />
        </div>
      )}
      {snapshot.isPaused ? <LogPauseStrip snapshot={snapshot} /> : null}
      <LogFoot
        snapshot={snapshot}
        connection={connection}
        reconnectedAt={reconnectedAt}
        period={words}
        command={command}
      />
    </div>
  )
}

function Count({ tone, count, word }: { tone: string; count: number; word: string }) {
  return (
    <span className={tone}>
      {count.toLocaleString('en')} {word}
      {count === 1 ? '' : 's'}
    </span>
  )
}
