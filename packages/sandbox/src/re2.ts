import { createRequire } from 'node:module'
import type * as Re2 from 're2js'

/**
 * A regular expression with the syntax and the guarantees of RE2, as Kubernetes has them: the time to match grows with
 * the length of the text only, whatever the pattern is.
 */
export type Pattern = {
  test(text: string): boolean
  /** The first match and every one that does not overlap with an earlier one; at most `most`. */
  findAll(text: string, most?: number): string[]
}

/** A text that RE2 does not accept as a pattern. The message says what is wrong with it. */
export class PatternError extends Error {}

const load = createRequire(import.meta.url)
let loaded: typeof Re2 | undefined

// Loaded with the first pattern: most sandboxes never see one.
function library(): typeof Re2 {
  loaded ??= load('re2js') as typeof Re2
  return loaded
}

const patterns = new Map<string, Pattern | PatternError>()
const keptAtMost = 500

/** Compiles a pattern that a user wrote, once. Throws PatternError. */
export function compilePattern(source: string): Pattern {
  const known = patterns.get(source) ?? compiled(source)
  if (patterns.size >= keptAtMost) patterns.clear()
  patterns.set(source, known)
  if (known instanceof PatternError) throw known
  return known
}

function compiled(source: string): Pattern | PatternError {
  const { RE2JS, RE2JSException } = library()
  try {
    const pattern = RE2JS.compile(source)
    return {
      test: (text) => pattern.test(text),
      findAll(text, most = Infinity) {
        const matcher = pattern.matcher(text)
        const found: string[] = []
        while (found.length < most && matcher.find()) found.push(matcher.group() ?? '')
        return found
      },
    }
  } catch (error) {
    if (error instanceof RE2JSException) return new PatternError(error.message, { cause: error })
    throw error
  }
}
