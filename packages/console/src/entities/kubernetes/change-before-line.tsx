import { Link } from '../../ui/link.tsx'
import { actorName, changeHref, durationText } from './change-before.ts'
import { useChangeBefore } from './use-change-before.ts'

/** "It began 40 s after “Deployment shop updated” by Ada Lovelace."; nothing where no change is known. */
export function ChangeBeforeLine({
  clusterId,
  since,
}: {
  clusterId: number | undefined
  since: string | null
}) {
  const before = useChangeBefore(clusterId, since)
  if (!before || clusterId === undefined) return null
  const { change, afterText } = before
  const href = changeHref(clusterId, change)
  return (
    <>
      It began {afterText === durationText(0) ? 'with' : `${afterText} after`} “
      {href === undefined ? (
        change.title
      ) : (
        <Link href={href} className="underline underline-offset-2 hover:text-accent-text">
          {change.title}
        </Link>
      )}
      ”{change.by === null ? '' : ` by ${actorName(change.by)}`}.{' '}
    </>
  )
}
