// What needs no zod, as values, and the types of everything. Schemas are in `@bey/contract/api`.
export type { Dashboard } from './analytics.ts'
export type { Api, EndpointName } from './api.ts'
export type { Organization, User } from './auth.ts'
export type { CallInput, CallOutput, HandlerOutput, ParsedInput } from './call.ts'
export * from './catalog.ts'
export * from './cluster-rules.ts'
export type { Cluster, ClusterProvider, ClusterProviderId, KubeconfigToken, NodeGroup } from './clusters.ts'
export type { Access, Endpoint, Method } from './endpoint.ts'
export * from './errors.ts'
export * from './events.ts'
export type {
  Capacity,
  ClusterOverview,
  DeploymentRow,
  EventRow,
  NamespaceRow,
  NodeRow,
  PodRow,
} from './kubernetes.ts'
export * from './live.ts'
export type { PaletteEntity, PaletteEntityType } from './palette.ts'
export * from './permissions.ts'
export type { Route } from './route.ts'
export { routes } from './routes.generated.ts'
export * from './rules.ts'
export type { Actor } from './schema.ts'
export type { ServerStatus, VersionInfo } from './status.ts'
export * from './statuses.ts'
export * from './wire.ts'
export type { EngineStatus, Run, StepLog, StepRun, Workflow } from './workflows.ts'
