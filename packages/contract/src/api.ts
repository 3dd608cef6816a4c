import { accountSecurityEndpoints } from './auth/account-security.ts'
import { analyticsEndpoints } from './analytics/endpoints.ts'
import { layoutEndpoints } from './analytics/layout.ts'
import { outlookEndpoints } from './analytics/outlook.ts'
import { serviceEndpoints } from './analytics/services.ts'
import { sinceEndpoints } from './analytics/since.ts'
import { annotationEndpoints } from './annotations/endpoints.ts'
import { auditEndpoints } from './audit/endpoints.ts'
import { apiKeyEndpoints } from './api-keys/endpoints.ts'
import { authEndpoints } from './auth/endpoints.ts'
import { clusterEndpoints } from './clusters/endpoints.ts'
import { deviceLoginEndpoints } from './auth/device-login.ts'
import { databaseClusterEndpoints } from './databases/clusters.ts'
import { databaseDrillEndpoints } from './databases/drills.ts'
import { databaseMomentEndpoints } from './databases/moments.ts'
import { databaseDumpEndpoints } from './databases/dumps.ts'
import { databaseEndpoints } from './databases/endpoints.ts'
import { databaseAdviceEndpoints } from './databases/insight-advice.ts'
import { databaseChangeEndpoints } from './databases/changes.ts'
import { databaseLoginEndpoints } from './databases/logins.ts'
import { databaseContentEndpoints } from './databases/manage-contents.ts'
import { databaseQueryEndpoints } from './databases/queries.ts'
import { databaseRoleEndpoints } from './databases/manage-roles.ts'
import { databaseClusterBackupEndpoints } from './databases/cluster-backups.ts'
import { databaseFaultEndpoints } from './databases/faults.ts'
import { databaseQuotaEndpoints } from './databases/quota.ts'
import { databaseSessionEndpoints } from './databases/insight-sessions.ts'
import { backupTargetEndpoints } from './databases/backup-targets.ts'
import { databaseBackupActEndpoints, databaseBackupEndpoints } from './databases/backups.ts'
import { databaseRestoreEndpoints, databaseSwapEndpoints } from './databases/restores.ts'
import { databaseLeftRowsEndpoints } from './databases/left-rows.ts'
import { databaseMetricEndpoints } from './databases/metrics.ts'
import { databaseStatementEndpoints } from './databases/insight-statements.ts'
import { databaseSqlEndpoints } from './databases/sql.ts'
import { demoEndpoints } from './demo/endpoints.ts'
import { errorLogEndpoints } from './error-log/endpoints.ts'
import { godmodeEndpoints } from './auth/godmode.ts'
import { ingressEndpoints } from './ingress/endpoints.ts'
import { invitationEndpoints } from './members/invitations.ts'
import { instanceEndpoints } from './instance/endpoints.ts'
import { instanceHealthEndpoints } from './instance/health.ts'
import { kubernetesEndpoints, proxyEndpoints } from './kubernetes/endpoints.ts'
import { kubernetesChangeEndpoints } from './kubernetes/changes.ts'
import { kubernetesDiagnosisEndpoints } from './kubernetes/diagnosis.ts'
import { kubernetesDrainEndpoints } from './kubernetes/drain.ts'
import { kubernetesNodeEndpoints } from './kubernetes/node.ts'
import { kubernetesObjectEventEndpoints } from './kubernetes/object-events.ts'
import { networkDriftEndpoints } from './networks/drift.ts'
import { networkFlowEndpoints } from './networks/flows.ts'
import { networkReachabilityEndpoints } from './networks/reachability.ts'
import { allClustersEndpoints } from './kubernetes/all-clusters.ts'
import { kubernetesCacheEndpoints, kubernetesSearchEndpoints } from './kubernetes/search.ts'
import { kubernetesObjectEndpoints } from './kubernetes/objects.ts'
import { execEndpoints } from './kubernetes/exec.ts'
import { logEndpoints } from './kubernetes/logs.ts'
import { importEndpoints } from './clusters/import.ts'
import { mcpEndpoints } from './mcp/endpoints.ts'
import { memberEndpoints } from './members/endpoints.ts'
import { metricQueryEndpoints } from './metrics/queries.ts'
import { metricSourceEndpoints } from './metrics/sources.ts'
import { metricUsualEndpoints } from './metrics/usual.ts'
import { metricEndpoints } from './metrics/endpoints.ts'
import { notificationEndpoints } from './notifications/endpoints.ts'
import { notificationRuleEndpoints } from './notifications/settings.ts'
import { organizationEndpoints } from './organizations/endpoints.ts'
import { paletteEndpoints } from './palette/endpoints.ts'
import { policyEndpoints } from './policies/endpoints.ts'
import { resourceEndpoints } from './resources/endpoints.ts'
import { relationEndpoints } from './relations/endpoints.ts'
import { prometheusEndpoints } from './metrics/prometheus.ts'
import { sandboxEndpoints } from './clusters/sandboxes.ts'
import { secretKeyEndpoints } from './secrets/keys.ts'
import { secretShareEndpoints } from './secrets/shares.ts'
import { secretSyncEndpoints } from './secrets/syncs.ts'
import { secretTransferEndpoints } from './secrets/transfer.ts'
import { secretEndpoints } from './secrets/endpoints.ts'
import { settingsEndpoints } from './settings/endpoints.ts'
import { signInEndpoints } from './auth/sign-in.ts'
import { statusEndpoints } from './status/endpoints.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'
import {
  workflowAuthoringEndpoints,
  workflowStepTypeEndpoints,
  workflowTrialEndpoints,
} from './workflows/authoring.ts'
import { workflowRunActionEndpoints, workflowRunReadEndpoints } from './workflows/runs.ts'
import { workflowTriggerEndpoints } from './workflows/triggers.ts'
import { workflowEndpoints } from './workflows/endpoints.ts'

import { networkMembershipEndpoints } from './networks/memberships.ts'
import { networkEndpoints } from './networks/endpoints.ts'
import { securityGroupEndpoints } from './networks/security-groups.ts'

import { alertEndpoints } from './alerts/endpoints.ts'
import { boardEndpoints } from './boards/endpoints.ts'
import { budgetEndpoints } from './billing/budgets.ts'
import { statementEndpoints } from './billing/statements.ts'
import { priceEndpoints } from './billing/prices.ts'
import { savingEndpoints } from './billing/savings.ts'
import { spendEndpoints } from './billing/spend.ts'
import { reportEndpoints } from './reports/endpoints.ts'

import { asCodeEndpoints } from './as-code/endpoints.ts'

/** Every endpoint of the product by its name. From this table the server mounts, the client calls and the tests sweep. */
export const api = {
  ...asCodeEndpoints,
  ...statusEndpoints,
  ...relationEndpoints,
  ...authEndpoints,
  ...signInEndpoints,
  ...accountSecurityEndpoints,
  ...deviceLoginEndpoints,
  ...instanceEndpoints,
  ...instanceHealthEndpoints,
  ...godmodeEndpoints,
  ...organizationEndpoints,
  ...memberEndpoints,
  ...auditEndpoints,
  ...policyEndpoints,
  ...apiKeyEndpoints,
  ...mcpEndpoints,
  ...webhookEndpoints,
  ...invitationEndpoints,
  ...settingsEndpoints,
  ...clusterEndpoints,
  ...importEndpoints,
  ...sandboxEndpoints,
  ...kubernetesEndpoints,
  ...allClustersEndpoints,
  ...kubernetesSearchEndpoints,
  ...kubernetesCacheEndpoints,
  ...kubernetesObjectEndpoints,
  ...kubernetesDrainEndpoints,
  ...kubernetesNodeEndpoints,
  ...kubernetesObjectEventEndpoints,
  ...networkReachabilityEndpoints,
  ...ingressEndpoints,
  ...resourceEndpoints,
  ...networkFlowEndpoints,
  ...kubernetesDiagnosisEndpoints,
  ...kubernetesChangeEndpoints,
  ...proxyEndpoints,
  ...logEndpoints,
  ...execEndpoints,
  ...workflowEndpoints,
  ...workflowAuthoringEndpoints,
  ...workflowStepTypeEndpoints,
  ...workflowRunReadEndpoints,
  ...workflowRunActionEndpoints,
  ...workflowTriggerEndpoints,
  ...workflowTrialEndpoints,
  ...analyticsEndpoints,
  ...layoutEndpoints,
  ...outlookEndpoints,
  ...serviceEndpoints,
  ...sinceEndpoints,
  ...metricEndpoints,
  ...metricQueryEndpoints,
  ...metricUsualEndpoints,
  ...metricSourceEndpoints,
  ...prometheusEndpoints,
  ...secretEndpoints,
  ...secretTransferEndpoints,
  ...secretShareEndpoints,
  ...secretKeyEndpoints,
  ...secretSyncEndpoints,
  ...paletteEndpoints,
  ...annotationEndpoints,
  ...demoEndpoints,
  ...databaseEndpoints,
  ...databaseLeftRowsEndpoints,
  ...databaseMetricEndpoints,
  ...databaseClusterEndpoints,
  ...databaseSqlEndpoints,
  ...databaseSessionEndpoints,
  ...databaseFaultEndpoints,
  ...databaseQuotaEndpoints,
  ...databaseClusterBackupEndpoints,
  ...databaseLoginEndpoints,
  ...databaseChangeEndpoints,
  ...databaseQueryEndpoints,
  ...databaseRoleEndpoints,
  ...databaseContentEndpoints,
  ...databaseAdviceEndpoints,
  ...backupTargetEndpoints,
  ...databaseDrillEndpoints,
  ...databaseMomentEndpoints,
  ...databaseDumpEndpoints,
  ...databaseBackupEndpoints,
  ...databaseBackupActEndpoints,
  ...databaseRestoreEndpoints,
  ...databaseSwapEndpoints,
  ...databaseStatementEndpoints,
  ...errorLogEndpoints,
  ...notificationEndpoints,
  ...notificationRuleEndpoints,
  ...networkEndpoints,
  ...networkMembershipEndpoints,
  ...networkDriftEndpoints,
  ...securityGroupEndpoints,
  ...alertEndpoints,
  ...boardEndpoints,
  ...spendEndpoints,
  ...priceEndpoints,
  ...savingEndpoints,
  ...budgetEndpoints,
  ...statementEndpoints,
  ...reportEndpoints,
} as const

export type Api = typeof api
export type EndpointName = keyof Api
