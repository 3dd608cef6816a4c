import { useEffect, useState } from 'react'
import { useUnansweredSince } from '../../data/live-answer.ts'
import { Notice } from '../../ui/notice.tsx'

/**
 * In place of skeletons while the server does not answer: nothing is on its way. Skeletons mark themselves with
 * `data-skeleton`, wherever they stand.
 */
export default function UnreadNotice() {
  const isUnanswered = useUnansweredSince() !== undefined
  const hasSkeletons = useHasSkeletons(isUnanswered)
  if (!isUnanswered || !hasSkeletons) return null
  return (
    <div data-unread="" className="px-(--gutter) pt-6">
      <Notice tone="warn" title="Not loaded: the server does not answer">
        It loads as soon as the server answers again.
      </Notice>
    </div>
  )
}

function useHasSkeletons(isWatching: boolean): boolean {
  const [hasSkeletons, setHasSkeletons] = useState(false)
  useEffect(() => {
    const main = document.getElementById('main')
    if (!isWatching || !main) return
    const check = () => setHasSkeletons(main.querySelector('[data-skeleton]') !== null)
    check()
    const observer = new MutationObserver(check)
    observer.observe(main, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [isWatching])
  return hasSkeletons
}
