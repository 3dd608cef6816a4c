import { accountSecurityEndpoints } from './account-security.ts'
import { analyticsEndpoints } from './analytics.ts'
import { layoutEndpoints } from './layout.ts'
import { outlookEndpoints } from './outlook.ts'
import { serviceEndpoints } from './services.ts'
import { sinceEndpoints } from './since.ts'
import { annotationEndpoints } from './annotations.ts'
import { auditEndpoints } from './audit.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { authEndpoints } from './auth.ts'
import { clusterEndpoints } from './clusters.ts'
import { deviceLoginEndpoints } from './device-login.ts'
import { databaseClusterEndpoints } from './database-clusters.ts'
import { databaseDrillEndpoints } from './database-drills.ts'
import { databaseMomentEndpoints } from './database-moments.ts'
import { databaseDumpEndpoints } from './database-dumps.ts'
import { databaseEndpoints } from './databases.ts'
import { databaseAdviceEndpoints } from './database-insight-advice.ts'
import { databaseChangeEndpoints } from './database-changes.ts'
import { databaseLoginEndpoints } from './database-logins.ts'
import { databaseContentEndpoints } from './database-manage-contents.ts'
import { databaseQueryEndpoints } from './database-queries.ts'
import { databaseRoleEndpoints } from './database-manage-roles.ts'
import { databaseClusterBackupEndpoints } from './database-cluster-backups.ts'
import { databaseFaultEndpoints } from './database-faults.ts'
import { databaseQuotaEndpoints } from './database-quota.ts'
import { databaseSessionEndpoints } from './database-insight-sessions.ts'
import { backupTargetEndpoints } from './backup-targets.ts'
import { databaseBackupActEndpoints, databaseBackupEndpoints } from './database-backups.ts'
import { databaseRestoreEndpoints, databaseSwapEndpoints } from './database-restores.ts'
import { databaseLeftRowsEndpoints } from './database-left-rows.ts'
import { databaseMetricEndpoints } from './database-metrics.ts'
import { databaseStatementEndpoints } from './database-insight-statements.ts'
import { databaseSqlEndpoints } from './database-sql.ts'
import { demoEndpoints } from './demo.ts'
import { errorLogEndpoints } from './error-log.ts'
import { godmodeEndpoints } from './godmode.ts'
import { ingressEndpoints } from './ingress.ts'
import { invitationEndpoints } from './invitations.ts'
import { instanceEndpoints } from './instance.ts'
import { instanceHealthEndpoints } from './instance-health.ts'
import { kubernetesEndpoints, proxyEndpoints } from './kubernetes.ts'
import { kubernetesChangeEndpoints } from './kubernetes-changes.ts'
import { kubernetesDiagnosisEndpoints } from './kubernetes-diagnosis.ts'
import { kubernetesDrainEndpoints } from './kubernetes-drain.ts'
import { kubernetesNodeEndpoints } from './kubernetes-node.ts'
import { kubernetesObjectEventEndpoints } from './kubernetes-object-events.ts'
import { networkDriftEndpoints } from './network-drift.ts'
import { networkFlowEndpoints } from './network-flows.ts'
import { networkReachabilityEndpoints } from './network-reachability.ts'
import { allClustersEndpoints } from './kubernetes-all-clusters.ts'
import { kubernetesCacheEndpoints, kubernetesSearchEndpoints } from './kubernetes-search.ts'
import { kubernetesObjectEndpoints } from './kubernetes-objects.ts'
import { execEndpoints } from './kubernetes-exec.ts'
import { logEndpoints } from './kubernetes-logs.ts'
import { importEndpoints } from './kubernetes-import.ts'
import { mcpEndpoints } from './mcp.ts'
import { memberEndpoints } from './members.ts'
import { metricQueryEndpoints } from './metric-queries.ts'
import { metricSourceEndpoints } from './metric-sources.ts'
import { metricUsualEndpoints } from './metric-usual.ts'
import { metricEndpoints } from './metrics.ts'
import { notificationEndpoints } from './notifications.ts'
import { notificationRuleEndpoints } from './notification-settings.ts'
import { organizationEndpoints } from './organizations.ts'
import { paletteEndpoints } from './palette.ts'
import { policyEndpoints } from './policies.ts'
import { resourceEndpoints } from './resources.ts'
import { relationEndpoints } from './relations.ts'
import { prometheusEndpoints } from './prometheus.ts'
import { sandboxEndpoints } from './sandboxes.ts'
import { secretKeyEndpoints } from './secret-keys.ts'
import { secretShareEndpoints } from './secret-shares.ts'
import { secretSyncEndpoints } from './secret-syncs.ts'
import { secretTransferEndpoints } from './secret-transfer.ts'
import { secretEndpoints } from './secrets.ts'
import { settingsEndpoints } from './settings.ts'
import { signInEndpoints } from './sign-in.ts'
import { statusEndpoints } from './status.ts'
import { webhookEndpoints } from './webhooks.ts'
import {
  workflowAuthoringEndpoints,
  workflowStepTypeEndpoints,
  workflowTrialEndpoints,
} from './workflow-authoring.ts'
import { workflowRunActionEndpoints, workflowRunReadEndpoints } from './workflow-runs.ts'
import { workflowTriggerEndpoints } from './workflow-triggers.ts'
import { workflowEndpoints } from './workflows.ts'

import { networkMembershipEndpoints } from './network-memberships.ts'
import { networkEndpoints } from './networks.ts'
import { securityGroupEndpoints } from './security-groups.ts'

import { alertEndpoints } from './alerts.ts'
import { boardEndpoints } from './boards.ts'
import { budgetEndpoints } from './budgets.ts'
import { statementEndpoints } from './statements.ts'
import { priceEndpoints } from './prices.ts'
import { savingEndpoints } from './savings.ts'
import { spendEndpoints } from './spend.ts'
import { reportEndpoints } from './reports.ts'

import { asCodeEndpoints } from './as-code.ts'

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
