import type { EditorView } from '@codemirror/view'
import { WidgetType } from '@codemirror/view'
import type { ConflictAnswer, PlacedConflict } from './conflict-marks.ts'
import { element } from './manifest-hover.ts'

const choices = [
  { answer: 'mine', label: 'Yours' },
  { answer: 'theirs', label: 'Live' },
  { answer: 'edit', label: 'Another value' },
] as const

/** The question above the lines that both changed, with its three answers. */
export class ConflictQuestion extends WidgetType {
  private readonly conflict: PlacedConflict
  private readonly answer: (view: EditorView, key: string, answer: ConflictAnswer) => void

  constructor(
    conflict: PlacedConflict,
    answer: (view: EditorView, key: string, answer: ConflictAnswer) => void,
  ) {
    super()
    this.conflict = conflict
    this.answer = answer
  }

  override eq(other: ConflictQuestion): boolean {
    return other.conflict.key === this.conflict.key && other.conflict.answer === this.conflict.answer
  }

  override ignoreEvent(): boolean {
    return true
  }

  override get estimatedHeight(): number {
    return 84
  }

  override toDOM(view: EditorView): HTMLElement {
    const { title, base, by } = this.conflict
    const head = element('p', 'flex flex-wrap items-center gap-x-2 border-b border-line px-3 py-1.5', [
      element('span', 'font-medium', ['Both of you changed this']),
      element('span', 'text-text-2', [title]),
      element('span', 'ml-auto text-small text-text-2', [`Before: ${linesText(base)}`]),
    ])
    const answers = element(
      'div',
      'grid sm:grid-cols-3',
      choices.map((choice, index) => this.choice(view, choice, index, by)),
    )
    answers.setAttribute('role', 'radiogroup')
    answers.setAttribute('aria-label', `Both of you changed ${title}`)
    const box = element(
      'div',
      'overflow-hidden rounded-control border border-warn bg-bg font-sans text-body whitespace-normal',
      [head, answers],
    )
    // The editor does not count margins when it measures heights.
    const frame = element('div', 'px-3 py-1', [box])
    frame.contentEditable = 'false'
    return frame
  }

  private choice(view: EditorView, { answer, label }: (typeof choices)[number], index: number, by: string) {
    const { conflict } = this
    const isChosen = conflict.answer === answer
    const value = { mine: linesText(conflict.mine), theirs: linesText(conflict.theirs), edit: '' }[answer]
    const whose = { mine: 'not saved yet', theirs: by, edit: 'type it in the lines below' }[answer]
    const button = document.createElement('button')
    button.type = 'button'
    button.className = `flex min-h-11 items-start gap-2 px-3 py-1.5 text-left hover:bg-hover ${isChosen ? 'bg-accent-soft' : ''}`
    button.setAttribute('role', 'radio')
    button.setAttribute('aria-checked', String(isChosen))
    button.append(
      element('span', 'mt-0.5 text-text-2', [isChosen ? '◉' : '○']),
      element('span', 'min-w-0 flex-1', [
        element('span', 'block font-medium', [
          `${label} `,
          element('code', 'font-mono text-small font-normal break-all', [value]),
        ]),
        element('span', 'block text-small text-text-2', [whose]),
      ]),
      element('span', 'rounded-badge border border-line px-1 text-meta text-text-2', [String(index + 1)]),
    )
    button.addEventListener('click', () => this.answer(view, conflict.key, answer))
    button.addEventListener('keydown', (event) => {
      const chosen = choices[Number(event.key) - 1]
      if (chosen) {
        event.preventDefault()
        this.answer(view, conflict.key, chosen.answer)
      }
    })
    return button
  }
}

function linesText(lines: readonly string[]): string {
  if (lines.length === 0) return 'no such lines'
  const [first = ''] = lines
  return lines.length === 1 ? first.trim() : `${first.trim()} … (${lines.length} lines)`
}
