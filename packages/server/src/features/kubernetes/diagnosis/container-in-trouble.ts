import type { ContainerStatus, PodObject, Situation } from './situation.ts'

/** The container of a pod that is in the worst state, init containers first; null where none reports anything. */
export function containerInTrouble({ spec, status }: PodObject): Situation['container'] {
  const init = (status?.initContainerStatuses ?? []).map((each) => ({ each, isInit: true }))
  const main = (status?.containerStatuses ?? []).map((each) => ({ each, isInit: false }))
  const ranked = [...init, ...main]
    .map(({ each, isInit }) => ({ each, isInit, rank: troubleRank(each, isInit) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  const [worst] = ranked
  if (!worst) return null
  const specs = (worst.isInit ? spec?.initContainers : spec?.containers) ?? []
  const found = specs.find(({ name }) => name === worst.each.name)
  return { spec: found ?? {}, status: worst.each, isInit: worst.isInit }
}

/** 0: nothing is wrong with it. */
function troubleRank({ state, lastState, ready }: ContainerStatus, isInit: boolean): number {
  const { waiting, terminated, running } = state ?? {}
  if (waiting) return quietReasons.has(waiting.reason ?? '') ? 1 : 4
  if (terminated) return terminated.exitCode === 0 ? 0 : 3
  if (running && isInit) return 1
  if (running && ready !== true) return lastState?.terminated ? 3 : 2
  return lastState?.terminated && lastState.terminated.exitCode !== 0 ? 1 : 0
}

/** It waits for others, not for itself. */
const quietReasons = new Set(['ContainerCreating', 'PodInitializing'])
