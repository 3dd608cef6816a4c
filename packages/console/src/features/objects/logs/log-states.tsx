import { causeOf, errorText } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import type { LogConnection } from '../../../data/log-stream.ts'
import type { LogSnapshot } from '../../../entities/kubernetes/logs/log-store.ts'
import { hiddenLinesText } from './log-words.ts'

export interface LogEmptyProps {
  snapshot: LogSnapshot
  connection: LogConnection
  /** "in the last 15 min"; empty where everything is shown. */
  period: string
  isFiltered: boolean
  onRetry: () => void
  onPrevious: (() => void) | undefined
  onLonger: (() => void) | undefined
  onClearFilter: () => void
}

/** What stands in place of lines: reading, refused, no pods, nothing written, everything hidden. */
export function LogEmpty(props: LogEmptyProps) {
  const { snapshot, connection, period } = props
  if (connection.status === 'refused')
    return <ErrorState {...errorText('The log cannot be read', connection.error)} onRetry={props.onRetry} />
  const [forbidden] = snapshot.problems
  if (forbidden && snapshot.total === 0) {
    return (
      <EmptyState
        title={forbidden.code === 'forbidden' ? 'The cluster does not allow this' : 'The log cannot be read'}
        description={forbidden.message}
        action={<Button onClick={props.onRetry}>Try again</Button>}
      />
    )
  }
  if (!snapshot.hasBegun) {
    if (connection.status === 'lost')
      return (
        <ErrorState
          title="The log cannot be read at the moment"
          detail={causeOf(connection.error)}
          onRetry={props.onRetry}
        />
      )
    return (
      <DelayedSkeleton>
        <div className="flex flex-col gap-2 p-3">
          {['w-3/4', 'w-1/2', 'w-2/3', 'w-2/5', 'w-3/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      </DelayedSkeleton>
    )
  }
  if (snapshot.total > 0 && props.isFiltered) {
    return (
      <EmptyState
        title={hiddenLinesText(snapshot.total)}
        description="No line passes the chosen pods, severity and fields."
        action={<Button onClick={props.onClearFilter}>Show all lines</Button>}
      />
    )
  }
  if (snapshot.podCount === 0 && snapshot.sources.size === 0) {
    return (
      <EmptyState
        title="No pods at the moment"
        description="Their lines appear here as soon as one starts."
      />
    )
  }
  return (
    <EmptyState
      title={period ? `Nothing was written ${period}` : 'Nothing was written yet'}
      description="New lines appear here as they are written."
      action={
        <>
          {props.onPrevious ? <Button onClick={props.onPrevious}>Previous run</Button> : null}
          {props.onLonger ? <Button onClick={props.onLonger}>Since 1 h</Button> : null}
        </>
      }
    />
  )
}
