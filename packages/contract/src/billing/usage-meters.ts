/** Groups of meters, in the order of the page. */
export const usageServices = ['kubernetes', 'databases', 'logs', 'workflows', 'secrets', 'api'] as const
export type UsageService = (typeof usageServices)[number]

export const usageServiceTitles: Readonly<Record<UsageService, string>> = {
  kubernetes: 'Kubernetes',
  databases: 'Databases',
  logs: 'Logs',
  workflows: 'Workflows',
  secrets: 'Secrets',
  api: 'API and webhooks',
}

export type UsageMeterRule = {
  service: UsageService
  title: string
  /** Of one quantity: `hour`, `GB × hour`, `run`. */
  unit: string
  /** What one quantity is, in a sentence. */
  meaning: string
  /** False: it has no price, and splits the price of nodes over workloads. */
  isPriced: boolean
  /** Quantities that a price is usually given for; a power of ten. */
  per: number
}

/** Everything that is metered. Quantities are decimal numbers; GB is 10⁹ bytes and GiB 2³⁰. */
export const usageMeters = {
  node_hours: {
    service: 'kubernetes',
    title: 'Node-hour',
    unit: 'hour',
    meaning: 'One node of a cluster, for each hour in which it was measured.',
    isPriced: true,
    per: 1,
  },
  cpu_capacity: {
    service: 'kubernetes',
    title: 'CPU of nodes',
    unit: 'core × hour',
    meaning: 'Cores of a node that pods can have, for each hour.',
    isPriced: false,
    per: 1,
  },
  memory_capacity: {
    service: 'kubernetes',
    title: 'Memory of nodes',
    unit: 'GiB × hour',
    meaning: 'Memory of a node that pods can have, for each hour.',
    isPriced: false,
    per: 1,
  },
  cpu_requested: {
    service: 'kubernetes',
    title: 'CPU requested',
    unit: 'core × hour',
    meaning: 'Cores that the pods of a workload request, for each hour.',
    isPriced: false,
    per: 1,
  },
  cpu_used: {
    service: 'kubernetes',
    title: 'CPU used',
    unit: 'core × hour',
    meaning: 'Cores that the pods of a workload use, for each hour.',
    isPriced: false,
    per: 1,
  },
  memory_requested: {
    service: 'kubernetes',
    title: 'Memory requested',
    unit: 'GiB × hour',
    meaning: 'Memory that the pods of a workload request, for each hour.',
    isPriced: false,
    per: 1,
  },
  memory_used: {
    service: 'kubernetes',
    title: 'Memory used',
    unit: 'GiB × hour',
    meaning: 'Memory that the pods of a workload use, for each hour.',
    isPriced: false,
    per: 1,
  },
  database_gb_hours: {
    service: 'databases',
    title: 'Database GB-hour',
    unit: 'GB × hour',
    meaning: 'One GB that a database holds, for each hour in which it was measured.',
    isPriced: true,
    per: 1,
  },
  log_gb: {
    service: 'logs',
    title: 'Log GB, taken in',
    unit: 'GB',
    meaning: 'One GB of log lines of workflow runs, when the run ends.',
    isPriced: true,
    per: 1,
  },
  runs: {
    service: 'workflows',
    title: 'Run',
    unit: 'run',
    meaning: 'A run of a workflow that has started, when it ends.',
    isPriced: true,
    per: 1,
  },
  step_seconds: {
    service: 'workflows',
    title: 'Step-second',
    unit: 'second',
    meaning: 'One second that a step of a run worked, when the run ends.',
    isPriced: true,
    per: 1,
  },
  secret_reads: {
    service: 'secrets',
    title: 'Secret read',
    unit: 'read',
    meaning: 'A value of a secret that a person, a key, a run or a cluster received.',
    isPriced: true,
    per: 1_000,
  },
  api_calls: {
    service: 'api',
    title: 'API call',
    unit: 'call',
    meaning: 'A request with the organization to the API that was answered, added up by the minute.',
    isPriced: true,
    per: 1_000,
  },
  webhook_attempts: {
    service: 'api',
    title: 'Webhook attempt',
    unit: 'attempt',
    meaning: 'An attempt to deliver a webhook, whether it succeeded or not.',
    isPriced: true,
    per: 1_000,
  },
} as const satisfies Record<string, UsageMeterRule>

export type UsageMeter = keyof typeof usageMeters

// The keys are those of the table.
export const usageMeterNames = Object.keys(usageMeters) as readonly UsageMeter[]

export const pricedMeters = usageMeterNames.filter((name) => usageMeters[name].isPriced)

/** By what spend is added up, beside `label:<key>`. */
export const spendDimensions = [
  'service',
  'meter',
  'cluster',
  'namespace',
  'workload',
  'resource',
  'owner',
  'person',
] as const
export type SpendDimension = (typeof spendDimensions)[number]

/** How the cost of nodes that no workload asked for (idle), and of `kube-system`, is split. */
export const sharedCostRules = ['requests', 'use', 'apart'] as const
export type SharedCostRule = (typeof sharedCostRules)[number]

export const sharedCostTexts: Readonly<Record<SharedCostRule, string>> = {
  requests: 'Split over the workloads of a cluster by what they request',
  use: 'Split over the workloads of a cluster by what they use',
  apart: 'Keep apart, as idle and as kube-system',
}

export const billingBounds = {
  maxTiers: 10,
  maxPrices: 200,
  maxVersions: 500,
  maxNote: 500,
  maxRows: 200,
  maxLabels: 16,
  maxLabelLength: 128,
  /** Digits after the point of an amount: each quantity of a day and a subject is priced and rounded to them once. */
  moneyDigits: 6,
  /** Days of a month that have to be complete before it is forecast. */
  forecastAfterDays: 5,
  /** Days of measurements without which no workload is said to request too much. */
  savingsMinDays: 7,
  savingsDays: 14,
  /** An event with the source and id of an earlier one is ignored for at least so long; here: for ever. */
  deduplicationDays: 32,
} as const

/** A decimal number as text, as PostgreSQL's numeric writes it: `-12.50`. */
export const decimalPattern = /^-?\d{1,20}(\.\d{1,12})?$/
