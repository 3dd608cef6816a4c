import type { Permission } from '../base/permissions.ts'

/** Kinds of report, in the order in which they are offered. */
export const reportKinds = [
  'reliability',
  'capacity',
  'cost',
  'backup-proof',
  'secrets-age',
  'access-review',
  'change-log',
] as const
export type ReportKind = (typeof reportKinds)[number]

type KindRule = {
  label: string
  about: string
  /** A role must hold all of them to create, issue or read such a report. */
  permissions: readonly Permission[]
  /** Whether it covers a period; the others say how things are at the time of issue. */
  hasPeriod: boolean
  /** Whether it can be limited to some clusters. */
  hasClusters: boolean
  /** Its sections after the summary, by id. */
  sections: Readonly<Record<string, string>>
}

export const reportKindRules: Readonly<Record<ReportKind, KindRule>> = {
  reliability: {
    label: 'Reliability',
    about: 'runs, alerts, restarts of control planes, time to recover',
    permissions: ['reports.read', 'workflows.read', 'alerts.read', 'clusters.read'],
    hasPeriod: true,
    hasClusters: true,
    sections: { runs: 'Runs that failed', alerts: 'Alerts that fired', restarts: 'Restarts' },
  },
  capacity: {
    label: 'Capacity',
    about: 'what fills up next, and when',
    permissions: ['reports.read', 'clusters.read', 'databases.read', 'analytics.read'],
    hasPeriod: true,
    hasClusters: true,
    sections: { use: 'Use of clusters', clusters: 'Clusters', databases: 'Databases' },
  },
  cost: {
    label: 'Cost',
    about: 'what the period cost, by service, owner and workload',
    permissions: ['reports.read', 'billing.readAll'],
    hasPeriod: true,
    hasClusters: false,
    sections: { services: 'Services', owners: 'Owners', workloads: 'Workloads', unusual: 'Unusual days' },
  },
  'backup-proof': {
    label: 'Backup proof',
    about: 'databases that a drill restored, and those without proof',
    permissions: ['reports.read', 'databases.read'],
    hasPeriod: true,
    hasClusters: false,
    sections: { proofs: 'Databases', drills: 'Drills' },
  },
  'secrets-age': {
    label: 'Secrets age',
    about: 'old values, expiry and rotation',
    permissions: ['reports.read', 'secrets.read'],
    hasPeriod: false,
    hasClusters: false,
    sections: { ages: 'Age of values', secrets: 'Secrets' },
  },
  'access-review': {
    label: 'Access review',
    about: 'who may do what, last used, unused rights',
    permissions: ['reports.read', 'apiKeys.manage', 'audit.read'],
    hasPeriod: true,
    hasClusters: false,
    sections: { members: 'Members', keys: 'API keys' },
  },
  'change-log': {
    label: 'Change log',
    about: 'what changed, and by whom',
    permissions: ['reports.read', 'audit.read'],
    hasPeriod: true,
    hasClusters: false,
    sections: { people: 'Changes by person', changes: 'Changes' },
  },
}

/** Periods that a report covers, in whole days of its time zone. */
export const reportPeriods = ['last-week', 'this-week', 'last-month', 'this-month', 'last-30-days'] as const
export type ReportPeriod = (typeof reportPeriods)[number]

export const reportPeriodLabels: Readonly<Record<ReportPeriod, string>> = {
  'last-week': 'Last week',
  'this-week': 'This week, so far',
  'last-month': 'Last month',
  'this-month': 'This month, so far',
  'last-30-days': 'Last 30 days',
}

export type ReportParameters = {
  period: ReportPeriod
  /** IANA name of the time zone that days begin in. */
  timeZone: string
  /** Empty: every cluster. */
  clusterIds: readonly number[]
  /** Whether figures are compared with the period before. */
  isCompared: boolean
  /** Sections that are left out, by id. */
  hiddenSections: readonly string[]
}

export const reportBounds = {
  perOrganization: 100,
  maxClusters: 50,
  maxRecipients: 50,
  /** Kept of each report; the oldest are deleted. */
  keptIssues: 100,
  shownIssues: 10,
  maxLinkDays: 90,
  linksPerIssue: 20,
  /** Scheduled issues in a row that nobody read, after which the list asks to stop. */
  unreadBeforeQuestion: 3,
} as const
