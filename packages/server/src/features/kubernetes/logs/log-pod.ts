import type { ContainerKind } from '@bey/contract'
import type { ContainerStatus, KubeObject, Terminated } from '../watch/kube-types.ts'

type ContainerNames = { name?: string }[]

/** What a log stream reads of a pod. */
export type LogPod = KubeObject & {
  spec?: {
    containers?: ContainerNames
    initContainers?: ContainerNames
    ephemeralContainers?: ContainerNames
  }
  status?: {
    phase?: string
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
    ephemeralContainerStatuses?: ContainerStatus[]
  }
}

export type LogContainer = { name: string; kind: ContainerKind; status: ContainerStatus | undefined }

/** All containers of a pod in the order in which they start. */
export function logContainers({ spec, status }: LogPod): LogContainer[] {
  const of = (names: ContainerNames | undefined, kind: ContainerKind, statuses?: ContainerStatus[]) =>
    (names ?? []).flatMap(({ name }) =>
      name ? [{ name, kind, status: statuses?.find((each) => each.name === name) }] : [],
    )
  return [
    ...of(spec?.initContainers, 'init', status?.initContainerStatuses),
    ...of(spec?.containers, 'container', status?.containerStatuses),
    ...of(spec?.ephemeralContainers, 'ephemeral', status?.ephemeralContainerStatuses),
  ]
}

/** What a status says of a container's runs. */
export type Runs = {
  /** Restart count of the latest run; undefined when nothing has run yet. */
  latest: number | undefined
  startedAt: string | undefined
  /** How the latest run ended; undefined while it runs. */
  ended: Terminated | undefined
  /** How the run before ended, where the cluster still says so. */
  before: Terminated | undefined
}

export function runsOf(status: ContainerStatus | undefined): Runs {
  const { running, waiting, terminated } = status?.state ?? {}
  const last = status?.lastState?.terminated
  const restart = status?.restartCount ?? 0
  if (running) return { latest: restart, startedAt: running.startedAt, ended: undefined, before: last }
  if (terminated) return { latest: restart, startedAt: terminated.startedAt, ended: terminated, before: last }
  // Between two runs, the last state is the latest run.
  if (waiting && last) return { latest: restart, startedAt: last.startedAt, ended: last, before: undefined }
  return { latest: undefined, startedAt: undefined, ended: undefined, before: undefined }
}
