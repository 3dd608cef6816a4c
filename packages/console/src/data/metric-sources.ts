import type { MetricSource } from '@bey/contract'
import { useRead } from './use-read.ts'

/** Stores that the organization named besides Bey's own; undefined until they are known. */
export function useMetricSources(): readonly MetricSource[] | undefined {
  return useRead('metrics.sources.list', {}).data?.sources
}
