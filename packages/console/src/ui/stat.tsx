import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { Skeleton } from './skeleton.tsx'

export interface StatProps {
  label: string
  /** The one figure; `undefined` while it loads, `null` where there is none. */
  value: ReactNode | undefined
  /** What qualifies it: "1 updating". */
  detail?: ReactNode
  /** The list behind the figure. */
  href?: string
  className?: string
}

export function Stat({ label, value, detail, href, className }: StatProps) {
  const body = (
    <>
      <span className="block text-small text-text-2">{label}</span>
      <span className="flow-root h-8 text-figure font-semibold tabular-nums">
        {value === undefined ? <Skeleton className="mt-2 h-5 w-14" /> : (value ?? '—')}
      </span>
      <span className="block min-h-4 text-small text-text-3 tabular-nums">{detail}</span>
    </>
  )
  const box = cx('block min-w-0 px-(--gutter) py-4', className)
  if (!href) return <div className={box}>{body}</div>
  return (
    <Link href={href} className={cx(box, '-outline-offset-2 transition-colors duration-75 hover:bg-hover')}>
      {body}
    </Link>
  )
}

/** A band of stats between two hairlines: two abreast on a phone, all in one row on a desk. */
export function StatBand({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 border-b border-line [&>*]:border-line max-md:[&>*:nth-child(even)]:border-l max-md:[&>*:nth-child(n+3)]:border-t md:auto-cols-fr md:grid-flow-col md:grid-cols-none md:[&>*+*]:border-l">
      {children}
    </div>
  )
}
