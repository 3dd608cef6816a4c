/** Labels as they are typed: `team=web, app`, separated by commas or lines. */
export function parseLabels(text: string): { labels: Record<string, string> } | { error: string } {
  const labels: Record<string, string> = {}
  for (const part of text.split(/[,\n]/).map((each) => each.trim())) {
    if (part === '') continue
    const [key = '', ...rest] = part.split('=')
    const name = key.trim()
    if (!/^[a-zA-Z0-9]([a-zA-Z0-9._/-]*[a-zA-Z0-9])?$/.test(name) || name.length > 63) {
      return { error: `“${name}” is no label: use letters, digits, dots, underscores, dashes and slashes.` }
    }
    labels[name] = rest.join('=').trim()
  }
  return Object.keys(labels).length > 20 ? { error: 'At most 20 labels can be kept.' } : { labels }
}

export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return labelTexts(labels).join(', ')
}

/** Each label as the list filters by it: `team=web`, or `team` where it has no value. */
export function labelTexts(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([key, value]) => (value === '' ? key : `${key}=${value}`))
}
