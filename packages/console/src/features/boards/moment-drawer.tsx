import { Drawer } from '../../ui/drawer.tsx'
import { Link } from '../../ui/link.tsx'
import { absoluteTime, shortTime } from '../../ui/time-text.ts'
import type { ChangeMark } from '../../entities/metrics/use-change-marks.ts'

const nearMs = 30 * 60_000

/** What was there at a time of a chart: every change within half an hour, each with its page. */
export function MomentDrawer({
  at,
  marks,
  onClose,
}: {
  at: number
  marks: readonly ChangeMark[]
  onClose: () => void
}) {
  const near = marks.filter((mark) => Math.abs(mark.at - at) <= nearMs)
  const from = new Date(at - nearMs).toISOString()
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={absoluteTime(new Date(at))}
      description="Changes within 30 minutes before and after"
      footer={<Link href={`/workflows/runs?from=${encodeURIComponent(from)}`}>All workflow runs</Link>}
    >
      {near.length === 0 ? (
        <p className="text-text-2">No deployment, run or edit is known of this time.</p>
      ) : (
        <ul className="flex flex-col">
          {near.map((mark) => (
            <li
              key={`${mark.at}/${mark.text}`}
              className="flex gap-3 border-t border-line py-2 first:border-0"
            >
              <span className="w-12 shrink-0 text-text-3 tabular-nums">{shortTime(new Date(mark.at))}</span>
              <span className="min-w-0">
                <Link href={mark.href} className="break-words">
                  {mark.text}
                </Link>
                <span className="block text-small text-text-3">{mark.kind}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  )
}
