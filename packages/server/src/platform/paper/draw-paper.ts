import type { Paper, PaperBlock } from '@bey/contract/paper/paper'
import PDFDocument from 'pdfkit'
import { drawLines } from './draw-lines.ts'
import { completeness } from './paper-html.ts'
import type { PdfOrder } from './library-pdf.ts'
import { type Pdf, written } from './pdf-text.ts'

const margin = 46
const grey = '#5c5c66'
const ink = '#1c1c22'
const hairline = '#dcdce2'

/**
 * Draws a paper as PDF with page numbers. The fonts are those that every reader of PDF has, so it writes the letters of
 * Western European languages; another letter is written as "?".
 */
export async function drawPaper({ paper, madeBy }: PdfOrder): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: margin, bottom: margin, left: margin, right: margin },
    bufferPages: true,
    info: { Title: paper.title, CreationDate: new Date(paper.asOf) },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.once('end', resolve)
    pdf.once('error', reject)
  })
  drawHead(pdf, paper)
  for (const { title, blocks } of paper.sections) {
    if (title !== '') drawTitle(pdf, title, 13)
    for (const block of blocks) drawBlock(pdf, block)
  }
  drawSources(pdf, paper)
  drawFeet(pdf, madeBy)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

const widthOf = (pdf: Pdf) => pdf.page.width - 2 * margin
const bottomOf = (pdf: Pdf) => pdf.page.height - margin - 14

/** Begins a page where less than `height` points are left. */
function keepTogether(pdf: Pdf, height: number): void {
  if (pdf.y + height > bottomOf(pdf)) pdf.addPage()
}

function drawHead(pdf: Pdf, paper: Paper): void {
  pdf.font('Helvetica-Bold').fontSize(20).fillColor(ink).text(written(paper.title))
  pdf.font('Helvetica').fontSize(9).fillColor(grey).text(written(paper.subtitle))
  pdf.moveDown(0.6)
  pdf.font('Helvetica-Bold').fontSize(9).fillColor(ink)
  pdf.text(`Data as of ${written(paper.asOfText)}. `, { continued: true })
  pdf.font('Helvetica').text(written(completeness(paper)))
  pdf.moveDown(0.6)
}

function drawTitle(pdf: Pdf, title: string, size: number): void {
  keepTogether(pdf, 60)
  pdf.moveDown(0.7).font('Helvetica-Bold').fontSize(size).fillColor(ink)
  pdf.text(written(title), margin)
  pdf.moveDown(0.3)
}

const titled = (title: string, source: number | null) => (source === null ? title : `${title} [${source}]`)

function drawBlock(pdf: Pdf, block: PaperBlock): void {
  switch (block.kind) {
    case 'text':
      pdf.font(block.isLead ? 'Helvetica-Bold' : 'Helvetica').fontSize(block.isLead ? 11.5 : 9.5)
      pdf.fillColor(ink).text(written(block.text), margin)
      pdf.moveDown(0.4)
      return
    case 'figures':
      return drawFigures(pdf, block)
    case 'table':
      return drawTable(pdf, block)
    case 'bars':
      return drawBars(pdf, block)
    case 'lines':
      drawTitle(pdf, titled(block.title, block.source), 9.5)
      keepTogether(pdf, 150)
      return drawLines(pdf, block, { x: margin, width: widthOf(pdf) })
  }
}

function drawFigures(pdf: Pdf, { figures }: Extract<PaperBlock, { kind: 'figures' }>): void {
  if (figures.length === 0) return
  keepTogether(pdf, 50)
  const top = pdf.y
  const width = widthOf(pdf) / figures.length
  for (const [index, { label, value, before, isEstimate, source }] of figures.entries()) {
    const x = margin + index * width
    const options = { width: width - 8, lineBreak: false, ellipsis: true, height: 20 }
    pdf
      .font('Helvetica')
      .fontSize(8)
      .fillColor(ink)
      .text(written(titled(label, source)), x, top + 4, options)
    pdf
      .font('Helvetica-Bold')
      .fontSize(13)
      .text(`${written(value)}${isEstimate ? '*' : ''}`, x, top + 16, options)
    pdf
      .font('Helvetica')
      .fontSize(7.5)
      .fillColor(grey)
      .text(written(before ?? ''), x, top + 33, options)
  }
  rule(pdf, top)
  rule(pdf, top + 46)
  pdf.x = margin
  pdf.y = top + 54
}

function drawTable(pdf: Pdf, block: Extract<PaperBlock, { kind: 'table' }>): void {
  const { title, columns, rows, emptyText, note, source } = block
  if (title !== '') drawTitle(pdf, titled(title, source), 9.5)
  if (rows.length === 0) {
    pdf.font('Helvetica').fontSize(9).fillColor(ink).text(written(emptyText), margin)
    return
  }
  const width = widthOf(pdf) / columns.length
  const line = (texts: readonly string[], color: string) => {
    pdf.font('Helvetica').fontSize(8).fillColor(color)
    const cells = texts.map(written)
    const heights = cells.map((text) => pdf.heightOfString(text === '' ? ' ' : text, { width: width - 8 }))
    // A cell that is taller than a page is cut at its end.
    const height = Math.min(Math.max(...heights), bottomOf(pdf) - margin - 10)
    if (pdf.y + height + 5 > bottomOf(pdf)) {
      pdf.addPage()
    }
    const top = pdf.y
    for (const [index, text] of cells.entries()) {
      const align = columns[index]?.isNumber ? 'right' : 'left'
      pdf.text(text, margin + index * width, top + 2, { width: width - 8, height, align, ellipsis: true })
    }
    rule(pdf, top + height + 4)
    pdf.x = margin
    pdf.y = top + height + 5
  }
  line(
    columns.map(({ name }) => name),
    grey,
  )
  for (const row of rows) line(row, ink)
  if (note !== '') pdf.fillColor(grey).fontSize(8).text(written(note), margin)
}

function drawBars(pdf: Pdf, block: Extract<PaperBlock, { kind: 'bars' }>): void {
  drawTitle(pdf, titled(block.title, block.source), 9.5)
  if (block.bars.length === 0) {
    pdf.font('Helvetica').fontSize(9).fillColor(ink).text(written(block.emptyText), margin)
    return
  }
  const width = widthOf(pdf)
  for (const { label, share, value, isWarning } of block.bars) {
    keepTogether(pdf, 14)
    const top = pdf.y
    const options = { lineBreak: false, ellipsis: true, height: 10 }
    pdf.font('Helvetica').fontSize(8).fillColor(ink)
    pdf.text(written(label), margin, top + 2, { ...options, width: width * 0.28 })
    pdf.text(written(value), margin + width * 0.78, top + 2, {
      ...options,
      width: width * 0.22,
      align: 'right',
    })
    const barWidth = width * 0.46
    pdf.rect(margin + width * 0.3, top + 4, barWidth, 4).fill('#ececf0')
    const filled = barWidth * Math.min(1, Math.max(0, share))
    if (filled > 0) pdf.rect(margin + width * 0.3, top + 4, filled, 4).fill(isWarning ? '#8a5300' : '#7a7a85')
    rule(pdf, top + 13)
    pdf.x = margin
    pdf.y = top + 14
  }
}

function drawSources(pdf: Pdf, { sources }: Paper): void {
  if (sources.length === 0) return
  drawTitle(pdf, 'Sources', 11)
  pdf.font('Helvetica').fontSize(8).fillColor(grey)
  for (const { number, label, text } of sources) pdf.text(written(`${number} ${label}: ${text}`), margin)
}

function drawFeet(pdf: Pdf, madeBy: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page)
    // The foot lies in the margin, where text would begin another page.
    pdf.page.margins.bottom = 0
    const y = pdf.page.height - margin + 8
    pdf.font('Helvetica').fontSize(7.5).fillColor(grey)
    pdf.text(written(madeBy), margin, y, { width: widthOf(pdf) * 0.75, lineBreak: false })
    pdf.text(`page ${page - start + 1} of ${count}`, margin, y, {
      width: widthOf(pdf),
      align: 'right',
      lineBreak: false,
    })
  }
}

function rule(pdf: Pdf, y: number): void {
  pdf
    .moveTo(margin, y)
    .lineTo(margin + widthOf(pdf), y)
    .lineWidth(0.5)
    .strokeColor(hairline)
    .stroke()
}
