import type { Terminal } from '../terminal.ts'

/** How far something is, for people: a bar that is drawn over itself on a terminal, else a line for each change. */
export type Progress = {
  show(text: string, percent: number): void
  /** Removes the bar. What is printed after it begins on a line of its own. */
  end(): void
}

const eraseLine = '\r\u001b[K'
const barWidth = 20

/** Shows progress on standard error, so that it never ends up in a pipe. */
export function openProgress(terminal: Terminal): Progress {
  let shown = ''
  return {
    show(text, percent) {
      const line = `${text}, ${Math.round(percent)} %`
      if (line === shown) return
      shown = line
      terminal.note(
        terminal.isInteractive ? `${eraseLine}${barLine(text, percent, terminal.columns)}` : `${line}\n`,
      )
    },
    end() {
      if (terminal.isInteractive && shown !== '') terminal.note(eraseLine)
      shown = ''
    },
  }
}

/** One line with a bar, which is left out where the terminal is too narrow for both. */
export function barLine(text: string, percent: number, columns = 80): string {
  const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * barWidth)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
  const share = `${String(Math.round(percent)).padStart(3)} %`
  const whole = `${bar} ${share}  ${text}`
  return (whole.length < columns ? whole : `${share}  ${text}`).slice(0, columns - 1)
}
