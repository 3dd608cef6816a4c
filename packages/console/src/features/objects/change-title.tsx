import type { ChangeEntry } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { runHref } from '../../lib/run-text.ts'
import { Link } from '../../ui/link.tsx'

/** What happened, as a link to the run, the kept version or the object. */
export function ChangeTitle({ clusterId, change }: { clusterId: number; change: ChangeEntry }) {
  const { title, object, versionId, run } = change
  if (run) return <Link href={runHref(run)}>{title}</Link>
  if (!object?.resource) return <>{title}</>
  const path = objectPath({ clusterId, ...object, resource: object.resource })
  return <Link href={versionId ? `${path}?tab=history&q=${versionId}` : path}>{title}</Link>
}
