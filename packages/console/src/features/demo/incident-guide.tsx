import { useRouterState } from '@tanstack/react-router'
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useDashboard } from '../../data/analytics.ts'
import { useDemo } from '../../data/demo.ts'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { useShownPath } from '../../lib/shown-path.ts'
import { storage } from '../../lib/storage.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import {
  currentStep,
  failingWorkloads,
  type GuideStepId,
  guideSteps,
  stepsAnsweredBy,
} from './guide-steps.ts'

const changeMs = 3_000

/** What the browser remembers of the guide of one demo. */
interface Progress {
  organizationId: number
  answered: GuideStepId[]
  isFolded: boolean
  isEnded: boolean
  healthyAt: string | null
}

function readProgress(organizationId: number): Progress {
  const fresh = { organizationId, answered: [], isFolded: false, isEnded: false, healthyAt: null }
  const text = storage.read('demoGuide')
  if (text === null) return fresh
  try {
    // Only this module writes the key; of another demo it is begun anew.
    const kept = JSON.parse(text) as Progress
    return kept.organizationId === organizationId ? { ...fresh, ...kept } : fresh
  } catch (error) {
    if (error instanceof SyntaxError) return fresh
    throw error
  }
}

/**
 * The incident of a demo as five questions at the foot of the real console. A question is answered by what its visitor
 * opens, whichever way they took, and the last one by the cluster itself.
 */
export default function IncidentGuide() {
  const organizationId = useCurrentOrganization()?.id ?? 0
  return <Guide key={organizationId} organizationId={organizationId} />
}

function Guide({ organizationId }: { organizationId: number }) {
  const [progress, setProgress] = useState(() => readProgress(organizationId))
  const path = useShownPath()
  // Parts of pages stand in the address; anything else there is of no interest.
  const tab = useRouterState({ select: ({ location }) => tabOf(location.searchStr) })
  const clusterId = useDemo().data?.incidentClusterId ?? undefined
  const isOpen = !progress.isEnded && currentStep(progress.answered) !== undefined
  const state = useIncident(clusterId, isOpen)

  const keep = (change: Partial<Progress>) => setProgress({ ...progress, ...change })
  const seen = clusterId === undefined ? [] : stepsAnsweredBy({ clusterId, path, tab })
  const next = advanced(progress, seen, state)
  if (next !== progress) setProgress(next)
  useEffect(() => storage.write('demoGuide', JSON.stringify(progress)), [progress])

  if (clusterId === undefined || progress.isEnded) return null
  const current = currentStep(progress.answered)
  if (current === undefined) {
    return (
      <Bar number={5} isFolded={false}>
        <Words
          title={solvedText(state.changedAt, progress.healthyAt)}
          text="What you did is in the audit log under your name. Other faults are a click away."
        />
        <ButtonLink size="small" href={`/kubernetes/clusters/${clusterId}/faults`}>
          Break something else
        </ButtonLink>
        <Button size="small" variant="ghost" onClick={() => keep({ isEnded: true })}>
          Close
        </Button>
      </Bar>
    )
  }
  const { step, number } = current
  const isUnderWay = state.changedAt !== null
  return (
    <Bar number={number} isFolded={progress.isFolded} onFold={() => keep({ isFolded: !progress.isFolded })}>
      <Words
        title={isUnderWay ? 'search is being replaced.' : step.question}
        text={isUnderWay ? 'Its pods start, and what waits for it becomes ready after it.' : step.hint}
        isFolded={progress.isFolded}
      />
      {progress.isFolded ? null : (
        <>
          <ButtonLink size="small" href={step.href(clusterId)}>
            Show me
          </ButtonLink>
          <Button size="small" variant="ghost" onClick={() => keep({ isEnded: true })}>
            Skip
          </Button>
        </>
      )}
    </Bar>
  )
}

/** The same object where nothing was answered that was not before. */
function advanced(progress: Progress, seen: readonly GuideStepId[], incident: Incident): Progress {
  const isSolved = incident.isHealthy && incident.changedAt !== null
  const answered = isSolved ? [...seen, 'rollback' as const] : seen
  const added = answered.filter((id) => !progress.answered.includes(id))
  if (added.length === 0) return progress
  const healthyAt = isSolved ? new Date(incident.readAt).toISOString() : null
  return {
    ...progress,
    answered: [...progress.answered, ...added],
    healthyAt: progress.healthyAt ?? healthyAt,
  }
}

interface Incident {
  /** When the server was asked last, in milliseconds. */
  readAt: number
  /** Whether none of its workloads fails any more. */
  isHealthy: boolean
  /** When the visitor changed its cause. */
  changedAt: string | null
}

function useIncident(clusterId: number | undefined, isOpen: boolean): Incident {
  const { data, dataUpdatedAt } = useDashboard()
  const demo = useDemo()
  // The audit trail has no event.
  useRead('demo.get', {}, { refreshMs: changeMs, isEnabled: isOpen })
  const left = data?.attention.items.filter(
    ({ cluster, name }) => cluster?.id === clusterId && failingWorkloads.some((each) => each === name),
  )
  return {
    readAt: dataUpdatedAt,
    isHealthy: left?.length === 0,
    changedAt: demo.data?.causeChangedAt ?? null,
  }
}

function tabOf(search: string): string | undefined {
  return new URLSearchParams(search).get('tab') ?? undefined
}

function solvedText(changedAt: string | null, healthyAt: string | null): string {
  if (changedAt === null || healthyAt === null) return 'Solved: healthy again.'
  const seconds = Math.max(1, Math.round((Date.parse(healthyAt) - Date.parse(changedAt)) / 1_000))
  return `Solved: healthy again after ${seconds} s.`
}

function Bar({
  number,
  isFolded,
  onFold,
  children,
}: {
  number: number
  isFolded: boolean
  onFold?: () => void
  children: ReactNode
}) {
  const user = useUser()
  if (!user) return null
  return (
    <section
      aria-label="Incident guide"
      className="flex shrink-0 flex-wrap items-center gap-x-6 gap-y-2 max-md:gap-x-2 border-t border-line bg-raised px-(--gutter) py-2.5 max-md:border-t-0 max-md:border-b md:flex-nowrap"
    >
      <div className="shrink-0">
        <p className="text-small text-text-2 tabular-nums">
          Incident, {number} of {guideSteps.length}
        </p>
        <div aria-hidden className="mt-1 flex gap-0.5">
          {guideSteps.map(({ id }, index) => (
            <span
              key={id}
              className={cx(
                'h-1.5 w-4.5 rounded-[1px]',
                index + 1 < number ? 'bg-text-2' : index + 1 === number ? 'bg-accent' : 'bg-active',
              )}
            />
          ))}
        </div>
      </div>
      {children}
      {onFold ? (
        <IconButton
          label={isFolded ? 'Show the guide' : 'Fold the guide'}
          aria-expanded={!isFolded}
          onClick={onFold}
          icon={isFolded ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
        />
      ) : null}
    </section>
  )
}

function Words({ title, text, isFolded = false }: { title: string; text: string; isFolded?: boolean }) {
  return (
    <div aria-live="polite" className="min-w-0 flex-1 max-md:order-last max-md:basis-full">
      <p className="font-semibold">{title}</p>
      {isFolded ? null : <p className="text-text-2 max-md:text-small">{text}</p>}
    </div>
  )
}
