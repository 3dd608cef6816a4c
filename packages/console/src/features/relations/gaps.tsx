import type { Impact } from '../../data/relations.ts'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** What is missing from what is shown, a line each. */
export function Gaps({ gaps }: { gaps: Impact['gaps'] }) {
  if (gaps.length === 0) return null
  return (
    <div className="px-(--gutter) pt-3">
      <Notice tone="warn" title="Some of it could not be read now">
        <ul>
          {gaps.slice(0, 5).map(({ source, reason, since }) => (
            <li key={`${source} ${reason}`}>
              {source}: {reason}
              {since === null ? null : (
                <>
                  {' '}
                  Last read <RelativeTime at={since} />.
                </>
              )}
            </li>
          ))}
          {gaps.length > 5 ? <li>{gaps.length - 5} more</li> : null}
        </ul>
      </Notice>
    </div>
  )
}
