import { arithmetic } from './shell-arithmetic.ts'
import { glob, isPattern, matches, quoted } from './shell-pattern.ts'
import { partEnd } from './shell-tokens.ts'
import type { Shell } from './shell.ts'

const longestValue = 1024 * 1024
/** Cutting a value by a pattern tries every length of it. */
const longestCut = 4096

/** A word that comes to nothing sensible; the script ends with these words. */
export class ExpansionError extends Error {}

/** A piece of a command line; in `pattern`, what was quoted is behind backslashes. */
type Field = { text: string; pattern: string }

type Value = { value: string | readonly string[]; end: number }

/** Puts values into words as written, for one shell. */
export class Expansion {
  readonly #shell: Shell
  readonly #output: (script: string) => string

  /** `output` runs what is between `$(` and `)`. */
  constructor(shell: Shell, output: (script: string) => string) {
    this.#shell = shell
    this.#output = output
  }

  /** The words of a command: values with spaces outside quotes are split, and patterns become the files they mean. */
  words(raw: readonly string[]): string[] {
    return raw.flatMap((word) =>
      this.#fields(word, true).flatMap(({ text, pattern }) => {
        const files = isPattern(pattern) ? glob(this.#shell.files, this.#shell.directory, pattern) : []
        return files.length > 0 ? files : [text]
      }),
    )
  }

  /** One word that stays one, as behind `x=`. */
  word(raw: string): string {
    return this.#fields(raw, false)
      .map(({ text }) => text)
      .join(' ')
  }

  /** One word as a pattern that a text can be held against. */
  pattern(raw: string): string {
    return this.#fields(raw, false)
      .map(({ pattern }) => pattern)
      .join(' ')
  }

  /** The lines below a `<<`, in which quotes are taken literally. */
  lines(text: string): string {
    let made = ''
    for (let i = 0; i < text.length;) {
      const mark = text[i] ?? ''
      const next = text[i + 1] ?? ''
      const found = mark === '$' || mark === '`' ? this.#substitution(text, i) : undefined
      if (mark === '\\' && '$`\\\n'.includes(next)) made += next === '\n' ? '' : next
      else made += found ? joined(found.value) : mark
      i = found?.end ?? (mark === '\\' && '$`\\\n'.includes(next) ? i + 2 : i + 1)
    }
    return made
  }

  #value(name: string): string | undefined {
    const { positional, environment, lastCode } = this.#shell
    if (name === '?') return String(lastCode)
    if (name === '$') return '17'
    if (name === '#') return String(positional.length)
    if (name === '@' || name === '*') return positional.length > 0 ? positional.join(' ') : undefined
    if (name === '0') return 'sh'
    return /^\d+$/.test(name) ? positional[Number(name) - 1] : environment[name]
  }

  /** The value of what a `$` or backquote begins, or undefined where it begins nothing. */
  #substitution(text: string, at: number): Value | undefined {
    const end = partEnd(text, at)
    const part = text.slice(at, end)
    if (end === undefined) {
      const name = /^\$([?$#@*]|[0-9]|[A-Za-z_]\w*)/.exec(part)?.[1]
      if (name === undefined) return undefined
      const value = name === '@' ? this.#shell.positional : (this.#value(name) ?? '')
      return { value, end: at + 1 + name.length }
    }
    if (part.startsWith('$((') && part.endsWith('))')) return { value: this.#sum(part.slice(3, -2)), end }
    if (part.startsWith('${')) return { value: this.#parameter(part.slice(2, -1)), end }
    const script = part.startsWith('$(') ? part.slice(2, -1) : part.slice(1, -1)
    return { value: this.#output(script).replace(/\n+$/, ''), end }
  }

  #sum(inner: string): string {
    const plain = inner.replaceAll(/\$\{?(\w+)\}?/g, (_all, name: string) =>
      /^\d/.test(name) ? (this.#value(name) ?? '0') : name,
    )
    try {
      return String(arithmetic(plain, (name) => this.#value(name) ?? ''))
    } catch (error) {
      throw new ExpansionError(error instanceof Error ? error.message : String(error))
    }
  }

  /** What stands between `${` and `}`. */
  #parameter(inner: string): string | readonly string[] {
    const length = /^#([?@*]|\w+)$/.exec(inner)?.[1]
    if (length !== undefined) return String((this.#value(length) ?? '').length)
    const [, name = '', sign = '', other = ''] =
      /^([?$#@*]|\w+)(?:(:?[-+=?]|##?|%%?)(.*))?$/s.exec(inner) ?? []
    if (name === '') throw new ExpansionError('bad substitution')
    if (name === '@' && sign === '') return this.#shell.positional
    const value = this.#value(name)
    const isMissing = sign.startsWith(':') ? !value : value === undefined
    switch (sign.replace(':', '')) {
      case '-':
        return isMissing ? this.word(other) : (value ?? '')
      case '+':
        return isMissing ? '' : this.word(other)
      case '=':
        if (isMissing) this.#shell.environment[name] = this.word(other)
        return this.#value(name) ?? ''
      case '?':
        if (isMissing) throw new ExpansionError(`${name}: ${this.word(other) || 'parameter not set'}`)
        return value ?? ''
      case '':
        return value ?? ''
      default:
        return cut(value ?? '', sign, this.pattern(other))
    }
  }

  #fields(word: string, isSplit: boolean): Field[] {
    // With no parameters, "$@" is no word at all.
    if (word === '"$@"' && this.#shell.positional.length === 0) return []
    const fields: Field[] = []
    let current: Field | undefined
    let isQuoted = false
    const end = () => {
      if (current) fields.push(current)
      current = undefined
    }
    const add = (text: string, isLiteral: boolean) => {
      current ??= { text: '', pattern: '' }
      current.text += text
      current.pattern += isLiteral ? quoted(text) : text
      // A value that a loop doubles would soon fill the memory.
      if (current.text.length > longestValue) throw new ExpansionError('out of memory')
    }
    const addValue = (value: string | readonly string[]) => {
      if (typeof value !== 'string' && isSplit) {
        for (const [i, one] of value.entries()) {
          if (i > 0) end()
          if (isQuoted) add(one, true)
          else addValue(one)
        }
      } else if (isQuoted || !isSplit) add(joined(value), isQuoted)
      else {
        for (const [i, piece] of joined(value).split(/\s+/).entries()) {
          if (i > 0) end()
          if (piece !== '') add(piece, false)
        }
      }
    }
    for (let i = 0; i < word.length;) {
      const mark = word[i] ?? ''
      if (mark === "'" && !isQuoted) {
        const close = word.indexOf("'", i + 1)
        add(word.slice(i + 1, close), true)
        i = close + 1
      } else if (mark === '"') {
        isQuoted = !isQuoted
        add('', true)
        i += 1
      } else if (mark === '\\') {
        const next = word[i + 1] ?? ''
        add(isQuoted && !'"$`\\\n'.includes(next) ? mark + next : next === '\n' ? '' : next, true)
        i += 2
      } else {
        const found = mark === '$' || mark === '`' ? this.#substitution(word, i) : undefined
        if (found) addValue(found.value)
        else add(mark, isQuoted)
        i = found?.end ?? i + 1
      }
    }
    end()
    return fields
  }
}

function joined(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(' ')
}

/** A value without the shortest (`#`, `%`) or longest (`##`, `%%`) beginning or end that is as the pattern says. */
function cut(value: string, sign: string, pattern: string): string {
  if (value.length > longestCut) throw new ExpansionError('out of memory')
  const lengths = Array.from({ length: value.length + 1 }, (_none, i) => i)
  if (sign.length === 2) lengths.reverse()
  const isStart = sign.startsWith('#')
  const found = lengths.find((length) =>
    matches(pattern, isStart ? value.slice(0, length) : value.slice(value.length - length)),
  )
  if (found === undefined) return value
  return isStart ? value.slice(found) : value.slice(0, value.length - found)
}
