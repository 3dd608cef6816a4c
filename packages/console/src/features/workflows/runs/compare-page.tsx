import { isRunOver } from '@bey/contract'
import { useSearch } from '@tanstack/react-router'
import { ArrowLeftRight, History } from 'lucide-react'
import { useMemo } from 'react'
import type { RunDetail } from '../../../data/workflows.ts'
import { useRun } from '../../../data/workflows.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { runTitle } from '../../../lib/run-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { CompareFacts } from './compare-facts.tsx'
import { compareHref, runIdsOf } from './compare-location.ts'
import { CompareOutputs } from './compare-outputs.tsx'
import { compareRuns } from './compare-runs.ts'
import { CompareSteps } from './compare-steps.tsx'

/** Two runs side by side: what went in and came out, how long each step took, and where they part. */
export function ComparePage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const [a, b] = [runIdsOf(search['a']), runIdsOf(search['b'])]
  const [left, right] = [useRun(a?.workflowId, a?.runId), useRun(b?.workflowId, b?.runId)]
  usePageTitle('Compare runs')
  if (!a || !b) return <NothingToCompare />
  const missing = isMissing(left) || isMissing(right)
  if (missing) return <NothingToCompare isMissing />
  if (left.data && right.data) return <Compared a={left.data} b={right.data} />
  const failure =
    failureOf('Failed to fetch workflow run details', left) ??
    failureOf('Failed to fetch workflow run details', right)
  return (
    <>
      <PageHeader title={undefined} description=" " />
      {failure ? (
        <ErrorState {...failure} />
      ) : (
        <DelayedSkeleton>
          <Skeleton className="m-6 h-72" />
        </DelayedSkeleton>
      )}
    </>
  )
}

function Compared({ a, b }: { a: RunDetail; b: RunDetail }) {
  const now = useNow(!isRunOver(a.run.status) || !isRunOver(b.run.status))
  const compared = useMemo(() => compareRuns(a, b, now), [a, b, now])
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const chosen = typeof search['step'] === 'string' ? search['step'] : undefined
  const step =
    compared.steps.find(({ key }) => key === chosen) ??
    compared.steps.find((each) => each.a?.status !== each.b?.status) ??
    compared.steps[0]
  const names = [...new Set([runTitle(a.run), runTitle(b.run)])]
  return (
    <>
      <PageHeader
        title={names.length === 1 ? `Two runs of ${names[0]}` : names.join(' and ')}
        description={
          <p>
            <span className="text-text">{compared.sentence}</span> {compared.detail}
          </p>
        }
        actions={
          <>
            <ButtonLink icon={<ArrowLeftRight size={14} aria-hidden />} href={compareHref(b.run, a.run)}>
              Swap
            </ButtonLink>
            <ButtonLink
              icon={<History size={14} aria-hidden />}
              href={`/workflows/runs?workflow=${a.run.workflowId}`}
            >
              Choose other runs
            </ButtonLink>
          </>
        }
      />
      <CompareFacts a={a} b={b} facts={compared.facts} />
      <CompareSteps
        compared={compared}
        selected={step?.key}
        isOnlyDifferent={search['show'] === 'different'}
        onSelect={(key) => changeSearch({ step: key })}
        onShow={(isOnly) => changeSearch({ show: isOnly ? 'different' : undefined })}
      />
      {step ? <CompareOutputs a={a.run} b={b.run} step={step} /> : null}
    </>
  )
}

function NothingToCompare({ isMissing: isGone = false }: { isMissing?: boolean }) {
  return (
    <>
      <PageHeader title="Compare runs" />
      <EmptyState
        title={isGone ? 'Workflow run not found.' : 'Choose two runs'}
        description={
          isGone
            ? 'Please verify the workflow ID and run ID are correct. Runs are deleted 90 days after they end.'
            : 'Select two runs in the list with x, then choose Compare.'
        }
        action={<ButtonLink href="/workflows/runs">All runs</ButtonLink>}
      />
    </>
  )
}
