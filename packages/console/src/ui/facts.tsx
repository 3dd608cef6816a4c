import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface Fact {
  label: string
  value: ReactNode
}

export interface FactsProps {
  facts: readonly Fact[]
  /** `rows`: label and value side by side, for panels. `columns`: label above value, for the width of a page. */
  layout?: 'rows' | 'columns'
}

/** What is known about one thing, as pairs of label and value. */
export function Facts({ facts, layout = 'rows' }: FactsProps) {
  const isRows = layout === 'rows'
  return (
    <dl
      className={
        isRows
          ? 'divide-y divide-line'
          : 'grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-4'
      }
    >
      {facts.map(({ label, value }) => (
        <div
          key={label}
          className={cx('min-w-0', isRows && 'flex items-baseline justify-between gap-4 py-1.5')}
        >
          <dt className={cx('text-text-2', !isRows && 'text-small')}>{label}</dt>
          <dd className={cx('min-w-0 break-words', isRows && 'text-right')}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
