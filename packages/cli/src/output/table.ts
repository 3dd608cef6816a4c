type Row = Readonly<Record<string, unknown>>

export type TableOptions = {
  /** Width of the terminal; undefined: nothing is cut. */
  width: number | undefined
  hasColor: boolean
  now: number
}

const gap = 2
/** Narrower than this a column says nothing. */
const minWidth = 6

/** Rows in columns that fit the terminal: columns are left out from the right, then texts are cut. */
export function tableOf(rows: readonly Row[], given: readonly string[], options: TableOptions): string {
  const fields = isNarrow(options) ? idsLast(rows, given) : given
  const cells = rows.map((row) => fields.map((field) => cellOf(field, row[field], options.now)))
  const heads = fields.map(headOf)
  const natural = fields.map((_, index) =>
    Math.max(widthOf(heads[index] ?? ''), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const widths = options.width === undefined ? natural : fit(natural, options.width)
  const print = (row: readonly string[]) =>
    widths
      .map((width, index) => {
        const cell = cut(row[index] ?? '', width)
        return index === widths.length - 1 ? cell : cell + ' '.repeat(width - widthOf(cell) + gap)
      })
      .join('')
      .trimEnd()
  const head = options.hasColor ? `\u001b[1m${print(heads)}\u001b[0m` : print(heads)
  return [head, ...cells.map(print)].join('\n')
}

const narrowColumns = 100

function isNarrow({ width }: TableOptions): boolean {
  return width !== undefined && width < narrowColumns
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** UUIDs take half of a narrow terminal, and names say more. */
function idsLast(rows: readonly Row[], fields: readonly string[]): string[] {
  const isUuid = (field: string) =>
    rows.some((row) => uuid.test(typeof row[field] === 'string' ? row[field] : ''))
  return fields.toSorted((one, other) => Number(isUuid(one)) - Number(isUuid(other)))
}

function fit(natural: readonly number[], width: number): number[] {
  const kept: number[] = []
  let used = 0
  for (const column of natural) {
    const room = width - used - (kept.length > 0 ? gap : 0)
    if (room < Math.min(column, minWidth)) break
    const taken = Math.min(column, room)
    used += taken + (kept.length > 0 ? gap : 0)
    kept.push(taken)
  }
  return kept
}

/** One thing as lines of name and value. */
export function factsOf(value: Row, options: TableOptions): string {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const longest = Math.max(0, ...entries.map(([field]) => headOf(field).length))
  const isNarrow = options.width !== undefined && options.width < longest + 20
  return entries
    .map(([field, item]) => {
      const text = cellOf(field, item, options.now)
      return isNarrow ? `${headOf(field)}\n  ${text}` : `${headOf(field).padEnd(longest + gap)}${text}`
    })
    .join('\n')
}

/** `createdAt` as the head of a column: `CREATED`. */
function headOf(field: string): string {
  return field
    .replace(/At$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toUpperCase()
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function cellOf(field: string, value: unknown, now: number): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'string') return instant.test(value) ? ageOf(field, value, now) : oneLine(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    return isPlain ? oneLine(value.join(', ')) || '—' : `${value.length}`
  }
  return 'name' in value && typeof value.name === 'string' ? oneLine(value.name) : JSON.stringify(value)
}

/** Terminals obey control characters, and names are chosen by others. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim()
}

function ageOf(_field: string, iso: string, now: number): string {
  const ms = now - Date.parse(iso)
  const text = spanOf(Math.abs(ms))
  return ms >= 0 ? `${text} ago` : `in ${text}`
}

/** A span of time in its greatest unit: `4m`, `3h`, `12d`. */
export function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** Characters that a terminal shows; those of East Asia and emoji take two places. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text)
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1
  return width
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}
