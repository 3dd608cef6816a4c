import { useId } from 'react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface SectionProps {
  title: string
  /** At the end of the heading's line: a link, freshness. */
  aside?: ReactNode
  /** A card holds one group of facts; without it the content is on the page itself. */
  isCard?: boolean
  className?: string
  children: ReactNode
}

/** A titled part of a page. */
export function Section({ title, aside, isCard = false, className, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('min-w-0', className)}>
      <div className="mb-2 flex min-h-6 flex-wrap max-sm:min-h-7 items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside ? <div className="text-small text-text-2">{aside}</div> : null}
      </div>
      {isCard ? <div className="rounded-card border border-line p-4">{children}</div> : children}
    </section>
  )
}
