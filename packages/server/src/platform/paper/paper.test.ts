import { paper as paperSchema, type Paper } from '@bey/contract/paper/paper'
import { chartGeometry } from '@bey/contract/paper/chart'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { findChromium } from './chromium-pdf.ts'
import { writeByLibrary } from './library-pdf.ts'
import { paperCsv } from './paper-csv.ts'
import { paperHtml } from './paper-html.ts'
import { createPaperPrinter } from './print-paper.ts'

const hostile = '<script>alert("1")</script>'

const paper: Paper = paperSchema.parse({
  title: 'Reliability, week 47',
  subtitle: `${hostile}, all clusters. 16 to 22 November 2026, UTC`,
  asOf: '2026-11-23T06:00:00.000Z',
  asOfText: 'Monday, 23 November 2026, 06:00 UTC',
  unread: ['Cluster "prod-us" did not answer.'],
  sections: [
    {
      id: 'summary',
      title: '',
      blocks: [
        { kind: 'text', text: 'No run ended in week 47.', isLead: true },
        {
          kind: 'figures',
          figures: [
            {
              id: 'restarts',
              label: 'Restarts',
              value: '612',
              before: '580 in week 46',
              isEstimate: true,
              source: 1,
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Restarts by the hour',
          from: '2026-11-16T00:00:00.000Z',
          to: '2026-11-16T04:00:00.000Z',
          series: [{ name: hostile, values: [1, 2, null, 4, 5] }],
          ticks: [{ value: 0, text: '0' }],
          times: [{ at: 0, text: 'Mon 16' }],
          limit: { value: 4, text: 'limit 4' },
          gaps: [{ from: 0.4, to: 0.6, text: 'no data for 1 h' }],
          source: 1,
        },
        {
          kind: 'bars',
          title: 'Most restarts',
          bars: [{ label: 'orders-api', share: 2, value: '400', isWarning: true }],
          emptyText: 'Nothing restarted.',
          source: null,
        },
      ],
    },
    {
      id: 'runs',
      title: 'Runs',
      blocks: [
        {
          kind: 'table',
          title: '',
          columns: [
            { name: 'Workflow', isNumber: false },
            { name: 'Runs', isNumber: true },
          ],
          rows: [
            ['=HYPERLINK("http://example.com")', '3'],
            ['Überprüfung 検査', '4'],
          ],
          emptyText: 'No run ended.',
          note: '',
          source: 1,
        },
      ],
    },
  ],
  sources: [{ number: 1, label: 'Restarts', text: 'container_restarts_total', path: '/analytics/metrics' }],
})

const long: Paper = {
  ...paper,
  sections: paper.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) =>
      block.kind === 'table'
        ? { ...block, rows: Array.from({ length: 2_600 }, (_, n) => [`workflow ${n}`, String(n)]) }
        : block,
    ),
  })),
}

const log = createLog({ level: 'silent' })
const pagesOf = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length

test('a text of a user never becomes a part of the page', () => {
  const html = paperHtml(paper, `Bey ${hostile}`)
  expect(html).not.toContain('<script')
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;, all clusters.')
  expect(html).toContain("default-src 'none'")
})

test('a page says when its data were read, what could not be read and what is estimated', () => {
  const html = paperHtml(paper, 'Bey')
  expect(html).toContain('Data as of Monday, 23 November 2026, 06:00 UTC.')
  expect(html).toContain('Cluster &quot;prod-us&quot; did not answer. Figures marked * are estimates.')
  expect(html).toContain('612*')
  expect(paperHtml({ ...paper, unread: [] }, 'Bey')).toContain('Everything it covers was read.')
})

test('a curve ends where nothing was measured, and the gap is hatched and said', () => {
  const [curve] = chartGeometry(
    { series: [{ values: [1, 2, null, 4, 5] }], ticks: [], limit: null },
    400,
    100,
  ).parts
  expect(curve).toEqual([
    [
      [0, 100],
      [100, 75],
    ],
    [
      [300, 25],
      [400, 0],
    ],
  ])
  const html = paperHtml(paper, 'Bey')
  expect(html.match(/<polyline/g)).toHaveLength(2)
  expect(html).toContain('url(#gap)')
  expect(html).toContain('Hatched: no data for 1 h.')
})

test('a table without rows says so in place of its head', () => {
  const [, runs] = paper.sections
  const empty = {
    ...paper,
    sections: [{ ...runs!, blocks: runs!.blocks.map((each) => ({ ...each, rows: [] })) }],
  }
  const html = paperHtml(empty, 'Bey')
  expect(html).toContain('<p>No run ended.</p>')
  expect(html).not.toContain('<table')
})

test('a spreadsheet runs no text of the CSV file as a formula', () => {
  const csv = paperCsv(paper)
  expect(csv).toContain(`"'=HYPERLINK(""http://example.com"")",3\r\n`)
  expect(csv).toContain('Not read,"Cluster ""prod-us"" did not answer."\r\n')
  expect(csv).toContain('2026-11-16T02:00:00.000Z,\r\n')
  expect(csv).toContain('Restarts,612,580 in week 46,yes\r\n')
})

test('the library writes all pages, and the thread of the server goes on meanwhile', async () => {
  let turns = 0
  const counted = setInterval(() => (turns += 1), 1)
  const bytes = await writeByLibrary({ paper: long, madeBy: 'Bey' })
  clearInterval(counted)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pagesOf(bytes)).toBeGreaterThanOrEqual(50)
  expect(turns).toBeGreaterThan(5)
})

test('where Chromium does not start the library prints, and the paper says so', async () => {
  const printer = createPaperPrinter('/nowhere/chromium', log)
  const { bytes, by } = await printer.print(paper, 'Bey 0.1.0')
  expect(by).toBe('PDFKit')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
})

test('eight papers wait at most, and the next one is refused with a sentence', async () => {
  const printer = createPaperPrinter('/nowhere/chromium', log)
  const printed = Array.from({ length: 8 }, () => printer.print(paper, 'Bey'))
  await expect(printer.print(paper, 'Bey')).rejects.toThrow('8 papers wait to be printed.')
  await Promise.all(printed)
  await expect(printer.print(paper, 'Bey')).resolves.toMatchObject({ by: 'PDFKit' })
})

test('Chromium prints a paper where this machine has one', async () => {
  const { bytes, by } = await createPaperPrinter(undefined, log).print(paper, 'Bey')
  expect(by).toBe(findChromium(undefined) === undefined ? 'PDFKit' : 'Chromium')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
})
