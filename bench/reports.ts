import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Paper } from '@bey/contract/paper/paper'
import { createLog } from '../packages/server/src/platform/log.ts'
import { paperCsv } from '../packages/server/src/platform/paper/paper-csv.ts'
import { createPaperPrinter } from '../packages/server/src/platform/paper/print-paper.ts'
import { report } from './figure.ts'

/** Rows of a table that fill 50 pages, by either printer. */
const rows = 2_500
const nowhere = '/nowhere/chromium'

/** A report of 50 pages as PDF, by Chromium where there is one and by the library, and how long the server stands still. */
export async function run(): Promise<void> {
  const paper = fiftyPages()
  for (const named of [undefined, nowhere]) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const printer = createPaperPrinter(named, createLog({ level: 'silent' }))
    delay.enable()
    const startedAt = performance.now()
    const { by } = await printer.print(paper, 'Bey')
    const took = performance.now() - startedAt
    delay.disable()
    report({ name: `50 pages as PDF by ${by}`, value: took, unit: 'ms', goal: 5_000 })
    report({
      name: `longest pause of the server meanwhile, ${by}`,
      value: delay.max / 1e6,
      unit: 'ms',
      goal: 200,
    })
  }
  const startedAt = performance.now()
  paperCsv(paper)
  report({ name: '50 pages as CSV', value: performance.now() - startedAt, unit: 'ms', goal: 200 })
}

function fiftyPages(): Paper {
  return {
    title: 'Access review',
    subtitle: 'Measured',
    asOf: new Date(0).toISOString(),
    asOfText: '1 January 1970, 00:00 UTC',
    unread: [],
    sections: [
      {
        id: 'members',
        title: 'Members',
        blocks: [
          {
            kind: 'table',
            title: '',
            columns: ['Member', 'Role', 'Last used', 'Unused rights'].map((name) => ({
              name,
              isNumber: false,
            })),
            rows: Array.from({ length: rows }, (_, n) => [`Member ${n}`, 'MEMBER', `${n} days ago`, 'write']),
            emptyText: '',
            note: '',
            source: null,
          },
        ],
      },
    ],
    sources: [],
  }
}
