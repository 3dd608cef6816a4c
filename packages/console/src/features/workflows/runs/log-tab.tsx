import { isRunOver } from '@bey/contract'
import { useCallback, useMemo, useState } from 'react'
import type { LogRange } from '../../../data/log-window.ts'
import { isSamePages, useLogWindow } from '../../../data/log-window.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { LogWindow } from '../../../ui/log-window.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { FilteredLog } from './filtered-log.tsx'
import { LogFoot } from './log-foot.tsx'
import { createShownLines, namesOf } from './log-lines.ts'
import { LogToolbar } from './log-toolbar.tsx'
import type { RunTabProps } from './run-page.tsx'

/** More steps than this are chosen in their list, not in a select. */
const mostOptions = 200

/** Everything that a run wrote, or the lines of one step, level or search. */
export function LogTab({ detail, runLocation }: RunTabProps) {
  const { run, steps } = detail
  const { step, level, search } = runLocation
  const filter = useMemo(
    () => ({
      ...(step === undefined ? {} : { stepKey: step }),
      ...(level === 'debug' ? {} : { level }),
      ...(search === '' ? {} : { search }),
    }),
    [step, level, search],
  )
  const isWhole = Object.keys(filter).length === 0
  const names = useMemo(() => namesOf(steps), [steps])
  const isLive = !isRunOver(run.status)
  const options = steps.slice(0, mostOptions).map(({ key, name }) => ({ value: key, label: name }))
  return (
    <div className="flex min-h-[26rem] flex-1 basis-0 flex-col">
      <Toolbar
        end={
          <LogToolbar runLocation={runLocation} workflowId={run.workflowId} runId={run.id} stepKey={step} />
        }
      >
        <FilterSelect
          label="Step"
          all="All steps"
          value={step}
          options={options}
          onChange={(key) => runLocation.change({ step: key })}
          className="max-w-56"
        />
      </Toolbar>
      {isWhole ? (
        <WholeLog workflowId={run.workflowId} runId={run.id} names={names} isLive={isLive} />
      ) : (
        <FilteredLog
          key={JSON.stringify(filter)}
          label="Log of the run"
          workflowId={run.workflowId}
          runId={run.id}
          filter={filter}
          names={step === undefined ? names : undefined}
          isLive={isLive}
          className="flex-1"
        />
      )}
    </div>
  )
}

function WholeLog(props: {
  workflowId: string
  runId: string
  names: ReadonlyMap<string, string>
  isLive: boolean
}) {
  const { workflowId, runId, names, isLive } = props
  const [isFollowing, setFollowing] = useState(true)
  const [range, setRange] = useState<LogRange>({ first: 0, last: 0 })
  usePageKeys('Log', [{ keys: ['f'], does: 'Follow the newest line', run: () => setFollowing((is) => !is) }])
  const { count, lineAt, gap, error } = useLogWindow(workflowId, runId, range)
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((known) => (isSamePages(known, { first, last }) ? known : { first, last })),
    [],
  )
  const shownLineOf = useMemo(() => createShownLines(names), [names])
  const shownAt = (index: number) => {
    const line = lineAt(index)
    return line && shownLineOf(line, index > 0 ? lineAt(index - 1) : undefined)
  }
  return (
    <>
      {error ? (
        <p role="alert" className="px-(--gutter) py-1.5 text-danger">
          Failed to fetch the log: {causeOf(error)}
        </p>
      ) : null}
      <LogWindow
        label="Log of the run"
        count={count ?? 0}
        lineAt={shownAt}
        onRange={onRange}
        empty={count === undefined ? '' : isLive ? 'Waiting for the first line.' : 'This run wrote no log.'}
        isFollowing={isFollowing}
        onFollowingChange={setFollowing}
        className="flex-1"
      />
      <LogFoot count={count ?? 0} isFollowing={isFollowing} isLive={isLive} gap={gap} />
    </>
  )
}
