import type { PaperLines } from '@bey/contract/paper/paper'
import { chartGeometry } from '@bey/contract/paper/chart'
import { type Pdf, written } from './pdf-text.ts'

const height = 92
const left = 40
const colors = ['#5b4bd1', '#0f766e', '#8a5300', '#b3261e', '#1d6fb8', '#555555']
const grey = '#5c5c66'

/** Draws curves at the height where the text stands; each has a colour and dashes of its own, gaps are hatched. */
export function drawLines(pdf: Pdf, block: PaperLines, box: { x: number; width: number }): void {
  const top = pdf.y
  const x = box.x + left
  const width = box.width - left
  const { parts, yOf } = chartGeometry(block, width, height)
  pdf.font('Helvetica').fontSize(7).fillColor(grey)
  for (const { value, text } of block.ticks) {
    const y = top + yOf(value)
    pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.5)
      .strokeColor('#e4e4e9')
      .stroke()
    pdf.text(written(text), box.x, y - 3, { width: left - 5, align: 'right', lineBreak: false })
  }
  for (const { from, to } of block.gaps) hatch(pdf, x + from * width, top, Math.max(2, (to - from) * width))
  if (block.limit) {
    const y = top + yOf(block.limit.value)
    pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .dash(3, { space: 2 })
      .strokeColor('#8a5300')
      .stroke()
      .undash()
  }
  for (const [index, each] of parts.entries()) {
    pdf.lineWidth(1).strokeColor(colors[index] ?? grey)
    if (index > 0) pdf.dash(index + 2, { space: 2 })
    for (const points of each) {
      for (const [at, [px, py]] of points.entries()) {
        if (at === 0) pdf.moveTo(x + px, top + py)
        else pdf.lineTo(x + px, top + py)
      }
      pdf.stroke()
    }
    pdf.undash()
  }
  pdf.fillColor(grey)
  for (const { at, text } of block.times) {
    pdf.text(written(text), x + at * width - 30, top + height + 5, {
      width: 60,
      align: 'center',
      lineBreak: false,
    })
  }
  const names = block.series.map(({ name }) => name)
  const gaps = block.gaps.length === 0 ? [] : [`hatched: ${block.gaps.map(({ text }) => text).join('; ')}`]
  pdf.text(written([...names, ...gaps].join(' \u00b7 ')), box.x, top + height + 18, {
    width: box.width,
    height: 24,
    ellipsis: true,
  })
  pdf.x = box.x
  pdf.y = top + height + 40
}

function hatch(pdf: Pdf, x: number, y: number, width: number): void {
  pdf.save().rect(x, y, width, height).clip().lineWidth(0.5).strokeColor('#8a8a90')
  for (let offset = -height; offset < width; offset += 4) {
    pdf
      .moveTo(x + offset, y + height)
      .lineTo(x + offset + height, y)
      .stroke()
  }
  pdf.restore()
}
