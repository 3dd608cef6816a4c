import type { ReactNode } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/class-names.ts'

/** One of a few ways, as a row of their box. */
export function RadioRow<T extends string>({
  name,
  value,
  chosen,
  onChoose,
  title,
  badge,
  children,
}: {
  /** Of the group. */
  name: string
  value: T
  chosen: T
  onChoose: (value: T) => void
  title: string
  badge?: string
  children: ReactNode
}) {
  return (
    <label
      className={cx(
        'flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 border-line px-3 py-2 not-first-of-type:border-t touch:min-h-11',
        value === chosen && 'bg-accent-soft',
      )}
    >
      <input
        type="radio"
        name={name}
        className="size-4 shrink-0 accent-accent"
        checked={value === chosen}
        onChange={() => onChoose(value)}
      />
      <span className="min-w-0 flex-1 basis-60">
        <span className="font-medium break-words">{title}</span>{' '}
        <span className="ml-1 text-text-2">{children}</span>
      </span>
      {badge === undefined ? null : <Badge>{badge}</Badge>}
    </label>
  )
}
