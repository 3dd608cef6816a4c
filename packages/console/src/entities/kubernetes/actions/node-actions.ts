import type { DialogAction, RequestAction } from './action.ts'
import { access, mergePatch } from './action.ts'
import { kubectlLine } from './kubectl-line.ts'

const isNode = (resource: string) => resource === 'nodes'

function cordonAction(isCordon: boolean): RequestAction {
  return {
    id: isCordon ? 'cordon' : 'uncordon',
    form: 'fields',
    label: isCordon ? 'Cordon' : 'Uncordon',
    pending: isCordon ? 'Cordoning' : 'Uncordoning',
    done: isCordon ? 'Cordoned: it takes no new pods' : 'Uncordoned: it takes new pods',
    isFor: isNode,
    isPrimary: true,
    isToggle: true,
    permission: 'kubernetes.write',
    access: access('patch'),
    isBulk: true,
    refusal({ object }) {
      if (Boolean(object.spec?.unschedulable) !== isCordon) return undefined
      return isCordon ? 'It already takes no new pods.' : 'It already takes new pods.'
    },
    requests: ({ target }) => [mergePatch(target, { spec: { unschedulable: isCordon || null } })],
    kubectl: ({ target }) => kubectlLine(target, isCordon ? 'cordon' : 'uncordon', target.name),
  }
}

export const cordon = cordonAction(true)
export const uncordon = cordonAction(false)

export const drain: DialogAction = {
  id: 'drain',
  form: 'dialog',
  label: 'Drain',
  pending: 'Draining',
  done: 'Drain started',
  isFor: isNode,
  isPrimary: true,
  permission: 'kubernetes.delete',
  access: access('patch'),
}

export interface DrainChoices {
  /** Also evict pods that nothing would start again. */
  force: boolean
  /** Also evict pods whose emptyDir volumes are lost with them. */
  deleteEmptyDirData: boolean
  timeoutSeconds: number
}

/** The line that does the same from a shell, as long as the shell stays open. */
export function drainLine(
  clusterTitle: string,
  node: string,
  { force, deleteEmptyDirData, timeoutSeconds }: DrainChoices,
): string {
  return kubectlLine(
    { clusterTitle, namespace: '' },
    'drain',
    node,
    '--ignore-daemonsets',
    ...(deleteEmptyDirData ? ['--delete-emptydir-data'] : []),
    ...(force ? ['--force'] : []),
    `--timeout=${timeoutSeconds}s`,
  )
}
