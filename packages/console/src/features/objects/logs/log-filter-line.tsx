import { Button } from '../../../ui/button.tsx'
import type { LogPod } from './log-pods.tsx'
import { LogPods } from './log-pods.tsx'
import type { FieldFilter, LogSnapshot } from '../../../entities/kubernetes/logs/log-store.ts'

/** Whose lines are shown, which fields narrow them, and how many of them are errors and warnings. */
export function LogFilterLine({
  pods,
  hidden,
  onHide,
  fields,
  onFields,
  snapshot,
}: {
  pods: readonly LogPod[]
  /** Uids of the pods whose lines are not shown. */
  hidden: ReadonlySet<string>
  onHide: (hidden: ReadonlySet<string>) => void
  fields: readonly FieldFilter[]
  onFields: (fields: readonly FieldFilter[]) => void
  snapshot: Pick<LogSnapshot, 'errors' | 'warnings'>
}) {
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-2">
      <LogPods pods={pods} hidden={hidden} onChange={onHide} />
      {fields.map((each) => (
        <Button
          key={`${each.isExcluded ? '-' : '+'}${each.key}=${each.value}`}
          size="small"
          variant="ghost"
          aria-label={`Remove the filter ${each.key}=${each.value}`}
          onClick={() => onFields(fields.filter((other) => other !== each))}
        >
          {each.isExcluded ? 'without' : 'only'} {each.key}={each.value.slice(0, 24)} ×
        </Button>
      ))}
      <span className="ml-auto flex gap-4 text-small tabular-nums">
        {snapshot.errors > 0 ? <Count tone="text-danger" count={snapshot.errors} word="error" /> : null}
        {snapshot.warnings > 0 ? <Count tone="text-warn" count={snapshot.warnings} word="warning" /> : null}
      </span>
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
