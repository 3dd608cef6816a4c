import type { Paper, PaperBlock, PaperFigure, PaperLines } from '@bey/contract/paper/paper'
import { chartGeometry, polylinePoints } from '@bey/contract/paper/chart'
import { paperStyles } from './paper-styles.ts'

/** Width of charts in the units of their drawing. */
const chart = { width: 480, height: 92, left: 34, below: 18 }

/**
 * A whole page that needs nothing else: styles in it, no script, no picture, no link. `madeBy` stands at its foot. Every
 * text of a user is escaped, and the page forbids itself to load anything.
 */
export function paperHtml(paper: Paper, madeBy: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(paper.title)}</title>
<style>${paperStyles}</style>
</head>
<body>
<main>
<h1>${escapeHtml(paper.title)}</h1>
<p class="subtitle">${escapeHtml(paper.subtitle)}</p>
<p class="note"><strong>Data as of ${escapeHtml(paper.asOfText)}.</strong> ${escapeHtml(completeness(paper))}</p>
${paper.sections
  .map(
    ({ title, blocks }) =>
      `<section>${title === '' ? '' : `<h2>${escapeHtml(title)}</h2>`}${blocks.map(blockHtml).join('\n')}</section>`,
  )
  .join('\n')}
${sourcesHtml(paper)}
<footer>${escapeHtml(madeBy)}</footer>
</main>
</body>
</html>
`
}

/** What could not be read, or that all was; and what the mark of estimates means where there are any. */
export function completeness({ unread, sections }: Paper): string {
  const blocks = sections.flatMap((section) => section.blocks)
  const hasEstimates = blocks.some(
    (block) => block.kind === 'figures' && block.figures.some(({ isEstimate }) => isEstimate),
  )
  const read = unread.length === 0 ? 'Everything it covers was read.' : unread.join(' ')
  return hasEstimates ? `${read} Figures marked * are estimates.` : read
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

const mark = (source: number | null) => (source === null ? '' : `<sup>${source}</sup>`)
const heading = (title: string, source: number | null) =>
  title === '' ? '' : `<h3>${escapeHtml(title)}${mark(source)}</h3>`

function blockHtml(block: PaperBlock): string {
  switch (block.kind) {
    case 'text':
      return `<p${block.isLead ? ' class="lead"' : ''}>${escapeHtml(block.text)}</p>`
    case 'figures':
      return `<dl class="figures">${block.figures.map(figureHtml).join('')}</dl>`
    case 'table':
      return tableHtml(block)
    case 'bars':
      return `${heading(block.title, block.source)}${block.bars.length === 0 ? `<p>${escapeHtml(block.emptyText)}</p>` : ''}${block.bars
        .map(
          ({ label, share, value, isWarning }) =>
            `<div class="bar"><span>${escapeHtml(label)}</span><i><b${isWarning ? ' class="warning"' : ''} style="width:${percent(share)}%"></b></i><span class="number">${escapeHtml(value)}</span></div>`,
        )
        .join('')}`
    case 'lines':
      return linesHtml(block)
  }
}

function figureHtml({ label, value, before, isEstimate, source }: PaperFigure): string {
  return `<div><dt>${escapeHtml(label)}${mark(source)}</dt><dd>${escapeHtml(value)}${isEstimate ? '*' : ''}</dd><dd class="before">${escapeHtml(before ?? '')}</dd></div>`
}

function tableHtml(block: Extract<PaperBlock, { kind: 'table' }>): string {
  const { title, columns, rows, emptyText, note, source } = block
  const head = heading(title, source)
  if (rows.length === 0) return `${head}<p>${escapeHtml(emptyText)}</p>`
  const cell = (tag: 'td' | 'th', text: string, index: number) => {
    const kind = columns[index]?.isNumber ? ' class="number"' : hasLongWord(text) ? ' class="long"' : ''
    return `<${tag}${kind}>${escapeHtml(text)}</${tag}>`
  }
  const line = (tag: 'td' | 'th', texts: readonly string[]) =>
    `<tr>${texts.map((text, index) => cell(tag, text, index)).join('')}</tr>`
  const names = columns.map(({ name }) => name)
  return `${head}<table><thead>${line('th', names)}</thead><tbody>${rows.map((row) => line('td', row)).join('')}</tbody></table>${note === '' ? '' : `<p class="small">${escapeHtml(note)}</p>`}`
}

/** Curves with their gaps hatched; a reader of the text alone gets the range of each. */
function linesHtml(block: PaperLines): string {
  const { width, height, left, below } = chart
  const { parts, yOf } = chartGeometry(block, width - left, height)
  const ticks = block.ticks
    .map(
      ({ value, text }) =>
        `<line class="tick" x1="${left}" x2="${width}" y1="${yOf(value).toFixed(1)}" y2="${yOf(value).toFixed(1)}"/><text x="${left - 4}" y="${(yOf(value) + 2.5).toFixed(1)}" text-anchor="end">${escapeHtml(text)}</text>`,
    )
    .join('')
  const times = block.times
    .map(
      ({ at, text }) =>
        `<text x="${(left + clamp(at) * (width - left)).toFixed(1)}" y="${height + 12}" text-anchor="${at > 0.97 ? 'end' : 'middle'}">${escapeHtml(text)}</text>`,
    )
    .join('')
  const gaps = block.gaps
    .map(({ from, to, text }) => {
      const x = left + clamp(from) * (width - left)
      const wide = Math.max(2, (clamp(to) - clamp(from)) * (width - left))
      return `<rect fill="url(#gap)" x="${x.toFixed(1)}" y="0" width="${wide.toFixed(1)}" height="${height}"><title>${escapeHtml(text)}</title></rect>`
    })
    .join('')
  const limit = block.limit
    ? `<line class="limit" x1="${left}" x2="${width}" y1="${yOf(block.limit.value).toFixed(1)}" y2="${yOf(block.limit.value).toFixed(1)}"/><text class="limit" x="${width}" y="${(yOf(block.limit.value) - 3).toFixed(1)}" text-anchor="end">${escapeHtml(block.limit.text)}</text>`
    : ''
  const curves = parts
    .flatMap((each, index) =>
      each.map((points) => `<polyline class="curve-${index}" points="${polylinePoints(points)}"/>`),
    )
    .join('')
  const names = block.series
    .map(({ name }, index) => `<span class="curve-${index}">${escapeHtml(name)}</span>`)
    .join('')
  return `${heading(block.title, block.source)}<svg viewBox="0 -4 ${width} ${height + below + 4}" role="img" aria-label="${escapeHtml(block.title)}"><defs><pattern id="gap" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="4" stroke="#8a8a90" stroke-width="1"/></pattern></defs>${ticks}${gaps}${limit}<g transform="translate(${left} 0)">${curves}</g>${times}</svg><p class="legend">${names}</p>${block.gaps.length === 0 ? '' : `<p class="small">Hatched: ${escapeHtml(block.gaps.map(({ text }) => text).join('; '))}.</p>`}`
}

function sourcesHtml({ sources }: Paper): string {
  if (sources.length === 0) return ''
  const each = sources.map(
    ({ number, label, text }) => `<li>${number} ${escapeHtml(label)}: ${escapeHtml(text)}</li>`,
  )
  return `<section><h2>Sources</h2><ul class="sources">${each.join('')}</ul></section>`
}

/** An address or a digest may break anywhere, so that it does not push the other columns off the paper; words may not. */
const hasLongWord = (text: string) => text.split(/[\s-]+/).some((word) => word.length > 20)
const clamp = (share: number) => Math.min(1, Math.max(0, share))
const percent = (share: number) => (clamp(share) * 100).toFixed(1)
