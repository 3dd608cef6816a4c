import { kubernetesApply } from './kubernetes/apply.ts'
import { kubernetesDelete } from './kubernetes/delete.ts'
import { kubernetesDrain } from './kubernetes/drain.ts'
import { kubernetesGet } from './kubernetes/get.ts'
import { kubernetesJob } from './kubernetes/job.ts'
import { kubernetesList } from './kubernetes/list.ts'
import { kubernetesLogs } from './kubernetes/logs.ts'
import { kubernetesRestart } from './kubernetes/restart.ts'
import { kubernetesRollback } from './kubernetes/rollback.ts'
import { kubernetesScale } from './kubernetes/scale.ts'
import { kubernetesWait } from './kubernetes/wait.ts'
import { createSendRequest } from './outbound-request.ts'
import type { StepParts } from './ports.ts'
import type { StepType } from './step-type.ts'
import { certificateCheck } from './types/certificate-check.ts'
import { clusterDelete } from './types/cluster-delete.ts'
import { clusterProvision } from './types/cluster-provision.ts'
import { databaseBackup } from './types/database-backup.ts'
import { databaseDrill } from './types/database-drill.ts'
import { approval, stop, subworkflow, wait, waitEvent } from './types/flow.ts'
import { http } from './types/http.ts'
import { networkApply } from './types/network-apply.ts'
import { networkCheck } from './types/network-check.ts'
import { notify } from './types/notify.ts'
import { script } from './types/script.ts'
import { secretRotate } from './types/secret-rotate.ts'
import { sql } from './types/sql.ts'
import { transform } from './types/transform.ts'
import { webhookEmit } from './types/webhook-emit.ts'

/** Every type of step by its name. A new type is one file and one line here. */
export type StepTypes = ReadonlyMap<string, StepType>

export function createStepTypes(parts: StepParts): StepTypes {
  const sendRequest = createSendRequest(parts.outbound)
  return stepTypesOf([
    kubernetesApply(parts),
    kubernetesWait(parts),
    kubernetesJob(parts),
    kubernetesScale(parts),
    kubernetesRestart(parts),
    kubernetesRollback(parts),
    kubernetesDelete(parts),
    kubernetesDrain(parts),
    kubernetesGet(parts),
    kubernetesList(parts),
    kubernetesLogs(parts),
    http({ ...parts, sendRequest }),
    script({ sendRequest }),
    certificateCheck(parts),
    transform,
    sql(parts),
    wait,
    waitEvent,
    subworkflow,
    stop,
    approval,
    notify(parts),
    webhookEmit(parts),
    clusterProvision(parts),
    clusterDelete(parts),
    secretRotate(parts),
    databaseBackup(parts),
    databaseDrill(parts),
    networkApply(parts),
    networkCheck(parts),
  ])
}

/** Throws where two types have one name. */
export function stepTypesOf(types: readonly AnyStepType[]): StepTypes {
  const byName = new Map<string, StepType>()
  for (const type of types) {
    if (byName.has(type.type)) throw new Error(`Two types of steps are called "${type.type}"`)
    // Executors take what their own schema gave: anyone who calls one parses the config with that schema first.
    byName.set(type.type, type as unknown as StepType)
  }
  return byName
}

/** A type whose config is known to itself alone. */
type AnyStepType = Pick<StepType, 'type' | 'kind'>
