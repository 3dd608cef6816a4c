import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'

export interface TabLink {
  href: string
  label: string
  /** A count beside the label. */
  count?: ReactNode
  isCurrent: boolean
}

/** Tabs are links: each has an address, so Back works and one can be sent to a colleague. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const bar = useRef<HTMLElement>(null)
  const current = tabs.find((tab) => tab.isCurrent)?.href
  useEffect(() => {
    const row = bar.current
    if (row === null || typeof ResizeObserver === 'undefined') return undefined
    // It reports once with the layout of the next frame, and again when the row or a tab gets another width: a turned phone, a
    // count that arrives.
    const observer = new ResizeObserver(() => showCurrent(row))
    for (const element of [row, ...row.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [current])
  return (
    <nav ref={bar} aria-label={label} className="-mx-1 -mb-px flex gap-1 overflow-x-auto">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.isCurrent ? 'page' : undefined}
          className={cx(
            'flex h-9 items-center gap-1.5 border-b-2 px-2 font-medium whitespace-nowrap -outline-offset-2',
            tab.isCurrent
              ? 'border-accent text-text'
              : 'border-transparent text-text-2 transition-colors duration-75 hover:border-line-strong hover:text-text',
          )}
        >
          {tab.label}
          {tab.count === undefined ? null : (
            <>
              {/* Kept apart for screen readers: "Logs 3". */}{' '}
              <span className="text-small font-normal text-text-3 tabular-nums">{tab.count}</span>
            </>
          )}
        </Link>
      ))}
    </nav>
  )
}

/** On a narrow screen the current tab may lie beyond the edge. Moves the row alone: the page stays where it is read. */
function showCurrent(row: HTMLElement): void {
  const tab = row.querySelector('[aria-current]')?.getBoundingClientRect()
  if (tab === undefined) return
  const { left, right } = row.getBoundingClientRect()
  if (tab.left < left) row.scrollLeft -= left - tab.left
  else if (tab.right > right) row.scrollLeft += tab.right - right
}
