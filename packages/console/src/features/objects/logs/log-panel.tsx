import { useEffect, useRef, useState } from 'react'
import type { LogQuery } from '../../../data/log-stream.ts'
import { useListLocation } from '../../../lib/list-location.ts'
import { Notice } from '../../../ui/notice.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { LogFields } from './log-fields.tsx'
import { LogFilterLine } from './log-filter-line.tsx'
import { LogFoot, LogPauseStrip } from './log-foot.tsx'
import type { LogListHandle } from './log-list.tsx'
import { LogList } from './log-list.tsx'
import { LogMinimap } from './log-minimap.tsx'
import { logPeriod } from './log-periods.ts'
import { podsOf } from './log-pods.tsx'
import { LogSearchField } from './log-search-field.tsx'
import { LogEmpty } from './log-states.tsx'
import type { FieldFilter } from '../../../entities/kubernetes/logs/log-store.ts'
import { severities } from '../../../entities/kubernetes/logs/log-text.ts'
import type { Severity } from '../../../entities/kubernetes/logs/log-text.ts'
import { LogToolbar } from './log-toolbar.tsx'
import { logCommand } from './log-words.ts'
import { createRowSources } from './row-sources.ts'
import { useLogDownload } from './use-log-download.ts'
import { useLogLook } from './use-log-look.ts'
import { useLogSearch } from './use-log-search.ts'
import { useLogSnapshot, useLogStream } from './use-log-stream.ts'

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
  const listLocation = useListLocation()
  const { search: address, change } = listLocation
  const period = logPeriod(address.period)
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
  const [scrolled, setScrolled] = useState(0)
  const severity: Severity = severities.find((each) => each === address.status) ?? 'none'
  useEffect(() => {
    store.setFilter({ hiddenPods: hidden, minSeverity: severity, fields })
  }, [store, hidden, severity, fields])

  const list = useRef<LogListHandle>(null)
  const found = useLogSearch(listLocation, snapshot.visible, list)
  const { look, toggle } = useLogLook()
  const { isDownloading, download } = useLogDownload(clusterId, query)
  const pods = podsOf(snapshot.sources)
  const [rows] = useState(createRowSources)
  rows.update(snapshot.sources)

  const togglePause = () => {
    if (store.snapshot().isPaused) store.resume()
    else store.pause()
  }
  usePageKeys('Log', [
    { keys: ['/'], does: 'Search the log', run: () => found.field.current?.focus() },
    { keys: ['n'], does: 'Next match', run: () => found.step(1) },
    { keys: ['N'], does: 'Previous match', run: () => found.step(-1) },
    { keys: [' '], does: 'Pause or resume', run: togglePause },
    { keys: ['End'], does: 'Newest line', run: () => store.resume() },
    { keys: ['w'], does: 'Wrap long lines', run: () => toggle('isWrapped') },
  ])

  const isFiltered = hidden.size > 0 || severity !== 'none' || fields.length > 0
  const { words } = period
  const command = logCommand({
    namespace,
    resource,
    name,
    container,
    isPrevious: false,
    sinceSeconds: period.seconds,
  })

  return (
    <div className="flex min-h-[28rem] flex-1 flex-col">
      <div className="flex shrink-0 flex-col gap-2 border-b border-line px-(--gutter) py-2">
        <LogToolbar
          listLocation={listLocation}
          containers={containers}
          look={look}
          onToggle={toggle}
          isPaused={snapshot.isPaused}
          onTogglePause={togglePause}
          isDownloading={isDownloading}
          onDownload={() => void download()}
        >
          <LogSearchField
            field={found.field}
            search={found.search}
            error={found.error}
            count={found.matches.length}
            position={found.position}
            onChange={found.changeSearch}
            onStep={found.step}
          />
        </LogToolbar>
        <LogFilterLine
          pods={pods}
          hidden={hidden}
          onHide={setHidden}
          fields={fields}
          onFields={setFields}
          snapshot={snapshot}
        />
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
            pattern={found.pattern}
            currentId={found.currentId}
            {...look}
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
          <LogMinimap store={store} list={list} matches={found.matches} scrolled={scrolled} />
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
