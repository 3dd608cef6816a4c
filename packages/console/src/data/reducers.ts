import { annotationReducers } from './annotations.ts'
import { apiKeyReducers } from './api-keys.ts'
import { clusterReducers } from './clusters.ts'
import { databaseReducers } from './databases.ts'
import { errorLogReducers } from './error-log.ts'
import { kubernetesReducers } from './kubernetes.ts'
import type { LiveReducers } from './live.ts'
import { memberReducers } from './members.ts'
import { metricStreamReducers } from './metric-stream.ts'
import { paletteReducers } from './palette.ts'
import { notificationReducers } from './notifications.ts'
import { provisioningEvents } from './provisioning-updates.ts'
import { resourceReducers } from './resources.ts'
import { secretReducers } from './secrets.ts'
import { webhookReducers } from './webhooks.ts'
import { workflowReducers } from './workflows.ts'

import { networkReducers } from './networks.ts'

import { alertReducers } from './alerts.ts'
import { boardReducers } from './boards.ts'
import { billingReducers } from './billing.ts'
import { reportReducers } from './reports.ts'

// Events that change what several entities keep.
const shared: Pick<LiveReducers, keyof typeof paletteReducers> = {
  CLUSTER_PROVISIONING_UPDATE: (cache, event) => {
    for (const each of provisioningEvents(event)) {
      clusterReducers.CLUSTER_PROVISIONING_UPDATE(cache, each)
      paletteReducers.CLUSTER_PROVISIONING_UPDATE(cache, each)
    }
  },
  CLUSTERS_UPDATE: (cache, event) => {
    clusterReducers.CLUSTERS_UPDATE(cache, event)
    paletteReducers.CLUSTERS_UPDATE(cache, event)
  },
  WORKFLOW_UPDATE: (cache, event) => {
    workflowReducers.WORKFLOW_UPDATE(cache, event)
    paletteReducers.WORKFLOW_UPDATE(cache, event)
  },
}

/** What each event changes. An event of the contract without a reducer does not compile. */
export const reducers: LiveReducers = {
  ...databaseReducers,
  ...networkReducers,
  ...resourceReducers,
  ...alertReducers,
  ...boardReducers,
  ...billingReducers,
  ...reportReducers,
  ...annotationReducers,
  ...secretReducers,
  ...apiKeyReducers,
  ...webhookReducers,
  ...kubernetesReducers,
  ...workflowReducers,
  ...shared,
  ...errorLogReducers,
  ...notificationReducers,
  ...memberReducers,
  ...metricStreamReducers,
}
