import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { serverAnswer, useUnansweredSince } from '../../data/live-answer.ts'
import { Button } from '../../ui/button.tsx'
import { useDelayed } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { momentText } from '../../ui/time-text.ts'

/** A server that answers again sooner is not worth a line. */
const bandAfterMs = 10_000
const adviceAfterMs = 60_000

/** On every page while the server does not answer: since when, and later what to check. */
export default function NoAnswerBand() {
  const since = useUnansweredSince()
  return since === undefined ? null : <Unanswered key={since} since={since} />
}

function Unanswered({ since }: { since: number }) {
  // Since the last answer, and not since that was noticed.
  const [foundAt] = useState(Date.now)
  const isDue = useDelayed(true, Math.max(0, since + bandAfterMs - foundAt))
  const isLong = useDelayed(true, Math.max(0, since + adviceAfterMs - foundAt))
  const [isAsking, setAsking] = useState(false)
  useTimeStyle()
  useEffect(() => {
    if (!isDue) return
    const { dataset } = document.documentElement
    dataset['unanswered'] = ''
    return () => void delete dataset['unanswered']
  }, [isDue])
  if (!isDue) return null
  const retry = async () => {
    setAsking(true)
    await serverAnswer.ask()
    setAsking(false)
  }
  return (
    <section
      aria-label="No answer from the server"
      data-current=""
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-danger-soft px-3 py-1.5"
    >
      <WifiOff size={16} aria-hidden className="shrink-0 text-danger" />
      <div role="alert" className="min-w-0 flex-1 basis-56">
        <p>
          <strong className="font-semibold">
            No answer from the server since{' '}
            <span className="tabular-nums">{momentText(new Date(since))}</span>.
          </strong>{' '}
          What you see may have changed.
        </p>
        {isLong ? (
          <p className="text-text-2">
            Check that the server runs, that this device has a network, and that a proxy in between reaches
            the server. The page comes back by itself.
          </p>
        ) : null}
      </div>
      <Button size="small" busy={isAsking} onClick={() => void retry()}>
        Retry
      </Button>
    </section>
  )
}
