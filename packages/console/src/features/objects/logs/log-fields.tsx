import { Minus, Plus } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lineTime } from '../../../ui/time-text.ts'
import type { FieldFilter, LineEntry } from '../../../entities/kubernetes/logs/log-store.ts'
import { allFields } from '../../../entities/kubernetes/logs/log-text.ts'
import type { RowSource } from './log-row.tsx'

export interface LogFieldsProps {
  entry: LineEntry
  source: RowSource
  onFilter: (filter: FieldFilter) => void
  onOnlyThisPod: () => void
}

/** A JSON line opened in place: its fields, each of which can become a filter. */
export function LogFields({ entry, source, onFilter, onOnlyThisPod }: LogFieldsProps) {
  return (
    <section
      aria-label="Fields of the line"
      className="mx-3 my-1 rounded-control border border-line-strong bg-raised px-3 py-2 sm:ml-[6ch]"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 font-sans">
        <span className="font-mono font-semibold">
          {source.suffix} · {source.container} · {lineTime(new Date(entry.at))}
        </span>
        <span className="ml-auto flex items-center gap-1">
          <Button size="small" variant="ghost" onClick={onOnlyThisPod}>
            Only this pod
          </Button>
          <CopyButton text={entry.text} label="Copy line" />
        </span>
      </div>
      <dl className="mt-1 grid gap-x-8 lg:grid-cols-2">
        {allFields(entry.text).map(([key, value]) => (
          <div key={key} className="flex min-w-0 items-start gap-3">
            <dt className="w-[14ch] shrink-0 truncate text-text-2">{key}</dt>
            <dd className="min-w-0 flex-1 break-all whitespace-pre-wrap">{value}</dd>
            <span className="flex shrink-0 font-sans">
              <FilterButton
                isExcluded={false}
                onFilter={() => onFilter({ key, value, isExcluded: false })}
                field={key}
              />
              <FilterButton
                isExcluded
                onFilter={() => onFilter({ key, value, isExcluded: true })}
                field={key}
              />
            </span>
          </div>
        ))}
      </dl>
    </section>
  )
}

function FilterButton({
  isExcluded,
  field,
  onFilter,
}: {
  isExcluded: boolean
  field: string
  onFilter: () => void
}) {
  const label = isExcluded ? `Hide lines with this ${field}` : `Only lines with this ${field}`
  return (
    <IconButton
      label={label}
      size="small"
      className="!size-5"
      icon={isExcluded ? <Minus size={12} aria-hidden /> : <Plus size={12} aria-hidden />}
      onClick={onFilter}
    />
  )
}
