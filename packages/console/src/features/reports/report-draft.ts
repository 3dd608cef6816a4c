import {
  type Report,
  type ReportKind,
  reportKindRules,
  reportKinds,
  type ReportPeriod,
  type Role,
  roleHas,
} from '@bey/contract'
import { deviceTimeZone } from '../../lib/time-zones.ts'

export interface ReportDraft {
  name: string
  kind: ReportKind
  period: ReportPeriod
  timeZone: string
  clusterIds: number[]
  isCompared: boolean
  hiddenSections: string[]
  /** Empty: issued by people alone. */
  schedule: string
  recipients: number[]
}

export const schedules = [
  { value: '', label: 'Manual' },
  { value: '0 6 * * *', label: 'Every day, 06:00' },
  { value: '0 6 * * 1', label: 'Every Monday, 06:00' },
  { value: '0 6 1 * *', label: '1st of the month, 06:00' },
] as const

export function newDraft(kind: ReportKind): ReportDraft {
  return {
    name: reportKindRules[kind].label,
    kind,
    period: 'last-week',
    timeZone: deviceTimeZone(),
    clusterIds: [],
    isCompared: true,
    hiddenSections: [],
    schedule: '',
    recipients: [],
  }
}

export function draftOf({ name, kind, parameters, schedule, recipients }: Report): ReportDraft {
  return { name, kind, ...parameters, schedule: schedule ?? '', recipients: recipients.map(({ id }) => id) }
}

export const parametersOf = ({ period, timeZone, clusterIds, isCompared, hiddenSections }: ReportDraft) => ({
  period,
  timeZone,
  clusterIds,
  isCompared,
  hiddenSections,
})

/** Kinds that a role may read. */
export const kindsFor = (role: Role): ReportKind[] =>
  reportKinds.filter((kind) =>
    reportKindRules[kind].permissions.every((permission) => roleHas(role, permission)),
  )

export const asKind = (text: unknown): ReportKind | undefined => reportKinds.find((kind) => kind === text)
