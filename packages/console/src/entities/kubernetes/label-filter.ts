/** Whether a typed filter means labels ("app=web", "tier!=system", "!old"); names hold no such sign. */
function isLabelFilter(text: string): boolean {
  return text.includes('=') || text.startsWith('!')
}

/** A typed filter as it stands in the address: a part of a name as `q`, labels as `label`. */
export function filterChange(text: string): { q: string | undefined; label: string | undefined } {
  return isLabelFilter(text) ? { q: undefined, label: text } : { q: text, label: undefined }
}
