// What needs no zod, as values, and the types of everything. Schemas are in `@bey/contract/api`.
export type { Dashboard, DashboardOverview } from './analytics/endpoints.ts'
export * from './analytics/dashboard-cards.ts'
export type { DashboardLayout } from './analytics/layout.ts'
export { outlookDays } from './analytics/capacity-forecast.ts'
export type { EndingThing, Outlook } from './analytics/outlook.ts'
export * from './analytics/service-rules.ts'
export type { ServiceRow, ServiceStrips } from './analytics/services.ts'
export type { SinceItem, SinceYouLeft } from './analytics/since.ts'
export * from './audit/actor-text.ts'
export type { AsCodeChange, AsCodeDocument, AsCodeProblem } from './as-code/endpoints.ts'
export * from './as-code/rules.ts'
export type { Report, ReportIssue, ReportLink } from './reports/endpoints.ts'
export type { Alert, AlertEpisode, AlertReplay, AlertSuggestion } from './alerts/endpoints.ts'
export * from './annotations/rules.ts'
export type { Annotation, AnnotationDetail, AnnotationReply } from './annotations/endpoints.ts'
export * from './api-keys/rules.ts'
export type { ApiKey } from './api-keys/endpoints.ts'
export type { Demo } from './demo/endpoints.ts'
export type { Api, EndpointName } from './api.ts'
export * from './audit/rules.ts'
export type { AuditEntry, AuditEntryDetail, AuditVerification } from './audit/endpoints.ts'
export type {
  Organization,
  SecondFactorChallenge,
  SecondFactorMethod,
  SignInReply,
  User,
} from './auth/endpoints.ts'
export type { LinkedAccount, Passkey, SessionRow, TokenRow } from './auth/account-security.ts'
export type { DeviceLogin, DeviceLoginPoll } from './auth/device-login.ts'
export * from './auth/device-login-rules.ts'
export type { Instance, InstanceProvider, SettingSource } from './instance/endpoints.ts'
export type { InstanceBackup, InstanceCheck, InstanceHealth, InstanceLimit } from './instance/health.ts'
export type { OauthProvider, SignInProvider } from './auth/sign-in.ts'
export type { PasskeyAssertion, PasskeyAttestation } from './auth/sign-in-schema.ts'
export type { CallInput, CallOutput, HandlerOutput, ParsedInput } from './base/call.ts'
export * from './base/catalog.ts'
export * from './boards/difference.ts'
export * from './boards/rules.ts'
export * from './reports/rules.ts'
export * from './boards/ready-boards.ts'
export * from './billing/usage-meters.ts'
export * from './base/version.ts'
export * from './billing/budget-states.ts'
export type { Budget } from './billing/budgets.ts'
export type { Statement, StatementFormat } from './billing/statements.ts'
export type { MeterPrice, PriceVersion } from './billing/prices.ts'
export type { AppliedSaving, Saving } from './billing/savings.ts'
export type { LedgerEvent, Spend, SpendCause, SpendRow } from './billing/spend.ts'
export * from './clusters/rules.ts'
export { commandLine, commandWords, flagLine, kebab, shellWord } from './base/command-words.ts'
export type {
  Cluster,
  ClusterCapacity,
  ClusterProvider,
  ClusterProviderId,
  KubeconfigToken,
  NodeGroup,
} from './clusters/endpoints.ts'
export type { Impact, ImpactRow, RelatedResource, RelationBox, RelationRow } from './relations/endpoints.ts'
export type { Fault, Sandbox, SandboxUsage } from './clusters/sandboxes.ts'
export type { AsCodeRule, EntityDescriptor, StatusTone } from './base/entity.ts'
export * from './base/entity-table.ts'
export * from './analytics/dashboard-parts.ts'
export * from './databases/backup-rules.ts'
export * from './databases/backup-promise.ts'
export * from './databases/backup-window.ts'
export * from './databases/moment-rules.ts'
export * from './databases/recovery-times.ts'
export type {
  DatabaseBackup,
  DatabaseBackupPolicy,
  DatabaseCheck,
  DatabaseRecoverableWindow,
} from './databases/backups.ts'
export * from './databases/backup-target-rules.ts'
export type { BackupTarget } from './databases/backup-targets.ts'
export type { ClusterWish, DatabaseCluster } from './databases/cluster.ts'
export type { ClusterBackup, DatabaseClusterSchedule } from './databases/cluster-backups.ts'
export * from './databases/cluster-creation.ts'
export * from './databases/cluster-rules.ts'
export type { DatabaseConnection, DatabaseTest } from './databases/connection.ts'
export { connectText, type ConnectTarget } from './databases/connect.ts'
export { connectFormatLabels, passwordPlaceholder, type ConnectFormat } from './databases/connect-formats.ts'
export { connectFormatsOf } from './databases/connect-watched.ts'
export * from './databases/dump-rules.ts'
export type { DatabaseDumpProgram } from './databases/dumps.ts'
export * from './databases/engines.ts'
export * from './databases/fault-rules.ts'
export * from './databases/quota-rules.ts'
export * from './databases/comparison.ts'
export * from './databases/growth.ts'
export type { DatabaseLeftRows, LeftTable } from './databases/left-rows.ts'
export type { ComparedDatabase, DatabaseDeviation } from './databases/metrics.ts'
export * from './databases/insight-locks.ts'
export type { DatabaseAdvice } from './databases/insight-advice.ts'
export type { DatabaseStatement } from './databases/insight-statements.ts'
export type { DatabaseSession } from './databases/insight-sessions.ts'
export * from './databases/login-rules.ts'
export * from './databases/allow-list.ts'
export type { DatabaseChangePlan, DatabaseParameter } from './databases/changes.ts'
export type { DatabaseLogin } from './databases/logins.ts'
export type { DatabaseExtension, ServerDatabase } from './databases/manage-contents.ts'
export type { SavedQuery, SqlHistoryEntry } from './databases/queries.ts'
export type { AlertMessage, AlertMessageType } from './alerts/entity.ts'
export type { BudgetMessage, BudgetMessageType } from './billing/budget-entity.ts'
export type { DatabaseRole } from './databases/manage-roles.ts'
export * from './databases/manage-rules.ts'
export type { DatabaseMoment } from './databases/moments.ts'
export * from './databases/parameters.ts'
export type {
  DatabaseCheckResult,
  DatabaseRestore,
  DatabaseSwap,
  DatabaseSwapComparison,
} from './databases/restores.ts'
export * from './databases/retention.ts'
export * from './databases/rules.ts'
export type { SqlError, SqlEstimate, SqlPlan, SqlPlanNode, SqlRelation, SqlResult } from './databases/sql.ts'
export * from './databases/sql-parameters.ts'
export * from './databases/statuses.ts'
export * from './databases/upgrade.ts'
export type { Database, DatabaseFigures } from './databases/endpoints.ts'
export * from './base/dns-rules.ts'
export * from './auth/email-lookalikes.ts'
export * from './auth/email-rules.ts'
export type { Access, CredentialPurpose, Endpoint, Method, Operation } from './base/endpoint.ts'
export { isIdempotent, maxWaitSeconds } from './base/endpoint.ts'
export type {
  ErrorEntry,
  ErrorGroup,
  ErrorOccurrence,
  ErrorOccurrenceSummary,
  ErrorStackFrame,
} from './error-log/endpoints.ts'
export * from './error-log/rules.ts'
export * from './base/errors.ts'
export * from './base/events.ts'
export * from './kubernetes/exec-rules.ts'
export * from './base/format-rules.ts'
export type { GodmodeUser } from './auth/godmode.ts'
export type {
  Capacity,
  ClusterOverview,
  EventRow,
  NamespaceRow,
  NodeRow,
  PodRow,
  WorkloadRow,
} from './kubernetes/endpoints.ts'
export type { ChangeEntry, ObjectVersion } from './kubernetes/changes.ts'
export type { Diagnosis, Evidence, Remedy } from './kubernetes/diagnosis.ts'
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
} from './kubernetes/objects.ts'
export type { ClusterCaches, FoundObject, KindCacheFigures } from './kubernetes/search.ts'
export type { DrainChoices } from './kubernetes/drain.ts'
export type { NodeDetail, NodePod } from './kubernetes/node.ts'
export type { EventGroup } from './kubernetes/object-events.ts'
export type {
  ClusterObjectRow,
  ClusterState,
  ClusterWorkloadRow,
  UnreadableCluster,
} from './kubernetes/all-clusters.ts'
export * from './kubernetes/act-rules.ts'
export * from './kubernetes/rules.ts'
export * from './kubernetes/change-rules.ts'
export type { VolumeUsage } from './kubernetes/volumes.ts'
export * from './analytics/visit-rules.ts'
export * from './kubernetes/volume-rules.ts'
export type { Invitation, InvitationPreview, InvitationResult } from './members/invitations.ts'
export type { ContainerPosition, LogDownloadRequest, LogRequest } from './kubernetes/logs.ts'
export * from './kubernetes/log-position.ts'
export * from './kubernetes/log-records.ts'
export * from './mcp/rules.ts'
export * from './workflows/approval-rules.ts'
export * from './kubernetes/quantity.ts'
export type {
  ClusterConnectionFacts,
  ConnectionCheck,
  ConnectionProblem,
  ConnectionRights,
  ConnectionTest,
  KubeconfigContext,
} from './clusters/import.ts'
export * from './base/health.ts'
export type { Attention, AttentionItem, NodeCell } from './base/health-schema.ts'
export * from './clusters/kubeconfig-rules.ts'
export * from './base/live-position.ts'
export * from './base/live.ts'
export type { BelongingChoice, Belongings, Member } from './members/endpoints.ts'
export * from './members/rules.ts'
export * from './metrics/measured.ts'
export * from './metrics/catalog.ts'
export * from './metrics/names.ts'
export type { CatalogMetric, MetricQueryResult } from './metrics/queries.ts'
export * from './metrics/source-rules.ts'
export type { MetricSource } from './metrics/sources.ts'
export type { MetricUsual } from './metrics/usual.ts'
export * from './metrics/promql-functions.ts'
export * from './metrics/usual-band.ts'
export * from './metrics/query-bounds.ts'
export * from './metrics/questions.ts'
export type { MetricRange, MetricSeries } from './metrics/endpoints.ts'
export * from './base/name-rules.ts'
export * from './networks/statuses.ts'
export type { SecurityGroup } from './networks/security-groups.ts'
export type { NetworkMembership } from './networks/memberships.ts'
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
} from './networks/endpoints.ts'
export * from './base/nearest-word.ts'
export type {
  HostTest,
  IngressBackend,
  IngressCertificate,
  IngressGateway,
  IngressHost,
  IngressRoute,
  LoadBalancerService,
} from './ingress/endpoints.ts'
export type { FlowMap, FlowState } from './networks/flows.ts'
export type { ReachabilityCheck, ReachabilityGate, ReachabilityMatrix } from './networks/reachability.ts'
export * from './notifications/rules.ts'
export type { OrganizationDetail } from './organizations/endpoints.ts'
export type { Notification } from './notifications/endpoints.ts'
export type {
  NotificationChannel,
  NotificationRule,
  NotificationRuleInput,
} from './notifications/settings.ts'
export type { PaletteEntity } from './palette/endpoints.ts'
export * from './auth/password-rules.ts'
export * from './base/permission-text.ts'
export * from './base/permissions.ts'
export type { SecurityPolicies } from './policies/endpoints.ts'
export * from './policies/rules.ts'
export * from './base/redact-text.ts'
export * from './relations/rules.ts'
export type { ResourceRow, ResourceView } from './resources/endpoints.ts'
export * from './resources/kinds.ts'
export * from './resources/marks.ts'
export * from './resources/query.ts'
export * from './resources/rules.ts'
export type { Route } from './base/route.ts'
export { routes } from './routes.generated.ts'
export * from './secrets/names.ts'
export * from './base/subscriptions.ts'
export * from './secrets/rules.ts'
export * from './secrets/sync-rules.ts'
export type { Actor } from './base/schema.ts'
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
} from './secrets/schema.ts'
export type { SecretVerification } from './secrets/keys.ts'
export type { SecretShare } from './secrets/shares.ts'
export type { SecretSync } from './secrets/syncs.ts'
export type { SecretImportRow } from './secrets/transfer.ts'
export type { Settings } from './settings/endpoints.ts'
export type { ServerStatus, VersionInfo } from './status/endpoints.ts'
export * from './base/statuses.ts'
export * from './workflows/step-guarantee.ts'
export * from './clusters/talos-endpoints.ts'
export * from './settings/theme-rules.ts'
export * from './settings/time-rules.ts'
export type { HealthMessage } from './clusters/entity.ts'
export type { MemberJoinedMessage } from './members/entity.ts'
export type { DatabaseMessage, DatabaseMessageType } from './databases/entity.ts'
export type { SecretExpiringMessage } from './secrets/entity.ts'
export * from './webhooks/message.ts'
export * from './webhooks/rules.ts'
export type { Webhook, WebhookAttempt, WebhookDelivery } from './webhooks/endpoints.ts'
export * from './base/wire.ts'
export type { EngineStatus, Run, StepAttempt, StepLog, StepRun, Workflow } from './workflows/endpoints.ts'
export type {
  DefinitionProblem,
  WorkflowDefinitionBody,
  WorkflowDefinitionInput,
  WorkflowStepDefinition,
} from './workflows/definition.ts'
export * from './workflows/graph.ts'
export * from './workflows/rules.ts'
export type { StepTypeInfo, WorkflowVersion } from './workflows/authoring.ts'
export type { Approval } from './workflows/runs.ts'
export type { Trigger, TriggerSettings } from './workflows/triggers.ts'
export * from './auth/oauth-rules.ts'
