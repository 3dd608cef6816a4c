import { ChevronRight } from 'lucide-react'
import type { RefObject } from 'react'
import { cx } from './class-names.ts'

/** A step of scrolling, as a share of the box. */
const scrollShare = 0.6

/** At the right edge of a table that goes on there: says so, and leads on. */
export function ScrollHint({
  box,
  hasMore,
  hasActions,
}: {
  box: RefObject<HTMLElement | null>
  hasMore: boolean
  /** The last column stays where it is, and what scrolls goes on beneath it. */
  hasActions: boolean
}) {
  if (!hasMore) return null
  const scroll = () =>
    box.current?.scrollBy({ left: box.current.clientWidth * scrollShare, behavior: 'smooth' })
  return (
    <>
      <span
        aria-hidden
        className={cx(
          'pointer-events-none absolute inset-y-0 z-20 w-3 md:w-8 bg-linear-to-l from-bg to-transparent',
          hasActions ? 'right-16 max-md:right-13' : 'right-0',
        )}
      />
      <button
        type="button"
        // The keyboard scrolls the box itself.
        tabIndex={-1}
        aria-label="Scroll to more columns"
        data-tooltip="More columns"
        onClick={scroll}
        className="absolute top-1 right-1 z-20 flex size-6 items-center justify-center rounded-control border border-line-strong bg-raised text-text-2 hover:bg-hover hover:text-text"
      >
        <ChevronRight size={14} aria-hidden />
      </button>
    </>
  )
}
