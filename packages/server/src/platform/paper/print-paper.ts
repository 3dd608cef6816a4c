import type { Paper } from '@bey/contract/paper/paper'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { findChromium, printByChromium } from './chromium-pdf.ts'
import { writeByLibrary } from './library-pdf.ts'
import { paperHtml } from './paper-html.ts'

type PrintedPaper = { bytes: Buffer; by: 'Chromium' | 'PDFKit' }

/** How many papers wait for the one that is printed; more are refused. */
const maxWaiting = 8

export type PaperPrinter = {
  /** A4 as PDF. Its foot says what printed it. Throws `rate_limited` when 8 papers wait. */
  print(paper: Paper, madeBy: string): Promise<PrintedPaper>
}

/** Prints one paper after the other: by Chromium where there is one that works, else by the library. */
export function createPaperPrinter(namedChromium: string | undefined, log: Log): PaperPrinter {
  const chromium = findChromium(namedChromium)
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function print(paper: Paper, madeBy: string): Promise<PrintedPaper> {
    if (chromium !== undefined) {
      try {
        const foot = `${madeBy}. Printed by Chromium.`
        return { bytes: await printByChromium(chromium, paperHtml(paper, foot)), by: 'Chromium' }
      } catch (error) {
        log.warn({ err: error }, 'Chromium printed no paper; the library writes it')
      }
    }
    return { bytes: await writeByLibrary({ paper, madeBy: `${madeBy}. Printed by PDFKit.` }), by: 'PDFKit' }
  }

  return {
    async print(paper, madeBy) {
      if (waiting >= maxWaiting) {
        throw new AppError('rate_limited', `${maxWaiting} papers wait to be printed. Try again in a minute.`)
      }
      waiting += 1
      const mine = last.then(() => print(paper, madeBy))
      last = mine.catch(() => undefined).finally(() => (waiting -= 1))
      return mine
    },
  }
}
