// What needs no zod, as values, and the types of everything. Schemas are in `@bey/contract/api`.
export type { Dashboard, DashboardOverview } from './analytics.ts'
export * from './dashboard-cards.ts'
export type { DashboardLayout } from './layout.ts'
export { outlookDays } from './capacity-forecast.ts'
export type { EndingThing, Outlook } from './outlook.ts'
export * from './service-rules.ts'
export type { ServiceRow, ServiceStrips } from './services.ts'
export type { SinceItem, SinceYouLeft } from './since.ts'
export * from './actor-text.ts'
export type { AsCodeChange, AsCodeDocument, AsCodeProblem } from './as-code.ts'
export * from './as-code-rules.ts'
export type { Report, ReportIssue, ReportLink } from './reports.ts'
export type { Alert, AlertEpisode, AlertReplay, AlertSuggestion } from './alerts.ts'
export * from './annotation-rules.ts'
export type { Annotation, AnnotationDetail, AnnotationReply } from './annotations.ts'
export * from './api-key-rules.ts'
export type { ApiKey } from './api-keys.ts'
export type { Demo } from './demo.ts'
export type { Api, EndpointName } from './api.ts'
export * from './audit-rules.ts'
export type { AuditEntry, AuditEntryDetail, AuditVerification } from './audit.ts'
export type { Organization, SecondFactorChallenge, SecondFactorMethod, SignInReply, User } from './auth.ts'
export type { LinkedAccount, Passkey, SessionRow, TokenRow } from './account-security.ts'
export type { DeviceLogin, DeviceLoginPoll } from './device-login.ts'
export * from './device-login-rules.ts'
export type { Instance, InstanceProvider, SettingSource } from './instance.ts'
export type { InstanceBackup, InstanceCheck, InstanceHealth, InstanceLimit } from './instance-health.ts'
export type { OauthProvider, SignInProvider } from './sign-in.ts'
export type { PasskeyAssertion, PasskeyAttestation } from './sign-in-schema.ts'
export type { CallInput, CallOutput, HandlerOutput, ParsedInput } from './call.ts'
export * from './catalog.ts'
export * from './board-difference.ts'
export * from './board-rules.ts'
export * from './report-rules.ts'
export * from './ready-boards.ts'
export * from './usage-meters.ts'
export * from './version.ts'
export * from './budget-states.ts'
export type { Budget } from './budgets.ts'
export type { Statement, StatementFormat } from './statements.ts'
export type { MeterPrice, PriceVersion } from './prices.ts'
export type { AppliedSaving, Saving } from './savings.ts'
export type { LedgerEvent, Spend, SpendCause, SpendRow } from './spend.ts'
export * from './cluster-rules.ts'
export { commandLine, commandWords, flagLine, kebab, shellWord } from './command-words.ts'
export type {
  Cluster,
  ClusterCapacity,
  ClusterProvider,
  ClusterProviderId,
  KubeconfigToken,
  NodeGroup,
} from './clusters.ts'
export type { Impact, ImpactRow, RelatedResource, RelationBox, RelationRow } from './relations.ts'
export type { Fault, Sandbox, SandboxUsage } from './sandboxes.ts'
export type { AsCodeRule, EntityDescriptor, StatusTone } from './entities/entity.ts'
export * from './entities/table.ts'
export * from './dashboard-parts.ts'
export * from './database-backup-rules.ts'
export * from './database-backup-promise.ts'
export * from './database-backup-window.ts'
export * from './database-moment-rules.ts'
export * from './database-recovery-times.ts'
export type {
  DatabaseBackup,
  DatabaseBackupPolicy,
  DatabaseCheck,
  DatabaseRecoverableWindow,
} from './database-backups.ts'
export * from './backup-target-rules.ts'
export type { BackupTarget } from './backup-targets.ts'
export type { ClusterWish, DatabaseCluster } from './database-cluster.ts'
export type { ClusterBackup, DatabaseClusterSchedule } from './database-cluster-backups.ts'
export * from './database-cluster-rules.ts'
export type { DatabaseConnection, DatabaseTest } from './database-connection.ts'
export { connectText, type ConnectTarget } from './database-connect.ts'
export { connectFormatLabels, passwordPlaceholder, type ConnectFormat } from './database-connect-formats.ts'
export { connectFormatsOf } from './database-connect-watched.ts'
export * from './database-dump-rules.ts'
export type { DatabaseDumpProgram } from './database-dumps.ts'
export * from './database-engines.ts'
export * from './database-fault-rules.ts'
export * from './database-quota-rules.ts'
export * from './database-comparison.ts'
export * from './database-growth.ts'
export type { DatabaseLeftRows, LeftTable } from './database-left-rows.ts'
export type { ComparedDatabase, DatabaseDeviation } from './database-metrics.ts'
export * from './database-insight-locks.ts'
export type { DatabaseAdvice } from './database-insight-advice.ts'
export type { DatabaseStatement } from './database-insight-statements.ts'
export type { DatabaseSession } from './database-insight-sessions.ts'
export * from './database-login-rules.ts'
export * from './database-allow-list.ts'
export type { DatabaseChangePlan, DatabaseParameter } from './database-changes.ts'
export type { DatabaseLogin } from './database-logins.ts'
export type { DatabaseExtension, ServerDatabase } from './database-manage-contents.ts'
export type { SavedQuery, SqlHistoryEntry } from './database-queries.ts'
export type { AlertMessage, AlertMessageType } from './entities/alerts.ts'
export type { BudgetMessage, BudgetMessageType } from './entities/budgets.ts'
export type { DatabaseRole } from './database-manage-roles.ts'
export * from './database-manage-rules.ts'
export type { DatabaseMoment } from './database-moments.ts'
export * from './database-parameters.ts'
export type {
  DatabaseCheckResult,
  DatabaseRestore,
  DatabaseSwap,
  DatabaseSwapComparison,
} from './database-restores.ts'
export * from './database-retention.ts'
export * from './database-rules.ts'
export type { SqlError, SqlEstimate, SqlPlan, SqlPlanNode, SqlRelation, SqlResult } from './database-sql.ts'
export * from './sql-parameters.ts'
export * from './database-statuses.ts'
export * from './database-upgrade.ts'
export type { Database, DatabaseFigures } from './databases.ts'
export * from './dns-rules.ts'
export * from './email-lookalikes.ts'
export * from './email-rules.ts'
export type { Access, CredentialPurpose, Endpoint, Method, Operation } from './endpoint.ts'
export { isIdempotent, maxWaitSeconds } from './endpoint.ts'
export type {
  ErrorEntry,
  ErrorGroup,
  ErrorOccurrence,
  ErrorOccurrenceSummary,
  ErrorStackFrame,
} from './error-log.ts'
export * from './error-rules.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './exec-rules.ts'
export * from './format-rules.ts'
export type { GodmodeUser } from './godmode.ts'
export type {
  Capacity,
  ClusterOverview,
  EventRow,
  NamespaceRow,
  NodeRow,
  PodRow,
  WorkloadRow,
} from './kubernetes.ts'
export type { ChangeEntry, ObjectVersion } from './kubernetes-changes.ts'
export type { Diagnosis, Evidence, Remedy } from './kubernetes-diagnosis.ts'
export type {
  ObjectColumn,
  ObjectDetail,
  ObjectRef,
  ObjectRelation,
  ObjectRow,
  ObjectUsers,
  OwnedObject,
  RelatedObject,
  ResourceInfo,
} from './kubernetes-objects.ts'
export type { ClusterCaches, FoundObject, KindCacheFigures } from './kubernetes-search.ts'
export type { DrainChoices } from './kubernetes-drain.ts'
export type { NodeDetail, NodePod } from './kubernetes-node.ts'
export type { EventGroup } from './kubernetes-object-events.ts'
export type {
  ClusterObjectRow,
  ClusterState,
  ClusterWorkloadRow,
  UnreadableCluster,
} from './kubernetes-all-clusters.ts'
export * from './kubernetes-act-rules.ts'
export * from './kubernetes-rules.ts'
export * from './change-rules.ts'
export type { VolumeUsage } from './kubernetes-volumes.ts'
export * from './visit-rules.ts'
export * from './volume-rules.ts'
export type { Invitation, InvitationPreview, InvitationResult } from './invitations.ts'
export type { ContainerPosition, LogDownloadRequest, LogRequest } from './kubernetes-logs.ts'
export * from './log-position.ts'
export * from './log-records.ts'
export * from './mcp-rules.ts'
export * from './approval-rules.ts'
export * from './kubernetes-quantity.ts'
export type {
  ClusterConnectionFacts,
  ConnectionCheck,
  ConnectionProblem,
  ConnectionRights,
  ConnectionTest,
  KubeconfigContext,
} from './kubernetes-import.ts'
export * from './health.ts'
export type { Attention, AttentionItem, NodeCell } from './health-schema.ts'
export * from './kubeconfig-rules.ts'
export * from './live-position.ts'
export * from './live.ts'
export type { BelongingChoice, Belongings, Member } from './members.ts'
export * from './member-rules.ts'
export * from './measured.ts'
export * from './metric-catalog.ts'
export * from './metric-names.ts'
export type { CatalogMetric, MetricQueryResult } from './metric-queries.ts'
export * from './metric-source-rules.ts'
export type { MetricSource } from './metric-sources.ts'
export type { MetricUsual } from './metric-usual.ts'
export * from './promql-functions.ts'
export * from './usual-band.ts'
export * from './metric-query-bounds.ts'
export * from './metric-questions.ts'
export type { MetricRange, MetricSeries } from './metrics.ts'
export * from './name-rules.ts'
export * from './network-statuses.ts'
export type { SecurityGroup } from './security-groups.ts'
export type { NetworkMembership } from './network-memberships.ts'
export type {
  AccessDrift,
  GivenAttachment,
  HeldAddress,
  KeptPolicy,
  Network,
  NetworkAttachment,
  NetworkFigures,
  NetworksSummary,
  PlannedPolicy,
} from './networks.ts'
export * from './nearest-word.ts'
export type {
  HostTest,
  IngressBackend,
  IngressCertificate,
  IngressGateway,
  IngressHost,
  IngressRoute,
  LoadBalancerService,
} from './ingress.ts'
export type { FlowMap, FlowState } from './network-flows.ts'
export type { ReachabilityCheck, ReachabilityGate, ReachabilityMatrix } from './network-reachability.ts'
export * from './notification-rules.ts'
export type { OrganizationDetail } from './organizations.ts'
export type { Notification } from './notifications.ts'
export type { NotificationChannel, NotificationRule, NotificationRuleInput } from './notification-settings.ts'
export type { PaletteEntity } from './palette.ts'
export * from './password-rules.ts'
export * from './permission-text.ts'
export * from './permissions.ts'
export type { SecurityPolicies } from './policies.ts'
export * from './policy-rules.ts'
export * from './redact-text.ts'
export * from './relation-rules.ts'
export type { ResourceRow, ResourceView } from './resources.ts'
export * from './resource-kinds.ts'
export * from './resource-marks.ts'
export * from './resource-query.ts'
export * from './resource-rules.ts'
export type { Route } from './route.ts'
export { routes } from './routes.generated.ts'
export * from './secret-names.ts'
export * from './subscriptions.ts'
export * from './secret-rules.ts'
export * from './secret-sync-rules.ts'
export type { Actor } from './schema.ts'
export type {
  Secret,
  SecretActivity,
  SecretDetail,
  SecretFacts,
  SecretGrant,
  SecretReader,
  SecretUse,
  SecretVersion,
  SecretRotation,
} from './secret-schema.ts'
export type { SecretVerification } from './secret-keys.ts'
export type { SecretShare } from './secret-shares.ts'
export type { SecretSync } from './secret-syncs.ts'
export type { SecretImportRow } from './secret-transfer.ts'
export type { Settings } from './settings.ts'
export type { ServerStatus, VersionInfo } from './status.ts'
export * from './statuses.ts'
export * from './step-guarantee.ts'
export * from './talos-endpoints.ts'
export * from './theme-rules.ts'
export * from './time-rules.ts'
export type { HealthMessage } from './entities/clusters.ts'
export type { MemberJoinedMessage } from './entities/members.ts'
export type { DatabaseMessage, DatabaseMessageType } from './entities/databases.ts'
export type { SecretExpiringMessage } from './entities/secrets.ts'
export * from './webhook-message.ts'
export * from './webhook-rules.ts'
export type { Webhook, WebhookAttempt, WebhookDelivery } from './webhooks.ts'
export * from './wire.ts'
export type { EngineStatus, Run, StepAttempt, StepLog, StepRun, Workflow } from './workflows.ts'
export type {
  DefinitionProblem,
  WorkflowDefinitionBody,
  WorkflowDefinitionInput,
  WorkflowStepDefinition,
} from './workflow-definition.ts'
export * from './workflow-graph.ts'
export * from './workflow-rules.ts'
export type { StepTypeInfo, WorkflowVersion } from './workflow-authoring.ts'
export type { Approval } from './workflow-runs.ts'
export type { Trigger, TriggerSettings } from './workflow-triggers.ts'
export * from './oauth-rules.ts'
