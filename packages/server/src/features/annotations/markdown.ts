import type { AnnotationDetail } from '@bey/contract'

/** Notes as a Markdown document that can be pasted into an issue. What people wrote stays text: none of it is markup. */
export function markdownOf(organization: string, at: Date, notes: readonly AnnotationDetail[]): string {
  const count = notes.length === 1 ? '1 annotation' : `${notes.length} annotations`
  const head = [`# Annotations of ${plain(organization)}`, `${count}, exported ${at.toISOString()}`]
  return `${[...head, ...notes.map(annotationText)].join('\n\n')}\n`
}

function annotationText(note: AnnotationDetail): string {
  const facts = [
    `- Page: ${code(note.url)}`,
    `- Status: ${statusOf(note)}`,
    `- By: ${plain(note.createdBy.name)}, ${note.createdAt}`,
    ...note.xpath.split('\n').map((path) => `- Element: ${code(path)}`),
    ...(note.selectedText === null ? [] : [`- Selected text: ${plain(oneLine(note.selectedText))}`]),
  ]
  const replies = note.replies.map(
    (reply) => `**${plain(reply.createdBy.name)}**, ${reply.createdAt}:\n\n${quote(reply.text)}`,
  )
  return [
    `## ${plain(oneLine(note.componentName))}`,
    facts.join('\n'),
    quote(note.annotationText),
    ...replies,
  ].join('\n\n')
}

function statusOf({ status, resolvedAt, resolvedBy }: AnnotationDetail): string {
  return resolvedAt === null ? status : `${status} by ${plain(resolvedBy?.name ?? '')}, ${resolvedAt}`
}

function quote(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${plain(line)}`.trimEnd())
    .join('\n')
}

/** Every sign that Markdown or HTML could read as its own, escaped. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~!&@]/g, '\\$&')
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2')
    .replace(/\b(https?):\/\/|\bwww\./gi, (link) => link.replace(/[/.]/, '\\$&'))
}

/** A code span; its fence is longer than any row of backticks inside (CommonMark 6.1). */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
