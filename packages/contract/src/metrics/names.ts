/**
 * Metrics of clusters, with their units. Without labels they are of the whole cluster; labelled `node` of a node;
 * `namespace`, `kind` and `workload` of a workload; `namespace` and `pod` of a pod, of which use alone is kept.
 */
export const clusterMetrics = {
  cpuUsed: 'cpu_used_millicores',
  cpuRequested: 'cpu_requested_millicores',
  /** Where every pod has a limit. */
  cpuLimit: 'cpu_limit_millicores',
  cpuAllocatable: 'cpu_allocatable_millicores',
  memoryUsed: 'memory_used_bytes',
  memoryRequested: 'memory_requested_bytes',
  memoryLimit: 'memory_limit_bytes',
  memoryAllocatable: 'memory_allocatable_bytes',
  nodes: 'nodes',
  pods: 'pods',
  /** Labelled `phase`. */
  podsByPhase: 'pods_by_phase',
  /** Labelled `health`; pods that have ended do not count. */
  podsByHealth: 'pods_by_health',
  /** Pods of which a container is not ready, or none has started; pods that have ended do not count. */
  podsNotReady: 'pods_not_ready',
  /** Of containers, since the measurement before. */
  restarts: 'restarts_per_minute',
} as const

export type ClusterMetric = (typeof clusterMetrics)[keyof typeof clusterMetrics]

/** Metrics of databases, measured every 15 s. Connections are of all databases of a server, for they share its limit. */
export const databaseMetrics = {
  connections: 'connections',
  connectionsMax: 'connections_max',
  /** Labelled `state`: `active`, `idle`, `idle_in_transaction`. */
  connectionsByState: 'connections_by_state',
  /** Sessions that wait for a lock. */
  waiting: 'sessions_waiting',
  transactions: 'transactions_per_second',
  rollbacks: 'rollbacks_per_second',
  /** Statements of MySQL and MariaDB, commands of Redis and Valkey. */
  statements: 'statements_per_second',
  cacheHit: 'cache_hit_percent',
  size: 'size_bytes',
  longestQuery: 'longest_query_ms',
  /** Sessions at work on average over 15 s, labelled `wait`: see `waitClasses`. Seen once a second. */
  load: 'load_sessions',
  /** The longest that a session was seen to wait for a lock within 15 s. */
  lockWait: 'lock_wait_longest_ms',
  deadlocks: 'deadlocks_per_minute',
  /** 95 of 100 calls of the last minute were of statements whose mean in that minute was not longer. */
  statementP95: 'statement_p95_ms',
  /** How far the standby that is furthest behind is, or this server where it is a standby itself. */
  replicationLag: 'replication_lag_ms',
  checkpoints: 'checkpoints_per_minute',
  temporaryBytes: 'temporary_bytes_per_second',
  walBytes: 'wal_bytes_per_second',
  /** Rows that statements fetched, and that they inserted, updated or deleted. */
  rowsRead: 'rows_read_per_second',
  rowsWritten: 'rows_written_per_second',
  /** Processor cores of the machine; of databases on the machine of Bey alone. */
  cores: 'cores',
} as const

/** Metrics of an organization as a whole, measured every minute. */
export const organizationMetrics = {
  /** Labelled `service` and `health`; each series is of one of both. */
  thingsByHealth: 'things_by_health',
  /** Without labels of all workflows, labelled `workflow` of one. */
  runsStarted: 'runs_started_per_minute',
  runsEnded: 'runs_ended_per_minute',
  runsFailed: 'runs_failed_per_minute',
  /** The average of the runs that ended in the minute. */
  runDuration: 'run_duration_seconds',
  runsActive: 'runs_active',
  runsQueued: 'runs_queued',
} as const

/** Metrics of the processes of Bey, labelled `process`, of the first organization alone; measured every 15 s. */
export const processMetrics = {
  cpu: 'process_cpu_percent',
  memory: 'process_memory_bytes',
  heap: 'process_heap_bytes',
  /** The 99th percentile of 15 s. */
  loopDelay: 'process_loop_delay_ms',
  requests: 'process_requests_per_second',
  requestErrors: 'process_request_errors_per_second',
  /** The average of 15 s. */
  requestTime: 'process_request_ms',
  sockets: 'process_sockets',
  connections: 'process_database_connections',
  connectionWaits: 'process_database_waiting',
} as const

/** States by which connections are counted. */
export const databaseConnectionStates = ['active', 'idle', 'idle_in_transaction'] as const

/** What one question about metrics may ask for, and how large its answer may be. */
export const metricBounds = {
  maxEntities: 200,
  maxMetrics: 20,
  maxPoints: 2_000,
  /** Numbers of one answer, all series together. */
  maxValues: 200_000,
  minRangeSeconds: 60,
  /** A year, as long as points are kept. */
  maxRangeSeconds: 366 * 86_400,
} as const
