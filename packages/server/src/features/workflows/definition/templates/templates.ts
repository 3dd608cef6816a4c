import { canary } from './canary.ts'
import { certificateExpiry } from './certificate-expiry.ts'
import { copyConfigMaps } from './copy-config-maps.ts'
import { deployWithApproval } from './deploy-with-approval.ts'
import { httpHealthCheck } from './http-health-check.ts'
import { incidentSnapshot } from './incident-snapshot.ts'
import { orphanedVolumes } from './orphaned-volumes.ts'
import { replaceNode } from './replace-node.ts'
import { restartWithHealthCheck } from './restart-with-health-check.ts'
import { scaleForTheNight } from './scale-for-the-night.ts'
import type { WorkflowTemplate } from './template.ts'

/** Workflows to begin with, as the empty page offers them. */
export const workflowTemplates: readonly WorkflowTemplate[] = [
  deployWithApproval,
  restartWithHealthCheck,
  incidentSnapshot,
  httpHealthCheck,
  scaleForTheNight,
  replaceNode,
  canary,
  orphanedVolumes,
  certificateExpiry,
  copyConfigMaps,
]
