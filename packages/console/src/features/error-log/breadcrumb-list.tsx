import type { Breadcrumb } from '@bey/contract'
import { CornerDownRight, MessageSquare, MousePointerClick, Plug } from 'lucide-react'
import { cx } from '../../ui/class-names.ts'
import { clockTime } from '../../ui/time-text.ts'

const looks: Readonly<Record<Breadcrumb['type'], { icon: typeof Plug; word: string }>> = {
  route: { icon: CornerDownRight, word: 'Opened' },
  click: { icon: MousePointerClick, word: 'Clicked' },
  api: { icon: Plug, word: 'Called' },
  toast: { icon: MessageSquare, word: 'Read' },
}

/** What the person did and the console asked before an error, the last at the end. */
export function BreadcrumbList({ crumbs, at }: { crumbs: readonly Breadcrumb[]; at: string }) {
  if (crumbs.length === 0) {
    return <p className="text-text-2">Nothing was recorded before it: it came with the first page.</p>
  }
  return (
    <ol aria-label="Breadcrumbs" className="divide-y divide-line rounded-control border border-line">
      {crumbs.map((crumb, index) => (
        // Two calls may be the same to the millisecond.
        // oxlint-disable-next-line react/no-array-index-key
        <Crumb key={index} crumb={crumb} />
      ))}
      <li className="flex items-baseline gap-3 px-3 py-1.5 font-medium text-danger">
        <time dateTime={at} className="text-small tabular-nums">
          {timeOf(at)}
        </time>
        The error
      </li>
    </ol>
  )
}

function Crumb({ crumb }: { crumb: Breadcrumb }) {
  const { icon: Icon, word } = looks[crumb.type] ?? looks.api
  const hasFailed = crumb.status !== undefined && (crumb.status === 0 || crumb.status >= 400)
  return (
    <li className="flex items-baseline gap-3 px-3 py-1.5">
      <time dateTime={crumb.at} className="text-small text-text-2 tabular-nums">
        {timeOf(crumb.at)}
      </time>
      <Icon size={14} aria-hidden className="shrink-0 self-center text-text-3" />
      <span className="sr-only sm:not-sr-only sm:w-16 sm:shrink-0 sm:text-text-2">{word}</span>
      <span className={cx('min-w-0 flex-1 break-words', crumb.type === 'api' && 'font-mono text-small')}>
        {crumb.message}
      </span>
      {crumb.status === undefined ? null : (
        <span className={cx('text-small tabular-nums', hasFailed ? 'text-danger' : 'text-text-2')}>
          {crumb.status === 0 ? 'no answer' : crumb.status}
        </span>
      )}
    </li>
  )
}

function timeOf(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '—' : clockTime(date)
}
