import type { Feature, Parts } from '../../feature.ts'
import { createPaperPrinter } from '../../platform/paper/print-paper.ts'
import { reportsDemo } from './demo.ts'
import { issueHandlers } from './issues.ts'
import { linkHandlers } from './links.ts'
import type { ReportParts } from './parts.ts'
import type { ReadSource } from './reads.ts'
import { startReportSchedules } from './scheduler.ts'
import { reportHandlers } from './service.ts'

/** `features`: those whose reads reports are made of; asked for when a report is read. */
export function reportsFeature(
  parts: Parts,
  { version, features }: { version: string; features: ReadSource },
) {
  const { database, clock, log, mail, config } = parts
  const own: ReportParts = {
    database,
    clock,
    log,
    mail,
    features,
    printer: createPaperPrinter(config.chromium, log),
    madeBy: `Bey ${version}`,
    baseUrl: config.publicUrl ?? `http://localhost:${config.port}`,
  }
  const stop = config.role === 'worker' ? undefined : startReportSchedules(own)
  return {
    handlers: { ...reportHandlers(own), ...issueHandlers(own), ...linkHandlers(own) },
    demo: reportsDemo,
    close: async () => stop?.(),
  } satisfies Feature
}
