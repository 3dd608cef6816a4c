import { evaluate, type Scope } from './evaluate.ts'
import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'
import { isTemplated, parseTemplate, type SecretReference, type TemplatePart } from './template.ts'

/** The value of a secret, as text. Throws where it does not exist or may not be used. */
export type ResolveSecret = (secret: SecretReference) => Promise<string>

type Rendering = { scope: Scope; resolveSecret: ResolveSecret; room: { bytes: number } }

/**
 * A config with its templates replaced by their values; names of fields and what has no template stay as they are.
 * Throws ExpressionError whose message begins with the path of the field.
 */
export async function renderConfig(
  config: Readonly<Record<string, unknown>>,
  scope: Scope,
  resolveSecret: ResolveSecret,
): Promise<Record<string, unknown>> {
  const rendering = { scope, resolveSecret, room: { bytes: expressionLimits.resultBytes } }
  return renderMembers(config, rendering, '', 0)
}

/** The value of one text with templates: typed where it is one template and nothing else. */
export async function renderTemplate(
  text: string,
  scope: Scope,
  resolveSecret: ResolveSecret,
): Promise<unknown> {
  const { parts, isWhole } = parseTemplate(text)
  const values: unknown[] = []
  // One after another: each may ask the database for a secret.
  for (const part of parts) values.push(await valueOf(part, scope, resolveSecret))
  return isWhole ? values[0] : values.map(shown).join('')
}

/** For places where no secret may stand. */
export const refuseSecrets: ResolveSecret = ({ name }) => {
  throw new ExpressionError(`The secret "${name}" cannot be used here: secrets stand in config only.`)
}

async function render(value: unknown, rendering: Rendering, path: string, depth: number): Promise<unknown> {
  if (typeof value === 'string') return renderText(value, rendering, path)
  if (typeof value !== 'object' || value === null) return value
  if (depth > expressionLimits.valueDepth) throw new ExpressionError(`${path}: too many levels.`)
  if (!Array.isArray(value)) return renderMembers(value, rendering, path, depth)
  const items: unknown[] = []
  for (const [index, item] of value.entries()) {
    items.push(await render(item, rendering, `${path}[${index}]`, depth + 1))
  }
  return items
}

async function renderMembers(
  value: object,
  rendering: Rendering,
  path: string,
  depth: number,
): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const rendered = await render(member, rendering, path === '' ? key : `${path}.${key}`, depth + 1)
    Object.defineProperty(result, key, {
      value: rendered,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

async function renderText(text: string, rendering: Rendering, path: string): Promise<unknown> {
  const value = isTemplated(text)
    ? await renderTemplate(text, rendering.scope, rendering.resolveSecret).catch((error: unknown) => {
        if (!(error instanceof ExpressionError)) throw error
        throw new ExpressionError(`${path}: ${error.message}`, { cause: error })
      })
    : text
  rendering.room.bytes -= typeof value === 'string' ? value.length : JSON.stringify(value ?? null).length
  if (rendering.room.bytes < 0) {
    throw new ExpressionError(`${path}: the config is larger than 1 MB with its values.`)
  }
  return value
}

async function valueOf(part: TemplatePart, scope: Scope, resolveSecret: ResolveSecret): Promise<unknown> {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'secret':
      return resolveSecret(part.secret)
    case 'expression':
      return evaluate(part.source, scope)
  }
}

/** A value within a text: lists and objects as JSON, nothing for null. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
