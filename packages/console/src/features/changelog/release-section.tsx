import { Link2 } from 'lucide-react'
import type { Release } from '../../lib/changelog.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { ChangeLine } from './change-line.tsx'

const tones: Record<Release['groups'][number]['kind'], BadgeTone> = {
  Added: 'ok',
  Changed: 'info',
  Deprecated: 'warn',
  Removed: 'danger',
  Fixed: 'neutral',
  Security: 'accent',
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** One version: its date at the side, what it brought by kind; `#v1.2.0` leads to it. */
export function ReleaseSection({
  release,
  query,
  isCurrent,
}: {
  release: Release
  /** Words to mark. */
  query: string
  isCurrent: boolean
}) {
  const { version, date, groups } = release
  const id = `v${version}`
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-x-10 gap-y-4 border-b border-line py-6 last:border-b-0 md:grid-cols-[10rem_minmax(0,44rem)]"
    >
      <header className="self-start md:sticky md:top-4">
        <h2 id={`${id}-title`} className="group flex items-center gap-1 text-lead font-semibold tabular-nums">
          <Link href={`/changelog#${id}`} className="flex items-center gap-1.5 hover:underline">
            {version}
            <Link2 size={14} aria-hidden className="text-text-3" />
            <span className="sr-only">: link to this version</span>
          </Link>
        </h2>
        {/* On a phone in one line, which is there before the version is known. */}
        <p className="mt-0.5 flex min-h-5 flex-wrap items-center gap-x-3 gap-y-2 text-text-2">
          {date ? <time dateTime={date}>{day.format(new Date(date))}</time> : 'Not released yet'}
          {isCurrent ? <Badge>this version</Badge> : null}
        </p>
      </header>
      <div className="flex min-w-0 flex-col gap-6">
        {groups.map(({ kind, changes }) => (
          <section key={kind} aria-label={`${kind} in ${version}`}>
            <h3 className="mb-2">
              <Badge tone={tones[kind]}>{kind}</Badge>
            </h3>
            <ul className="flex flex-col gap-2">
              {changes.map((change) => (
                <ChangeLine key={change.map((part) => part.text).join('')} change={change} query={query} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}
