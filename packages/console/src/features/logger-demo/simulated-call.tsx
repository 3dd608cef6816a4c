import { useState } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { formatDuration } from '../../lib/format.ts'
import { logger } from '../../lib/logger.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { simulateApiCall } from './simulate-api-call.ts'

interface Outcome {
  status: 'completed' | 'failed'
  text: string
}

export function SimulatedCall() {
  const [isRunning, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const run = async () => {
    setRunning(true)
    setOutcome(undefined)
    const startedAt = performance.now()
    try {
      await simulateApiCall()
      const durationMs = performance.now() - startedAt
      logger.success('API call succeeded', { durationMs: Math.round(durationMs) })
      setOutcome({ status: 'completed', text: `Succeeded after ${formatDuration(durationMs)}` })
    } catch (error) {
      logger.error(causeOf(error), error)
      setOutcome({ status: 'failed', text: causeOf(error) })
    } finally {
      logger.metric('The simulated API call', performance.now() - startedAt)
      setRunning(false)
    }
  }
  return (
    <Section title="Simulate a call" isCard>
      <p className="text-text-2">
        Waits 1.5 s, then succeeds about seven times in ten. A success and a failure are each logged with what
        came with them, and one in ten of the durations as a metric.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button busy={isRunning} onClick={() => void run()}>
          {isRunning ? 'Loading...' : 'Simulate API Call'}
        </Button>
        <output className="min-h-5">
          {outcome ? <Status status={outcome.status} label={outcome.text} /> : null}
        </output>
      </div>
    </Section>
  )
}
