import type { ChangeKind, ChangeText, Release } from '../src/lib/changelog.ts'
import { changeKinds } from '../src/lib/changelog.ts'

/**
 * Reads a changelog in the shape of Keep a Changelog: `## [1.2.0] – 2026-11-21`, `### Added`, `- a change`, whose
 * further lines are indented. Throws where a line is none of these, so that nothing is lost without a word.
 */
export function parseChangelog(markdown: string): Release[] {
  const releases: Release[] = []
  const texts: { change: ChangeText; lines: string[] }[] = []
  let group: Release['groups'][number] | undefined
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const release = /^## \[([^\]]+)\](?:\s+[–-]\s+(.+))?$/.exec(line)
    const heading = /^### (\S+)$/.exec(line)
    const change = /^- (.+)$/.exec(line)
    const more = /^ {2,}(\S.*)$/.exec(line)
    if (release) {
      releases.push({ version: release[1] ?? '', date: dateOf(release[2], index), groups: [] })
      group = undefined
    } else if (heading) {
      group = { kind: kindOf(heading[1] ?? '', index), changes: [] }
      releases.at(-1)?.groups.push(group)
    } else if (change && group) {
      const text: ChangeText = []
      group.changes.push(text)
      texts.push({ change: text, lines: [change[1] ?? ''] })
    } else if (more && group?.changes.length) {
      texts.at(-1)?.lines.push(more[1] ?? '')
    } else if (line.trim() !== '' && releases.length > 0) {
      throw new Error(`CHANGELOG.md:${index + 1}: neither version, kind of change nor change: ${line}`)
    }
  }
  for (const { change, lines } of texts) change.push(...partsOf(lines.join(' ')))
  return releases
}

function dateOf(text: string | undefined, index: number): string | undefined {
  if (text === undefined || text === 'unreleased') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new Error(`CHANGELOG.md:${index + 1}: a date is written 2026-11-21, or "unreleased": ${text}`)
}

function kindOf(text: string, index: number): ChangeKind {
  const kind = changeKinds.find((each) => each === text)
  if (kind) return kind
  throw new Error(`CHANGELOG.md:${index + 1}: a kind of change is one of ${changeKinds.join(', ')}: ${text}`)
}

/** Code in backticks, strong words in double asterisks, and links; a link elsewhere than to the web stays text. */
function partsOf(text: string): ChangeText {
  const parts: ChangeText = []
  let at = 0
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g)) {
    const [whole, code, strong, label, href] = match
    if (match.index > at) parts.push({ text: text.slice(at, match.index) })
    if (code !== undefined) parts.push({ text: code, look: 'code' })
    else if (strong !== undefined) parts.push({ text: strong, look: 'strong' })
    else parts.push({ text: label ?? '', ...(/^https?:\/\//.test(href ?? '') && href ? { href } : {}) })
    at = match.index + whole.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}
