import type { Paper, PaperBlock } from '@bey/contract/paper/paper'
import { csvLine } from '../csv.ts'

/** Every figure, row and curve of a paper, one table below the other with an empty line between them. */
export function paperCsv(paper: Paper): string {
  const head = [
    csvLine([paper.title]),
    csvLine([paper.subtitle]),
    csvLine(['Data as of', paper.asOf]),
    ...paper.unread.map((sentence) => csvLine(['Not read', sentence])),
  ]
  const tables = paper.sections.flatMap(({ blocks }) => blocks.map(linesOf)).filter((lines) => lines !== '')
  const sources = paper.sources.map(({ number, label, text }) => csvLine([String(number), label, text]))
  return [head.join(''), ...tables, [csvLine(['Source', 'Figure', 'Read from']), ...sources].join('')].join(
    '\r\n',
  )
}

function linesOf(block: PaperBlock): string {
  switch (block.kind) {
    case 'text':
      return csvLine([block.text])
    case 'figures':
      return [
        ['Figure', 'Value', 'Before', 'Estimate'],
        ...block.figures.map(({ label, value, before, isEstimate }) => [
          label,
          value,
          before ?? '',
          isEstimate ? 'yes' : 'no',
        ]),
      ]
        .map(csvLine)
        .join('')
    case 'table':
      return [[block.title], block.columns.map(({ name }) => name), ...block.rows].map(csvLine).join('')
    case 'bars':
      return [[block.title], ...block.bars.map(({ label, value }) => [label, value])].map(csvLine).join('')
    case 'lines': {
      const count = Math.max(0, ...block.series.map(({ values }) => values.length))
      const from = Date.parse(block.from)
      const step = count > 1 ? (Date.parse(block.to) - from) / (count - 1) : 0
      const rows = Array.from({ length: count }, (_, index) => [
        new Date(from + index * step).toISOString(),
        ...block.series.map(({ values }) => String(values[index] ?? '')),
      ])
      return [[block.title], ['Time', ...block.series.map(({ name }) => name)], ...rows].map(csvLine).join('')
    }
  }
}
