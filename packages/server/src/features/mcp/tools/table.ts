import type { Tool } from '../tool.ts'
import { listAlerts, listApiKeys, listMembers, readAudit } from './access.ts'
import { acknowledgeAlert } from './alert-acts.ts'
import { deleteCluster } from './cluster-acts.ts'
import { readLogs } from './logs.ts'
import { listMetrics, queryMetrics } from './metrics.ts'
import { getObject, listClusters, listWorkloads, searchResources } from './objects.ts'
import { blastRadius } from './relations.ts'
import { rollBackWorkload } from './roll-back.ts'
import { cancelRun, executeWorkflow, retryRun } from './run-acts.ts'
import { getRun, listRuns, listWorkflows } from './runs.ts'
import { explainFailure, needsAttention, whatChanged } from './trouble.ts'
import { cordonNode, deleteObject, restartWorkload, scaleWorkload, setImage } from './workload-acts.ts'

/** Every tool of assistants, in the order in which they are listed; `bey mcp` and `/mcp` serve the same. */
export const tools: readonly Tool[] = [
  needsAttention,
  explainFailure,
  whatChanged,
  readLogs,
  listClusters,
  listWorkloads,
  getObject,
  searchResources,
  blastRadius,
  listMetrics,
  queryMetrics,
  listAlerts,
  listWorkflows,
  listRuns,
  getRun,
  listMembers,
  listApiKeys,
  readAudit,
  rollBackWorkload,
  restartWorkload,
  scaleWorkload,
  setImage,
  cordonNode,
  deleteObject,
  executeWorkflow,
  retryRun,
  cancelRun,
  acknowledgeAlert,
  deleteCluster,
]
