import { clusterReducers } from '../data/clusters.ts'
import { kubernetesReducers } from '../data/kubernetes.ts'
import type { LiveReducers } from '../data/live.ts'
import { workflowReducers } from '../data/workflows.ts'

// Streams that no screen keeps in the cache; a screen that wants one listens while it is open.
const unkept = () => undefined

/** What each event changes. An event of the contract without a reducer does not compile. */
export const reducers: LiveReducers = {
  ...clusterReducers,
  ...kubernetesReducers,
  ...workflowReducers,
  METRICS_STREAMING_STARTED: unkept,
  METRICS_STREAMING_STOPPED: unkept,
  METRICS_STREAMING_ERROR: unkept,
  CLUSTER_METRICS_UPDATE: unkept,
}
