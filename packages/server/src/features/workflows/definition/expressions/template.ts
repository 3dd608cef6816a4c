import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'

/**
 * A secret that a template names: `secrets.db@3#password` is the field `password` of version 3 of `db`. A name may end
 * with a field as well, as in `secrets.db.password`.
 */
export type SecretReference = { name: string; version?: number; field?: string }

export type TemplatePart =
  | { kind: 'text'; text: string }
  /** `at`: where the source begins in the text. */
  | { kind: 'expression'; source: string; at: number }
  | { kind: 'secret'; secret: SecretReference }

export type Template = {
  parts: readonly TemplatePart[]
  /** The text is one template and nothing else: its value keeps its type. */
  isWhole: boolean
}

const secretPattern =
  /^secrets\.(?<name>[\p{L}\p{N}][\p{L}\p{N}\p{M}._/-]*)(?:@(?<version>[1-9]\d{0,8}))?(?:#(?<field>[\w-]+(?:\.[\w-]+)*))?$/u

/** Whether a text contains a template. */
export function isTemplated(text: string): boolean {
  return text.includes('{{')
}

const maxTemplateChars = 200_000
const maxParts = 1_000

/** Reads a text with `{{ … }}`. Throws ExpressionError. `{{ "{{" }}` writes two braces. */
export function parseTemplate(text: string): Template {
  if (text.length > maxTemplateChars) {
    throw new ExpressionError(`A text with templates may have ${maxTemplateChars} characters.`)
  }
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('{{', at)
    if (start === -1) break
    if (start > at) parts.push({ kind: 'text', text: text.slice(at, start) })
    const end = endOf(text, start + 2)
    const written = text.slice(start + 2, end)
    parts.push(readPart(written.trim(), start + 2 + written.length - written.trimStart().length))
    if (parts.length > maxParts) throw new ExpressionError(`A text may have ${maxParts / 2} templates.`)
    at = end + 2
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  const filled = parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '')
  const isWhole = filled.length === 1 && filled[0]?.kind !== 'text'
  return { parts: isWhole ? filled : parts, isWhole }
}

function readPart(source: string, at: number): TemplatePart {
  if (!/^secrets\s*\./.test(source)) return { kind: 'expression', source, at }
  const { name, version, field } = secretPattern.exec(source)?.groups ?? {}
  if (name === undefined) {
    throw new ExpressionError(
      `"${source.slice(0, 120)}" does not name a secret. Write {{ secrets.name }}, {{ secrets.name@3 }} for a version, or {{ secrets.name.password }} for a field; a secret cannot be a part of an expression.`,
    )
  }
  return {
    kind: 'secret',
    secret: { name, ...(version && { version: Number(version) }), ...(field && { field }) },
  }
}

/** Where the braces of a template close that began before `from`: texts and maps within it have braces of their own. */
function endOf(text: string, from: number): number {
  let depth = 0
  const limit = Math.min(text.length, from + expressionLimits.chars + 2)
  for (let at = from; at < limit; at += 1) {
    const char = text[at]
    if (char === '"' || char === "'") at = endOfText(text, at, limit)
    else if (char === '{') depth += 1
    else if (char === '}' && depth > 0) depth -= 1
    else if (char === '}' && text[at + 1] === '}') return at
  }
  throw new ExpressionError(
    `"${text.slice(from - 2, from + 40)}" opens a template that is not closed with }}. For two braces as text write {{ "{{" }}.`,
  )
}

/** Index of the quote that ends the CEL text beginning at `start`; the last index where it has no end. */
function endOfText(text: string, start: number, limit: number): number {
  const char = text.charAt(start)
  const quote = text.startsWith(char.repeat(3), start) ? char.repeat(3) : char
  const isRaw = /[rR]/.test(text[start - 1] ?? '')
  for (let at = start + quote.length; at < limit; at += 1) {
    if (text[at] === '\\' && !isRaw) at += 1
    else if (text.startsWith(quote, at)) return at + quote.length - 1
  }
  return limit
}
