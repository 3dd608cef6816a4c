import { type Role, roleHas } from '@bey/contract'
import { type ReportKind, reportKindRules, reportKinds } from '@bey/contract/reports/rules'
import type { Parts } from '../../feature.ts'
import { AppError } from '../../platform/errors.ts'
import { whyNot } from '../../platform/keys/key-rights.ts'
import type { PaperPrinter } from '../../platform/paper/print-paper.ts'
import type { ReadSource } from './reads.ts'

export type ReportParts = Pick<Parts, 'database' | 'clock' | 'log' | 'mail'> & {
  features: ReadSource
  printer: PaperPrinter
  /** Stands at the foot of each paper, for instance "Bey 0.1.0". */
  madeBy: string
  /** Where links in mails lead. */
  baseUrl: string
}

/** Kinds that a role may read. */
export const readableKinds = (role: Role): ReportKind[] =>
  reportKinds.filter((kind) =>
    reportKindRules[kind].permissions.every((permission) => roleHas(role, permission)),
  )

/** Throws AppError `forbidden` with the permission that is missing. */
export function requireKind(role: Role, kind: ReportKind): void {
  for (const permission of reportKindRules[kind].permissions) {
    const reason = whyNot({ role }, permission)
    if (reason !== undefined) {
      throw new AppError('forbidden', `${reportKindRules[kind].label} needs more rights. ${reason}`)
    }
  }
}

export const targetOf = (id: string, name: string) => ({ type: 'report', id, name }) as const
