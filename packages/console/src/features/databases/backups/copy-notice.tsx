import type { Database } from '../../../data/databases.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { momentText } from '../../../ui/time-text.ts'

/** Of which database this one is a copy, and as of when. */
export function CopyNotice({ database: { restoredFrom } }: { database: Database }) {
  if (restoredFrom === null) return null
  return (
    <div className="px-(--gutter) pt-4">
      <Notice tone="info" title={`A copy of ${restoredFrom.name} as of ${momentText(restoredFrom.at)}`}>
        It has an address and a password of its own.{' '}
        <Link href={databaseHref(restoredFrom.id)} className="underline">
          Open {restoredFrom.name}
        </Link>
      </Notice>
    </div>
  )
}
