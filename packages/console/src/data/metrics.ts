import type { MetricQuestion, MetricRange, Subscription } from '@bey/contract'
import { metricQuery } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { apiQuery } from './api-query.ts'
import { useFollowAll, useLive } from './live.ts'
import { curveMs } from './metric-stream.ts'
import { useOrganizationId } from './session.ts'

/** More clusters than this are not followed one by one. */
const maxFollowed = 20
/** While the samples themselves say when to read again, for clusters that measure nothing but counts. */
const safetyMs = 60_000

/**
 * What was measured. Read again while it ends now: at each measurement of the clusters in question, and no more often
 * than a step passes; where they cannot be followed, as often as samples come.
 */
export function useMetrics(question: MetricQuestion, isEnabled = true) {
  const { end, rangeSeconds, entity, ids } = question
  const { state } = useLive()
  const isFollowed = isEnabled && end === undefined && entity === 'cluster' && ids.length <= maxFollowed
  useFollowAll(
    isFollowed ? ids.map((id) => ({ kind: 'cluster_metrics', clusterId: Number(id) })) : nothingFollowed,
  )
  const everyMs = isFollowed && state === 'live' ? safetyMs : curveMs(rangeSeconds)
  return useQuery({
    ...apiQuery(useOrganizationId(), 'metrics.read', {
      params: { entity: question.entity },
      query: metricQuery(question),
    }),
    enabled: isEnabled && question.ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: end === undefined ? everyMs : false,
  })
}

const nothingFollowed: readonly Subscription[] = []

/** What comes or goes is asked for with the others, this long after. */
const adoptAfterMs = 30_000

/**
 * Entities whose metrics an overview shows. One that is new has no past yet, and one that is gone is not shown: neither
 * is a reason to read those of all the others again at once.
 */
export function useSteadyIds(ids: readonly number[]): readonly number[] {
  const [steady, setSteady] = useState(ids)
  // The first ones, or those of another organization.
  if (ids.length > 0 && !ids.some((id) => steady.includes(id))) setSteady(ids)
  const latest = useRef(ids)
  const isBehind = steady.length !== ids.length || ids.some((id) => !steady.includes(id))
  useEffect(() => {
    latest.current = ids
  }, [ids])
  useEffect(() => {
    if (!isBehind) return undefined
    const timer = setTimeout(() => setSteady(latest.current), adoptAfterMs)
    return () => clearTimeout(timer)
  }, [isBehind])
  return ids.length === 0 ? ids : steady
}

/** The beginning of each step, in milliseconds since 1970. */
export function timesOf({ from, to, stepMs }: MetricRange): number[] {
  const fromMs = Date.parse(from)
  return Array.from(
    { length: Math.round((Date.parse(to) - fromMs) / stepMs) },
    (_, index) => fromMs + index * stepMs,
  )
}

type Values = readonly (number | null)[]

/** The averages of one series; undefined where nothing was measured in the range. */
export function averagesOf(
  range: MetricRange | undefined,
  id: number | string,
  metric: string,
): Values | undefined {
  return range?.series.find((series) => series.metric === metric && series.id === String(id))?.averages
}

/** One series as a share of another, step by step, × 100; null where one of them is missing. */
export function percentOf(part: Values | undefined, whole: Values | undefined): (number | null)[] {
  return (part ?? []).map((value, index) => {
    const of = whole?.[index]
    return value === null || of == null || of === 0 ? null : (value / of) * 100
  })
}
