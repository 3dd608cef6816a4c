import type { FileEntry, FileProblem, ReadFile } from './read-file.ts'

const assignment = /^(?:export[ \t]+)?([^\s=#'"]+)[ \t]*=[ \t]*/

/**
 * Reads a `.env` file: `NAME=value`, optionally with `export`; values plain, in single quotes (taken as they are) or in
 * double quotes (with `\n`, `\r`, `\t`, `\"`, `\\`, `\$`), quoted ones over several lines. Nothing is expanded.
 */
export function readEnv(text: string): ReadFile {
  const entries: FileEntry[] = []
  const problems: FileProblem[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + 1
    const content = (lines[index] ?? '').trimStart()
    if (content === '' || content.startsWith('#')) continue
    const [head, name] = assignment.exec(content) ?? []
    if (head === undefined || name === undefined) {
      problems.push({ line, message: 'This is no NAME=value. A comment begins with #.' })
      continue
    }
    const rest = content.slice(head.length)
    const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : undefined
    if (quote === undefined) {
      entries.push({ line, name, value: plainOf(rest) })
      continue
    }
    const quoted = readQuoted([rest.slice(1), ...lines.slice(index + 1)], quote)
    if (quoted === undefined) {
      problems.push({ line, message: `The value of ${name} begins with a quote that is never closed.` })
      continue
    }
    index += quoted.lineCount - 1
    if (quoted.isFollowed) {
      problems.push({ line, message: `After the closing quote of ${name} there is more than a comment.` })
    } else entries.push({ line, name, value: quoted.value })
  }
  return { entries, problems }
}

function plainOf(rest: string): string {
  return rest.replace(/(^|\s)#.*$/, '').trimEnd()
}

type Quoted = { value: string; lineCount: number; isFollowed: boolean }

function readQuoted(lines: readonly string[], quote: string): Quoted | undefined {
  let value = ''
  for (const [index, line] of lines.entries()) {
    if (index > 0) value += '\n'
    for (let at = 0; at < line.length; at += 1) {
      const character = line.charAt(at)
      if (character === quote) {
        return { value, lineCount: index + 1, isFollowed: !/^\s*(#.*)?$/.test(line.slice(at + 1)) }
      }
      if (character === '\\' && quote === '"' && at + 1 < line.length) {
        at += 1
        const escaped = line.charAt(at)
        value += escapes[escaped] ?? `\\${escaped}`
      } else value += character
    }
  }
  return undefined
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' }
